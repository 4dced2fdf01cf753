package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
)

func plain(t dtype.Type, notes ...string) coding {
	return coding{DType: t, size: t.ItemSize(), plain: true, notes: notes}
}

// raw returns the coding of elements that NumPy has no type for: as bytes, with a note of their type.
func raw(t *structure.Datatype, note string) coding { return plain(dtype.Void(t.Size), note) }

func ordered(t dtype.Type, big bool) dtype.Type {
	if big {
		return t.WithByteOrder(dtype.BigEndian)
	}
	return t.WithByteOrder(dtype.LittleEndian)
}

// codingOf returns the coding of a datatype.
func codingOf(t *structure.Datatype, f *File) (coding, error) {
	switch t.Class {
	case structure.ClassInt, structure.ClassBitfield:
		return intCoding(t), nil
	case structure.ClassFloat:
		if c, ok := floatCoding(t); ok {
			return c, nil
		}
		return raw(t, t.Describe()), nil
	case structure.ClassTime:
		return raw(t, t.Describe()), nil
	case structure.ClassString:
		return stringCoding(t), nil
	case structure.ClassOpaque:
		return opaqueCoding(t), nil
	case structure.ClassCompound:
		return compoundCoding(t, f)
	case structure.ClassReference:
		return referenceCoding(t, f), nil
	case structure.ClassEnum:
		return enumCoding(t), nil
	case structure.ClassVlen:
		return vlenCoding(t, f)
	case structure.ClassArray:
		return arrayCoding(t, f)
	case structure.ClassComplex:
		if c, ok := complexOf(t.Base, t.Size); ok {
			return c, nil
		}
		return raw(t, "complex of two: "+t.Base.Describe()), nil
	}
	return coding{}, errors.New(t.Describe())
}

// intCoding codes integers and bit fields. Sizes that NumPy lacks are widened.
func intCoding(t *structure.Datatype) coding {
	if t.Size > 8 || t.Bits > 8*t.Size || t.Offset > 8*t.Size-t.Bits {
		return raw(t, t.Describe())
	}
	kinds := [...]dtype.Type{dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64}
	if t.Signed {
		kinds = [...]dtype.Type{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64}
	}
	kind := kinds[bits.Len(uint(t.Size-1))] // of 1, 2, 4 or 8 bytes
	if t.Bits == 8*kind.ItemSize() {
		return plain(ordered(kind, t.Big))
	}
	return coding{DType: ordered(kind, false), size: t.Size, notes: []string{t.Describe()}, put: func(dst, src []byte) {
		x := t.Value(src)
		for i := range dst {
			dst[i] = byte(x >> (8 * i))
		}
	}}
}

// ieee are the layouts of the floats that NumPy has, by their bits. The norm of the last is 0: its highest bit of the
// mantissa is stored.
var ieee = map[int]structure.FloatLayout{
	16: {Sign: 15, Exp: 10, ExpBits: 5, MantBits: 10, Bias: 15, Norm: 2},
	32: {Sign: 31, Exp: 23, ExpBits: 8, MantBits: 23, Bias: 127, Norm: 2},
	64: {Sign: 63, Exp: 52, ExpBits: 11, MantBits: 52, Bias: 1023, Norm: 2},
	80: {Sign: 79, Exp: 64, ExpBits: 15, MantBits: 64, Bias: 16383},
}

// floatCoding codes the floats that NumPy has.
func floatCoding(t *structure.Datatype) (coding, bool) {
	layout := t.Float
	if t.Bits == 80 && layout.Norm == 1 {
		layout.Norm = 0 // "always set" means the same
	}
	if t.Vax || t.Offset != 0 || ieee[t.Bits] != layout {
		return smallCoding(t, layout)
	}
	switch {
	case t.Bits == 16 && t.Size == 2:
		return plain(ordered(dtype.Float16, t.Big)), true
	case t.Bits == 32 && t.Size == 4:
		return plain(ordered(dtype.Float32, t.Big)), true
	case t.Bits == 64 && t.Size == 8:
		return plain(ordered(dtype.Float64, t.Big)), true
	case t.Bits == 80 && t.Size >= 10 && t.Size <= 16:
		wide := ordered(dtype.LongDouble, t.Big)
		if t.Size == 16 {
			return plain(wide), true
		}
		if t.Big { // NumPy reverses the whole item
			return coding{DType: wide, size: t.Size, put: func(dst, src []byte) { clear(dst[:6]); copy(dst[6:], src[len(src)-10:]) }}, true
		}
		return coding{DType: wide, size: t.Size, put: func(dst, src []byte) { clear(dst[copy(dst, src[:10]):]) }}, true
	}
	return coding{}, false
}

// smallCoding codes the floats of ml_dtypes. HDF5 2 has bfloat16 and others.
func smallCoding(t *structure.Datatype, layout structure.FloatLayout) (coding, bool) {
	for _, name := range []string{"bfloat16", "float8_e5m2", "float8_e4m3", "float8_e3m4"} {
		f := structure.FloatForms[name]
		same := structure.FloatLayout{Sign: f.Precision - 1, Exp: f.Mantissa, ExpBits: f.Exponent, MantBits: f.Mantissa, Bias: int(f.Bias), Norm: 2}
		if !t.Vax && (!t.Big || t.Size == 1) && t.Offset == 0 && t.Size == f.Size && t.Bits == f.Precision && layout == same {
			small, err := dtype.Parse(name)
			if t.Size == 1 {
				small = ordered(small, t.Big) // the descr <f1 has an order
			}
			return plain(small), err == nil
		}
	}
	return coding{}, false
}

// complexOf returns the coding of two floats in size bytes.
func complexOf(t *structure.Datatype, size int) (coding, bool) {
	if t.Class != structure.ClassFloat || size != 2*t.Size {
		return coding{}, false
	}
	part, ok := floatCoding(t)
	if !ok || !part.plain {
		return coding{}, false
	}
	switch t.Size {
	case 2:
		half, err := dtype.Parse("complex32")
		return plain(ordered(half, t.Big)), err == nil && part.DType.Name() == dtype.Float16.Name()
	case 4:
		return plain(ordered(dtype.Complex64, t.Big)), true
	case 8:
		return plain(ordered(dtype.Complex128, t.Big)), true
	case 16:
		return plain(ordered(dtype.LongComplex, t.Big)), true
	}
	return coding{}, false
}

// stringCoding codes strings of fixed length. NumPy pads them with NULs, so whatever follows the first NUL of a
// terminated string is cleared, and spaces at the end of a string padded with them.
func stringCoding(t *structure.Datatype) coding {
	c := coding{DType: dtype.Bytes(t.Size), size: t.Size}
	if t.UTF8 {
		c.meaning = &container.Meaning{Charset: container.UTF8}
	}
	switch t.Pad {
	case structure.PadTerm:
		c.put = func(dst, src []byte) {
			n := copy(dst, src)
			if i := slices.Index(src, 0); i >= 0 {
				n = i
			}
			clear(dst[n:])
		}
	case structure.PadSpace:
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

// opaqueCoding codes opaque elements: h5py tags elements whose dtype HDF5 lacks.
func opaqueCoding(t *structure.Datatype) coding {
	if text, ok := strings.CutPrefix(t.Tag, "NUMPY:"); ok {
		if u, err := dtype.Parse(text); err == nil && u.ItemSize() == t.Size && !u.HasObject() && !u.IsSubarray() {
			return plain(u)
		}
	}
	if name, ok := strings.CutPrefix(t.Tag, structure.TagMLDtypes); ok {
		if u, err := dtype.Parse(name); err == nil && u.ItemSize() == t.Size && structure.IsMLName(u) && u.Kind() == dtype.KindVoid && !u.IsStruct() {
			return plain(u)
		}
	}
	if t.Tag == "" {
		return plain(dtype.Void(t.Size))
	}
	return raw(t, fmt.Sprintf("opaque: %.80q", t.Tag))
}

// enumCoding codes an enum: bool, or its base with the names in a note.
func enumCoding(t *structure.Datatype) coding {
	c := intCoding(t.Base)
	values := map[string]string{}
	var all []string
	for i, name := range t.Names {
		text := intText(t.Base, t.Values[i*t.Size:(i+1)*t.Size])
		values[name] = text
		all = append(all, structure.ToText(name)+"="+text)
	}
	if len(values) == 2 && t.Size == 1 && values["FALSE"] == "0" && values["TRUE"] == "1" {
		return plain(dtype.Bool)
	}
	const most = 32
	note := "enum: " + strings.Join(all[:min(len(all), most)], ", ")
	if len(all) > most {
		note += fmt.Sprintf(", … (%d in all)", len(all))
	}
	c.notes = append(c.notes, note)
	c.meaning = enumMeaning(t, c.DType)
	return c
}

// enumMeaning returns the names of an enum whose elements have a dtype.
func enumMeaning(t *structure.Datatype, to dtype.Type) *container.Meaning {
	if to.Kind() == dtype.KindVoid {
		return nil
	}
	m := &container.Meaning{}
	for i, name := range t.Names {
		m.Enum = append(m.Enum, container.EnumMember{Name: structure.ToText(name), Value: int64(t.Base.Value(t.Values[i*t.Size : (i+1)*t.Size]))})
	}
	return m
}

// intText returns an integer as text.
func intText(t *structure.Datatype, b []byte) string {
	switch {
	case intCoding(t).DType.Kind() == dtype.KindVoid:
		return fmt.Sprintf("%x", b)
	case t.Signed:
		return fmt.Sprint(int64(t.Value(b)))
	}
	return fmt.Sprint(t.Value(b))
}

// compoundCoding codes a compound: complex numbers, or a struct. NumPy's fields are in the order of their offsets.
func compoundCoding(t *structure.Datatype, f *File) (coding, error) {
	if c, ok := complexCoding(t); ok {
		return c, nil
	}
	c := coding{size: t.Size, plain: true}
	members := slices.Clone(t.Members)
	slices.SortStableFunc(members, func(a, b structure.Component) int { return cmp.Compare(a.Offset, b.Offset) })
	end := 0
	for _, m := range members {
		x, err := codingOf(m.Type, f)
		if err != nil {
			return c, fmt.Errorf("member %.40q: %w", m.Name, err)
		}
		if m.Offset < end {
			return c, fmt.Errorf("member %.40q begins before the end of another: %w", m.Name, errors.ErrUnsupported)
		}
		end = m.Offset + m.Type.Size
		c.plain = c.plain && x.plain
		name := structure.ToText(m.Name)
		for _, note := range x.notes {
			c.notes = append(c.notes, name+": "+note)
		}
		if !x.meaning.IsZero() {
			if c.meaning == nil {
				c.meaning = &container.Meaning{Fields: map[string]*container.Meaning{}}
			}
			c.meaning.Fields[name] = x.meaning
		}
		c.fields = append(c.fields, codedField{coding: x, name: name, offset: m.Offset, to: m.Offset})
	}
	size, to := t.Size, 0
	var fields []dtype.Field
	for i := range c.fields {
		x := &c.fields[i]
		if !c.plain {
			x.to, size = to, -1
			to += x.DType.ItemSize()
		}
		fields = append(fields, dtype.Field{Name: x.name, DType: x.DType, Offset: x.to})
	}
	var err error
	c.DType, err = dtype.Struct(size, fields...)
	return c, err
}

// complexCoding codes a compound of a real and an imaginary part.
func complexCoding(t *structure.Datatype) (coding, bool) {
	if len(t.Members) != 2 || t.Members[0].Type.Describe() != t.Members[1].Type.Describe() {
		return coding{}, false
	}
	re, im := t.Members[0], t.Members[1]
	switch re.Name + " " + im.Name {
	case "r i", "real imag", "re im", "real imaginary", "Real Imag":
		if re.Offset == 0 && im.Offset == re.Type.Size {
			return complexOf(re.Type, t.Size)
		}
	}
	return coding{}, false
}

// arrayCoding codes an array type.
func arrayCoding(t *structure.Datatype, f *File) (coding, error) {
	elem, err := codingOf(t.Base, f)
	if err != nil {
		return coding{}, err
	}
	c := coding{size: t.Size, plain: elem.plain, elem: &elem, dims: t.Dims, notes: elem.notes, meaning: elem.meaning}
	base, dims := elem.DType, t.Dims
	if base.IsSubarray() { // of an array of arrays, whose dimensions follow each other
		base, dims = base.Elem(), append(slices.Clone(dims), base.SubShape()...)
	}
	c.DType, err = dtype.Subarray(base, dims...)
	return c, err
}

// vlenCoding codes strings and sequences of variable length.
func vlenCoding(t *structure.Datatype, f *File) (coding, error) {
	c := coding{DType: dtype.Object, size: t.Size}
	if t.Size != 4+f.OffsetSize+4 {
		return c, fmt.Errorf("elements of variable length take %d bytes, not %d", 8+f.OffsetSize, t.Size)
	}
	if t.Text {
		if !t.UTF8 {
			c.meaning = &container.Meaning{Charset: container.ASCII}
		}
		c.get = func(_ context.Context, r *structure.Reading, src []byte) (any, error) { return r.Text(src, t.Pad) }
		c.text = func(r *structure.Reading, src []byte) (string, error) { return r.Text(src, t.Pad) }
		return c, nil
	}
	base, err := codingOf(t.Base, f)
	if err != nil {
		return c, err
	}
	c.notes = append([]string{"sequences of " + base.DType.Descr()}, base.notes...)
	c.get = func(ctx context.Context, r *structure.Reading, src []byte) (any, error) {
		b, n, err := r.Sequence(src, base.size)
		if err != nil {
			return nil, err
		}
		return base.Array(ctx, r, b, []int{n})
	}
	return c, nil
}

// referenceCoding codes references as the paths of their objects.
func referenceCoding(t *structure.Datatype, f *File) coding {
	c := coding{DType: dtype.Object, size: t.Size}
	switch {
	case t.Ref == 0 && t.Size == f.OffsetSize:
		c.notes, c.meaning = []string{"object reference"}, &container.Meaning{Reference: container.ObjectReference}
		c.get = func(_ context.Context, r *structure.Reading, src []byte) (any, error) {
			at := (&storage.Cursor{In: f.Input, Data: src}).Address()
			return f.pathOf(at)
		}
	case t.Ref == 1 && t.Size == f.OffsetSize+4:
		c.notes, c.meaning = []string{"region reference"}, &container.Meaning{Reference: container.RegionReference}
		c.get = func(_ context.Context, r *structure.Reading, src []byte) (any, error) {
			x := &storage.Cursor{In: f.Input, Data: src}
			p := structure.Place{Count: 1, Collection: x.Address(), Number: x.U32()}
			if p.IsNone() {
				return nil, nil
			}
			g, e, err := r.Object(p)
			if err != nil {
				return nil, err
			}
			x = &storage.Cursor{In: f.Input, What: "region reference", At: p.Collection, Data: g.Bytes[e.At : e.At+e.N]}
			if at := x.Address(); x.Err == nil {
				return f.pathOf(at)
			}
			return nil, x.Err
		}
	default:
		return raw(t, fmt.Sprintf("reference of type %d", t.Ref))
	}
	return c
}
