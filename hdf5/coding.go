package hdf5

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/escape"
)

// A coding is how the elements of a datatype become elements of NumPy. Most are the same bytes. A coding that is not
// plain has one of put, get, elem and fields.
type coding struct {
	t     dtype.Type // in NumPy; a subarray for an array type
	size  int        // in the file, in bytes
	plain bool       // the bytes are the same

	put    func(dst, src []byte)                        // converts one element without objects
	get    func(r *reading, src []byte) (any, error)    // makes the object of one element
	text   func(r *reading, src []byte) (string, error) // the same, if all objects are strings
	elem   *coding                                      // of an array type
	dims   []int                                        // its shape
	fields []codedField                                 // of a compound
	notes  []string                                     // what the dtype does not say

	meaning *container.Meaning // what the dtype does not say, as data
}

// A codedField is a member of a compound.
type codedField struct {
	coding
	name   string
	offset int // in the element of the file
	to     int // in the element of NumPy
}

func plain(t dtype.Type, notes ...string) coding {
	return coding{t: t, size: t.ItemSize(), plain: true, notes: notes}
}

// raw returns the coding of elements that NumPy has no type for: as bytes, with a note of what they are.
func raw(t *datatype, note string) coding { return plain(dtype.Void(t.size), note) }

func ordered(t dtype.Type, big bool) dtype.Type {
	if big {
		return t.WithByteOrder(dtype.BigEndian)
	}
	return t.WithByteOrder(dtype.LittleEndian)
}

// coding returns the coding of a datatype.
func (t *datatype) coding(f *file) (coding, error) {
	switch t.class {
	case classInt, classBitfield:
		return t.intCoding(), nil
	case classFloat:
		if c, ok := t.floatCoding(); ok {
			return c, nil
		}
		return raw(t, t.describe()), nil
	case classTime:
		return raw(t, t.describe()), nil
	case classString:
		return t.stringCoding(), nil
	case classOpaque:
		return t.opaqueCoding(), nil
	case classCompound:
		return t.compoundCoding(f)
	case classReference:
		return t.referenceCoding(f), nil
	case classEnum:
		return t.enumCoding(), nil
	case classVlen:
		return t.vlenCoding(f)
	case classArray:
		return t.arrayCoding(f)
	case classComplex:
		if c, ok := complexOf(t.base, t.size); ok {
			return c, nil
		}
		return raw(t, "complex of two: "+t.base.describe()), nil
	}
	return coding{}, errors.New(t.describe())
}

// intCoding is that of integers and bit fields. Those of other sizes than NumPy's are widened.
func (t *datatype) intCoding() coding {
	if t.size > 8 || t.bits > 8*t.size || t.offset > 8*t.size-t.bits {
		return raw(t, t.describe())
	}
	kinds := [...]dtype.Type{dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64}
	if t.signed {
		kinds = [...]dtype.Type{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64}
	}
	kind := kinds[bits.Len(uint(t.size-1))] // of 1, 2, 4 or 8 bytes
	if t.bits == 8*kind.ItemSize() {
		return plain(ordered(kind, t.big))
	}
	return coding{t: ordered(kind, false), size: t.size, notes: []string{t.describe()}, put: func(dst, src []byte) {
		x := t.value(src)
		for i := range dst {
			dst[i] = byte(x >> (8 * i))
		}
	}}
}

// value returns an integer of at most 8 bytes, extended to 64 bits.
func (t *datatype) value(b []byte) uint64 {
	x := uint64(0)
	for i, v := range b {
		if t.big {
			i = len(b) - 1 - i
		}
		x |= uint64(v) << (8 * i)
	}
	if t.bits == 0 {
		return 0
	}
	x = x >> t.offset << (64 - t.bits)
	if t.signed {
		return uint64(int64(x) >> (64 - t.bits))
	}
	return x >> (64 - t.bits)
}

// ieee are the layouts of the floats that NumPy has, by their bits. The norm of the last is 0: its highest bit of the
// mantissa is stored.
var ieee = map[int]floatLayout{
	16: {sign: 15, exp: 10, expBits: 5, mantBits: 10, bias: 15, norm: 2},
	32: {sign: 31, exp: 23, expBits: 8, mantBits: 23, bias: 127, norm: 2},
	64: {sign: 63, exp: 52, expBits: 11, mantBits: 52, bias: 1023, norm: 2},
	80: {sign: 79, exp: 64, expBits: 15, mantBits: 64, bias: 16383},
}

// floatCoding is that of the floats that NumPy has.
func (t *datatype) floatCoding() (coding, bool) {
	layout := t.float
	if t.bits == 80 && layout.norm == 1 {
		layout.norm = 0 // "always set" says the same
	}
	if t.vax || t.offset != 0 || ieee[t.bits] != layout {
		return t.smallCoding(layout)
	}
	switch {
	case t.bits == 16 && t.size == 2:
		return plain(ordered(dtype.Float16, t.big)), true
	case t.bits == 32 && t.size == 4:
		return plain(ordered(dtype.Float32, t.big)), true
	case t.bits == 64 && t.size == 8:
		return plain(ordered(dtype.Float64, t.big)), true
	case t.bits == 80 && t.size >= 10 && t.size <= 16:
		wide := ordered(dtype.LongDouble, t.big)
		if t.size == 16 {
			return plain(wide), true
		}
		if t.big { // NumPy reverses the whole item
			return coding{t: wide, size: t.size, put: func(dst, src []byte) { clear(dst[:6]); copy(dst[6:], src[len(src)-10:]) }}, true
		}
		return coding{t: wide, size: t.size, put: func(dst, src []byte) { clear(dst[copy(dst, src[:10]):]) }}, true
	}
	return coding{}, false
}

// smallCoding is that of the floats of ml_dtypes. HDF5 2 has bfloat16 and others.
func (t *datatype) smallCoding(layout floatLayout) (coding, bool) {
	for _, name := range []string{"bfloat16", "float8_e5m2", "float8_e4m3", "float8_e3m4"} {
		f := floatForms[name]
		same := floatLayout{sign: f.precision - 1, exp: f.mantissa, expBits: f.exponent, mantBits: f.mantissa, bias: int(f.bias), norm: 2}
		if !t.vax && (!t.big || t.size == 1) && t.offset == 0 && t.size == f.size && t.bits == f.precision && layout == same {
			small, err := dtype.Parse(name)
			if t.size == 1 {
				small = ordered(small, t.big) // the descr <f1 has an order
			}
			return plain(small), err == nil
		}
	}
	return coding{}, false
}

// complexOf returns the coding of two floats in size bytes.
func complexOf(t *datatype, size int) (coding, bool) {
	if t.class != classFloat || size != 2*t.size {
		return coding{}, false
	}
	part, ok := t.floatCoding()
	if !ok || !part.plain {
		return coding{}, false
	}
	switch t.size {
	case 2:
		half, err := dtype.Parse("complex32")
		return plain(ordered(half, t.big)), err == nil && part.t.Name() == dtype.Float16.Name()
	case 4:
		return plain(ordered(dtype.Complex64, t.big)), true
	case 8:
		return plain(ordered(dtype.Complex128, t.big)), true
	case 16:
		return plain(ordered(dtype.LongComplex, t.big)), true
	}
	return coding{}, false
}

// stringCoding is that of strings of fixed length. NumPy pads them with NULs, so whatever follows the first NUL of a
// terminated string is cleared, and spaces at the end of a string padded with them.
func (t *datatype) stringCoding() coding {
	c := coding{t: dtype.Bytes(t.size), size: t.size}
	if t.utf8 {
		c.meaning = &container.Meaning{Charset: container.UTF8}
	}
	switch t.pad {
	case padTerm:
		c.put = func(dst, src []byte) {
			n := copy(dst, src)
			if i := slices.Index(src, 0); i >= 0 {
				n = i
			}
			clear(dst[n:])
		}
	case padSpace:
		c.put = func(dst, src []byte) {
			n := len(src)
			for n > 0 && src[n-1] == ' ' {
				n--
			}
			clear(dst[copy(dst, src[:n]):])
		}
	default:
		c.plain = true
	}
	return c
}

// opaqueCoding is that of opaque elements: h5py tags those with a dtype of NumPy that HDF5 lacks.
func (t *datatype) opaqueCoding() coding {
	if text, ok := strings.CutPrefix(t.tag, "NUMPY:"); ok {
		if u, err := dtype.Parse(text); err == nil && u.ItemSize() == t.size && !u.HasObject() && !u.IsSubarray() {
			return plain(u)
		}
	}
	if name, ok := strings.CutPrefix(t.tag, tagMLDtypes); ok {
		if u, err := dtype.Parse(name); err == nil && u.ItemSize() == t.size && isMLName(u) && u.Kind() == dtype.KindVoid && !u.IsStruct() {
			return plain(u)
		}
	}
	if t.tag == "" {
		return plain(dtype.Void(t.size))
	}
	return raw(t, fmt.Sprintf("opaque: %.80q", t.tag))
}

// enumCoding is that of an enum: bool, or its base with the names in a note.
func (t *datatype) enumCoding() coding {
	c := t.base.intCoding()
	values := map[string]string{}
	var all []string
	for i, name := range t.names {
		text := intText(t.base, t.values[i*t.size:(i+1)*t.size])
		values[name] = text
		all = append(all, toText(name)+"="+text)
	}
	if len(values) == 2 && t.size == 1 && values["FALSE"] == "0" && values["TRUE"] == "1" {
		return plain(dtype.Bool)
	}
	const most = 32
	note := "enum: " + strings.Join(all[:min(len(all), most)], ", ")
	if len(all) > most {
		note += fmt.Sprintf(", … (%d in all)", len(all))
	}
	c.notes = append(c.notes, note)
	c.meaning = t.enumMeaning(c.t)
	return c
}

// enumMeaning returns the names of an enum whose elements have a dtype.
func (t *datatype) enumMeaning(to dtype.Type) *container.Meaning {
	if to.Kind() == dtype.KindVoid {
		return nil
	}
	m := &container.Meaning{}
	for i, name := range t.names {
		m.Enum = append(m.Enum, container.EnumMember{Name: toText(name), Value: int64(t.base.value(t.values[i*t.size : (i+1)*t.size]))})
	}
	return m
}

// intText returns an integer as text.
func intText(t *datatype, b []byte) string {
	switch {
	case t.intCoding().t.Kind() == dtype.KindVoid:
		return fmt.Sprintf("%x", b)
	case t.signed:
		return fmt.Sprint(int64(t.value(b)))
	}
	return fmt.Sprint(t.value(b))
}

// compoundCoding is that of a compound: complex numbers, or a struct. NumPy's fields are in the order of their offsets.
func (t *datatype) compoundCoding(f *file) (coding, error) {
	if c, ok := t.complexCoding(); ok {
		return c, nil
	}
	c := coding{size: t.size, plain: true}
	members := slices.Clone(t.members)
	slices.SortStableFunc(members, func(a, b component) int { return cmp.Compare(a.offset, b.offset) })
	end := 0
	for _, m := range members {
		x, err := m.t.coding(f)
		if err != nil {
			return c, fmt.Errorf("member %.40q: %w", m.name, err)
		}
		if m.offset < end {
			return c, fmt.Errorf("member %.40q begins before the end of another: %w", m.name, errors.ErrUnsupported)
		}
		end = m.offset + m.t.size
		c.plain = c.plain && x.plain
		name := toText(m.name)
		for _, note := range x.notes {
			c.notes = append(c.notes, name+": "+note)
		}
		if !x.meaning.IsZero() {
			if c.meaning == nil {
				c.meaning = &container.Meaning{Fields: map[string]*container.Meaning{}}
			}
			c.meaning.Fields[name] = x.meaning
		}
		c.fields = append(c.fields, codedField{coding: x, name: name, offset: m.offset, to: m.offset})
	}
	size, to := t.size, 0
	var fields []dtype.Field
	for i := range c.fields {
		x := &c.fields[i]
		if !c.plain {
			x.to, size = to, -1
			to += x.t.ItemSize()
		}
		fields = append(fields, dtype.Field{Name: x.name, DType: x.t, Offset: x.to})
	}
	var err error
	c.t, err = dtype.Struct(size, fields...)
	return c, err
}

// complexCoding is that of a compound of a real and an imaginary part.
func (t *datatype) complexCoding() (coding, bool) {
	if len(t.members) != 2 || t.members[0].t.describe() != t.members[1].t.describe() {
		return coding{}, false
	}
	re, im := t.members[0], t.members[1]
	switch re.name + " " + im.name {
	case "r i", "real imag", "re im", "real imaginary", "Real Imag":
		if re.offset == 0 && im.offset == re.t.size {
			return complexOf(re.t, t.size)
		}
	}
	return coding{}, false
}

// arrayCoding is that of an array type.
func (t *datatype) arrayCoding(f *file) (coding, error) {
	elem, err := t.base.coding(f)
	if err != nil {
		return coding{}, err
	}
	c := coding{size: t.size, plain: elem.plain, elem: &elem, dims: t.dims, notes: elem.notes, meaning: elem.meaning}
	base, dims := elem.t, t.dims
	if base.IsSubarray() { // of an array of arrays, whose dimensions follow each other
		base, dims = base.Elem(), append(slices.Clone(dims), base.SubShape()...)
	}
	c.t, err = dtype.Subarray(base, dims...)
	return c, err
}

// toText returns a name of the file as text, with escapes for what is not UTF-8.
func toText(name string) string {
	if isPlain(name) {
		return name
	}
	return string(escape.AppendBytes(nil, []byte(name)))
}

// isPlain reports whether text stands for itself: it is UTF-8, and has no backslash that may look like an escape.
func isPlain(text string) bool { return strings.IndexByte(text, '\\') < 0 && utf8.ValidString(text) }
