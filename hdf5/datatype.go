package hdf5

import (
	"fmt"
	"math"
	"strings"
)

// The classes of datatypes.
const (
	classInt = iota
	classFloat
	classTime
	classString
	classBitfield
	classOpaque
	classCompound
	classReference
	classEnum
	classVlen
	classArray
	classComplex
)

// The paddings of strings.
const (
	padTerm = iota
	padNUL
	padSpace
)

// A datatype is a datatype message, as the file has it.
type datatype struct {
	class   int
	size    int  // of an element in the file, in bytes
	big     bool // the byte order
	vax     bool
	signed  bool
	offset  int // of the first bit of a number, and
	bits    int // the number of bits
	float   floatLayout
	pad     int    // of a string
	utf8    bool   // a string is in UTF-8, and not in ASCII
	text    bool   // a vlen is a string, and no sequence
	ref     int    // the kind of reference
	tag     string // of an opaque type
	base    *datatype
	dims    []int // of an array
	members []component
	names   []string // of an enum, and
	values  []byte   // their values, of base.size bytes each
}

// A floatLayout says where the parts of a float are.
type floatLayout struct{ sign, exp, expBits, mant, mantBits, bias, norm int }

// A component is a member of a compound.
type component struct {
	name   string
	offset int
	t      *datatype
}

const (
	typeDepth   = 32      // the deepest nesting of datatypes
	typeMembers = 1 << 16 // members of a compound, as 16 bits can say
)

// datatype reads a datatype message.
func (f *file) datatype(c *cursor) (*datatype, error) {
	count := 0
	t := c.datatype(0, &count)
	return t, c.err
}

// datatype takes a datatype. count counts those within it.
func (c *cursor) datatype(depth int, count *int) *datatype {
	if *count++; depth > typeDepth || *count > typeMembers {
		c.unsupported("datatypes within datatypes, more than %d deep or %d in all", typeDepth, typeMembers)
		return nil
	}
	head := c.u8()
	flags := int(c.uint(3))
	size := c.u32()
	version := head >> 4
	t := &datatype{class: head & 15, size: int(size)}
	if c.err == nil && (version < 1 || version > 5) {
		c.unsupported("datatypes of version %d", version)
	}
	if c.err == nil && size > math.MaxInt32 {
		c.unsupported("elements of %d bytes", size)
	}
	if c.err != nil {
		return nil
	}
	switch t.class {
	case classInt, classBitfield:
		t.big, t.signed = flags&1 != 0, flags&8 != 0 && t.class == classInt
		t.offset, t.bits = c.u16(), c.u16()
	case classFloat:
		c.float(t, flags)
	case classTime:
		t.big, t.bits = flags&1 != 0, c.u16()
	case classString:
		t.pad, t.utf8 = flags&15, flags>>4&15 == 1
	case classOpaque:
		t.tag = c.text(min(flags&255, c.left()))
	case classCompound:
		c.compound(t, version, flags&0xffff, depth, count)
	case classReference:
		t.ref = flags & 15
	case classEnum:
		c.enum(t, version, flags&0xffff, depth, count)
	case classVlen:
		t.text, t.pad, t.utf8 = flags&15 == 1, flags>>4&15, flags>>8&15 == 1
		t.base = c.datatype(depth+1, count)
	case classArray:
		c.array(t, version, depth, count)
	case classComplex:
		t.base = c.datatype(depth+1, count)
	default:
		c.unsupported("datatypes of class %d", t.class)
	}
	if c.err == nil && t.size == 0 {
		c.fail("a datatype of 0 bytes")
	}
	if c.err != nil {
		return nil
	}
	return t
}

// float takes the properties of a float.
func (c *cursor) float(t *datatype, flags int) {
	t.big, t.vax = flags&1 != 0, flags&0x41 == 0x41
	t.float.norm, t.float.sign = flags>>4&3, flags>>8&255
	t.offset, t.bits = c.u16(), c.u16()
	t.float.exp, t.float.expBits = c.u8(), c.u8()
	t.float.mant, t.float.mantBits = c.u8(), c.u8()
	t.float.bias = int(c.u32())
}

// compound takes n members.
func (c *cursor) compound(t *datatype, version, n, depth int, count *int) {
	for range n {
		m := component{name: c.name(version < 3)}
		var dims []int
		switch {
		case version == 1:
			m.offset = int(c.u32())
			rank := c.u8()
			c.skip(3 + 4 + 4)
			for i := range 4 {
				if d := c.u32(); i < rank {
					dims = append(dims, int(d))
				}
			}
		case version == 2:
			m.offset = int(c.u32())
		default:
			m.offset = int(c.uint(minBytes(uint64(t.size))))
		}
		m.t = c.datatype(depth+1, count)
		if c.err != nil {
			return
		}
		if len(dims) > 0 {
			m.t = c.arrayOf(m.t, dims)
		}
		if c.err == nil && (m.offset < 0 || m.offset > t.size-m.t.size) {
			c.fail("member %.40q ends after the %d bytes of the compound", m.name, t.size)
		}
		t.members = append(t.members, m)
	}
}

// enum takes the base and n names with their values.
func (c *cursor) enum(t *datatype, version, n, depth int, count *int) {
	if t.base = c.datatype(depth+1, count); c.err != nil {
		return
	}
	if t.base.class != classInt || t.base.size != t.size {
		c.fail("an enum of %d bytes over a type of class %d with %d bytes", t.size, t.base.class, t.base.size)
		return
	}
	for range n {
		if t.names = append(t.names, c.name(version < 3)); c.err != nil {
			return
		}
	}
	t.values = c.bytes(n * t.size)
}

// array takes an array type.
func (c *cursor) array(t *datatype, version, depth int, count *int) {
	rank := c.u8()
	if version < 3 {
		c.skip(3)
	}
	if c.err == nil && rank > rankLimit {
		c.fail("an array type of %d dimensions", rank)
	}
	for range rank {
		t.dims = append(t.dims, int(c.u32()))
	}
	if version < 3 {
		c.skip(4 * min(rank, rankLimit)) // a permutation of the axes, which no library writes
	}
	if t.base = c.datatype(depth+1, count); c.err != nil {
		return
	}
	size := t.size
	if *t = *c.arrayOf(t.base, t.dims); c.err == nil && t.size != size {
		c.fail("an array type of %d bytes, and its %v elements have %d", size, t.dims, t.size)
	}
}

// arrayOf returns an array type.
func (c *cursor) arrayOf(base *datatype, dims []int) *datatype {
	size := int64(base.size)
	for _, n := range dims {
		if n < 0 || size > 0 && int64(n) > math.MaxInt32/size {
			c.fail("an array type of %v elements of %d bytes", dims, base.size)
			return base
		}
		size *= int64(n)
	}
	return &datatype{class: classArray, size: int(size), base: base, dims: dims}
}

// describe returns a datatype in words, for notes and errors.
func (t *datatype) describe() string {
	order := ""
	if t.size > 1 {
		if order = "little-endian "; t.big {
			order = "big-endian "
		}
	}
	switch t.class {
	case classInt, classBitfield:
		name := map[bool]string{true: "signed", false: "unsigned"}[t.signed]
		return fmt.Sprintf("%s%s integer of %d bits from bit %d of %d bytes", order, name, t.bits, t.offset, t.size)
	case classFloat:
		if t.vax {
			return fmt.Sprintf("VAX float of %d bits", t.bits)
		}
		return fmt.Sprintf("%sfloat of %d bits with %d bits of exponent and %d of mantissa, in %d bytes", order, t.bits, t.float.expBits, t.float.mantBits, t.size)
	case classTime:
		return fmt.Sprintf("%stime of %d bits", order, t.bits)
	}
	return strings.TrimSpace(fmt.Sprintf("datatype of class %d with %d bytes", t.class, t.size))
}
