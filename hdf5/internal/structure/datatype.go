package structure

import (
	"fmt"
	"math"
	"strings"

	"github.com/npygo/npy/hdf5/internal/storage"
)

// The classes of datatypes.
const (
	ClassInt = iota
	ClassFloat
	ClassTime
	ClassString
	ClassBitfield
	ClassOpaque
	ClassCompound
	ClassReference
	ClassEnum
	ClassVlen
	ClassArray
	ClassComplex
)

// The paddings of strings.
const (
	PadTerm = iota
	padNUL
	PadSpace
)

// A Datatype is a datatype message, as the file has it.
type Datatype struct {
	Class   int
	Size    int  // of an element in the file, in bytes
	Big     bool // the byte order
	Vax     bool
	Signed  bool
	Offset  int // of the first bit of a number, and
	Bits    int // the number of bits
	Float   FloatLayout
	Pad     int    // of a string
	UTF8    bool   // a string is in UTF-8, and not in ASCII
	Text    bool   // a vlen is a string, and no sequence
	Ref     int    // the kind of reference
	Tag     string // of an opaque type
	Base    *Datatype
	Dims    []int // of an array
	Members []Component
	Names   []string // of an enum, and
	Values  []byte   // their values, of base.size bytes each
}

// A FloatLayout has the bit positions and sizes of the parts of a float.
type FloatLayout struct{ Sign, Exp, ExpBits, mant, MantBits, Bias, Norm int }

// A Component is a member of a compound.
type Component struct {
	Name   string
	Offset int
	Type   *Datatype
}

const (
	typeDepth   = 32      // the deepest nesting of datatypes
	typeMembers = 1 << 16 // members of a compound, as 16 bits can say
)

// ReadDatatype reads a datatype message.
func ReadDatatype(c *storage.Cursor) (*Datatype, error) {
	t := (&typeCursor{Cursor: c}).datatype(0)
	return t, c.Err
}

// A typeCursor takes datatypes, which may have others within.
type typeCursor struct {
	*storage.Cursor
	count int // of the datatypes that were taken
}

// datatype takes a datatype at a depth within others.
func (c *typeCursor) datatype(depth int) *Datatype {
	if c.count++; depth > typeDepth || c.count > typeMembers {
		c.Unsupported("datatypes within datatypes, more than %d deep or %d in all", typeDepth, typeMembers)
		return nil
	}
	head := c.U8()
	flags := int(c.Uint(3))
	size := c.U32()
	version := head >> 4
	t := &Datatype{Class: head & 15, Size: int(size)}
	if c.Err == nil && (version < 1 || version > 5) {
		c.Unsupported("datatypes of version %d", version)
	}
	if c.Err == nil && size > math.MaxInt32 {
		c.Unsupported("elements of %d bytes", size)
	}
	if c.Err != nil {
		return nil
	}
	switch t.Class {
	case ClassInt, ClassBitfield:
		t.Big, t.Signed = flags&1 != 0, flags&8 != 0 && t.Class == ClassInt
		t.Offset, t.Bits = c.U16(), c.U16()
	case ClassFloat:
		c.float(t, flags)
	case ClassTime:
		t.Big, t.Bits = flags&1 != 0, c.U16()
	case ClassString:
		t.Pad, t.UTF8 = flags&15, flags>>4&15 == 1
	case ClassOpaque:
		t.Tag = c.Text(min(flags&255, c.Left()))
	case ClassCompound:
		c.compound(t, version, flags&0xffff, depth)
	case ClassReference:
		t.Ref = flags & 15
	case ClassEnum:
		c.enum(t, version, flags&0xffff, depth)
	case ClassVlen:
		t.Text, t.Pad, t.UTF8 = flags&15 == 1, flags>>4&15, flags>>8&15 == 1
		t.Base = c.datatype(depth + 1)
	case ClassArray:
		c.array(t, version, depth)
	case ClassComplex:
		t.Base = c.datatype(depth + 1)
	default:
		c.Unsupported("datatypes of class %d", t.Class)
	}
	if c.Err == nil && t.Size == 0 {
		c.Fail("a datatype of 0 bytes")
	}
	if c.Err != nil {
		return nil
	}
	return t
}

// float takes the properties of a float.
func (c *typeCursor) float(t *Datatype, flags int) {
	t.Big, t.Vax = flags&1 != 0, flags&0x41 == 0x41
	t.Float.Norm, t.Float.Sign = flags>>4&3, flags>>8&255
	t.Offset, t.Bits = c.U16(), c.U16()
	t.Float.Exp, t.Float.ExpBits = c.U8(), c.U8()
	t.Float.mant, t.Float.MantBits = c.U8(), c.U8()
	t.Float.Bias = int(c.U32())
}

// compound takes n members.
func (c *typeCursor) compound(t *Datatype, version, n, depth int) {
	for range n {
		m := Component{Name: c.Name(version < 3)}
		var dims []int
		switch {
		case version == 1:
			m.Offset = int(c.U32())
			rank := c.U8()
			c.Skip(3 + 4 + 4)
			for i := range 4 {
				if d := c.U32(); i < rank {
					dims = append(dims, int(d))
				}
			}
		case version == 2:
			m.Offset = int(c.U32())
		default:
			m.Offset = int(c.Uint(storage.MinBytes(uint64(t.Size))))
		}
		m.Type = c.datatype(depth + 1)
		if c.Err != nil {
			return
		}
		if len(dims) > 0 {
			m.Type = c.arrayOf(m.Type, dims)
		}
		if c.Err == nil && (m.Offset < 0 || m.Offset > t.Size-m.Type.Size) {
			c.Fail("member %.40q ends after the %d bytes of the compound", m.Name, t.Size)
		}
		t.Members = append(t.Members, m)
	}
}

// enum takes the base and n names with their values.
func (c *typeCursor) enum(t *Datatype, version, n, depth int) {
	if t.Base = c.datatype(depth + 1); c.Err != nil {
		return
	}
	if t.Base.Class != ClassInt || t.Base.Size != t.Size {
		c.Fail("an enum of %d bytes over a type of class %d with %d bytes", t.Size, t.Base.Class, t.Base.Size)
		return
	}
	for range n {
		if t.Names = append(t.Names, c.Name(version < 3)); c.Err != nil {
			return
		}
	}
	t.Values = c.Bytes(n * t.Size)
}

// array takes an array type.
func (c *typeCursor) array(t *Datatype, version, depth int) {
	rank := c.U8()
	if version < 3 {
		c.Skip(3)
	}
	if c.Err == nil && rank > MaxRank {
		c.Fail("an array type of %d dimensions", rank)
	}
	for range rank {
		t.Dims = append(t.Dims, int(c.U32()))
	}
	if version < 3 {
		c.Skip(4 * min(rank, MaxRank)) // a permutation of the axes, which no library writes
	}
	if t.Base = c.datatype(depth + 1); c.Err != nil {
		return
	}
	size := t.Size
	if *t = *c.arrayOf(t.Base, t.Dims); c.Err == nil && t.Size != size {
		c.Fail("an array type of %d bytes, and its %v elements have %d", size, t.Dims, t.Size)
	}
}

// arrayOf returns an array type.
func (c *typeCursor) arrayOf(base *Datatype, dims []int) *Datatype {
	size := int64(base.Size)
	for _, n := range dims {
		if n < 0 || size > 0 && int64(n) > math.MaxInt32/size {
			c.Fail("an array type of %v elements of %d bytes", dims, base.Size)
			return base
		}
		size *= int64(n)
	}
	return &Datatype{Class: ClassArray, Size: int(size), Base: base, Dims: dims}
}

// Describe returns a datatype in words, for notes and errors.
func (t *Datatype) Describe() string {
	order := ""
	if t.Size > 1 {
		if order = "little-endian "; t.Big {
			order = "big-endian "
		}
	}
	switch t.Class {
	case ClassInt, ClassBitfield:
		name := map[bool]string{true: "signed", false: "unsigned"}[t.Signed]
		return fmt.Sprintf("%s%s integer of %d bits from bit %d of %d bytes", order, name, t.Bits, t.Offset, t.Size)
	case ClassFloat:
		if t.Vax {
			return fmt.Sprintf("VAX float of %d bits", t.Bits)
		}
		return fmt.Sprintf("%sfloat of %d bits with %d bits of exponent and %d of mantissa, in %d bytes", order, t.Bits, t.Float.ExpBits, t.Float.MantBits, t.Size)
	case ClassTime:
		return fmt.Sprintf("%stime of %d bits", order, t.Bits)
	}
	return strings.TrimSpace(fmt.Sprintf("datatype of class %d with %d bytes", t.Class, t.Size))
}

// Value returns an integer of at most 8 bytes, extended to 64 bits.
func (t *Datatype) Value(b []byte) uint64 {
	x := uint64(0)
	for i, v := range b {
		if t.Big {
			i = len(b) - 1 - i
		}
		x |= uint64(v) << (8 * i)
	}
	if t.Bits == 0 {
		return 0
	}
	x = x >> t.Offset << (64 - t.Bits)
	if t.Signed {
		return uint64(int64(x) >> (64 - t.Bits))
	}
	return x >> (64 - t.Bits)
}
