package objects

import (
	"math"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/pickle"
)

// A maskedMark stands for a masked element, and prints as --.
type maskedMark struct{}

// String returns the text of a masked element in NumPy.
func (maskedMark) String() string { return "--" }

// masked returns the repr of a masked array (MaskedArray.__repr__).
func (p *printer) masked(m *MaskedArray, limit int) string {
	if m.check() != nil || limit <= 0 {
		return "masked_array(...)"
	}
	data, err := p.marked(m.Data, m.Mask)
	if err != nil {
		return "masked_array(...)"
	}
	if g, ok := m.class.(*pickle.Global); ok && g.Name == "mvoid" {
		return string(p.AppendText(nil, data, "", limit))
	}
	keys := []string{"data", "mask", "fill_value"}
	t := m.Data.DType()
	if !isImplied(t) || m.Data.Size() == 0 || allMasked(m.Mask) {
		keys = append(keys, "dtype")
	}
	prefix := "masked_array("
	indents := map[string]string{"data": prefix}
	for _, k := range keys[1:] {
		indents[k] = strings.Repeat(" ", max(2, len(prefix+"data")-len(k)))
	}
	if !isRow(m.Data.Shape()) {
		for _, k := range keys {
			indents[k] = "  "
		}
		prefix += "\n"
	} else {
		prefix = ""
	}
	texts := map[string]string{
		"data":       string(p.AppendText(nil, data, indents["data"]+"data=", limit/4)),
		"mask":       string(p.AppendText(nil, m.Mask, indents["mask"]+"mask=", limit/4)),
		"fill_value": p.fill(m, limit/4),
		"dtype":      p.dtypeName(m),
	}
	lines := make([]string, len(keys))
	for i, k := range keys {
		lines[i] = indents[k] + k + "=" + texts[k]
	}
	return prefix + strings.Join(lines, ",\n") + ")"
}

// isRow reports whether all dimensions but the last are 1.
func isRow(shape []int) bool {
	for i := range len(shape) - 1 {
		if shape[i] != 1 {
			return false
		}
	}
	return true
}

// isImplied reports whether the text of the elements shows their dtype.
func isImplied(t dtype.Type) bool {
	return t.Equal(dtype.Bool) || t.Equal(dtype.Int64) || t.Equal(dtype.Float64) || t.Equal(dtype.Complex128)
}

// allMasked reports whether every element, and every field of it, is masked.
func allMasked(mask *npy.Array) bool {
	for _, b := range mask.Bytes() {
		if b == 0 {
			return false
		}
	}
	return true
}

// marked returns the elements as objects, with marks for masked elements.
func (p *printer) marked(data, mask *npy.Array) (*npy.Array, error) {
	t, err := objectType(data.DType())
	if err != nil {
		return nil, err
	}
	c, err := npy.NewObjects(t, printedShape(data.Shape())...)
	if err != nil {
		return nil, err
	}
	return c.WithOrigin(&origin{}), mark(c, data, mask)
}

// printedShape returns the shape of the elements to print: the first and the last of a long axis
// (_insert_masked_print).
func printedShape(shape []int) []int {
	most := 100
	if len(shape) == 1 {
		most = 1500
	}
	shape = slices.Clone(shape)
	for i, n := range shape {
		shape[i] = min(n, most)
	}
	return shape
}

// place sets index to the position in the whole array of the element at at; the whole has the middle of its long axes.
func place(index, at, shape, cut []int) {
	for i, n := range at {
		index[i] = n
		if n >= cut[i]/2 {
			index[i] += shape[i] - cut[i]
		}
	}
}

// objectType returns a dtype with objects in place of all plain parts.
func objectType(t dtype.Type) (dtype.Type, error) {
	switch {
	case t.IsSubarray():
		elem, err := objectType(t.Elem())
		if err != nil {
			return t, err
		}
		return dtype.Subarray(elem, t.SubShape()...)
	case !t.IsStruct():
		return dtype.Object, nil
	}
	fields, end := t.Fields(), 0
	for i := range fields {
		ft, err := objectType(fields[i].DType)
		if err != nil {
			return t, err
		}
		fields[i].DType, fields[i].Offset = ft, end
		end += ft.ItemSize()
	}
	return dtype.Struct(end, fields...)
}

// mark fills an array of objects with the elements of data, or marks.
func mark(c, data, mask *npy.Array) error {
	if data.DType().IsStruct() {
		for _, f := range data.DType().Fields() {
			a, err1 := c.Field(f.Name)
			b, err2 := data.Field(f.Name)
			m, err3 := mask.Field(f.Name)
			for _, err := range []error{err1, err2, err3} {
				if err != nil {
					return err
				}
			}
			if err := mark(a, b, m); err != nil {
				return err
			}
		}
		return nil
	}
	part, err := newPart(data, nil, nil)
	if err != nil {
		return err
	}
	shape, cut := data.Shape(), c.Shape()
	index := make([]int, len(shape))
	for at := range indices(cut) {
		place(index, at, shape, cut)
		if mask.Item(index...)[0] != 0 {
			c.SetObject(maskedMark{}, at...)
			continue
		}
		v, err := part.getOne(index)
		if err != nil {
			return err
		}
		c.SetObject(v, at...)
	}
	return nil
}

// fill returns the text of the fill value.
func (p *printer) fill(m *MaskedArray, limit int) string {
	t := m.Data.DType()
	a, ok := m.FillValue.(*npy.Array)
	if !ok || a.NDim() != 0 {
		if a = standardFill(t); a == nil {
			return "?"
		}
	}
	if a.DType().Kind() == dtype.KindObject {
		return string(p.append(nil, a.Object(), limit))
	}
	s, err := NewScalar(a)
	if err != nil {
		return "?"
	}
	kind := a.DType().Kind()
	switch {
	case p.isNumPy1():
		return p.scalar(s, limit)
	case (kind == dtype.KindBytes || kind == dtype.KindStr) && t.Kind() == kind:
		v, _ := s.Value()
		return string(p.append(nil, v, limit))
	case !a.DType().Equal(t.WithByteOrder(dtype.NativeEndian)) && !a.DType().Equal(t):
		return p.scalar(s, limit)
	case t.IsStruct():
		return p.element(a, limit)
	}
	return p.str(s)
}

// standardFill returns the fill value of a dtype (default_fill_value), nil if it has none. For numbers it has the dtype
// of Python's int, float or complex.
func standardFill(t dtype.Type) *npy.Array {
	switch t.Kind() {
	case dtype.KindInt:
		t = dtype.Int64
	case dtype.KindUint:
		t = dtype.Uint64
	case dtype.KindFloat:
		t = dtype.Float64
	case dtype.KindComplex:
		t = dtype.Complex128
	}
	return fillOf(t)
}

// fillOf returns the fill value of a dtype as an element of it, nil if it has none.
func fillOf(t dtype.Type) *npy.Array {
	native := t.WithByteOrder(dtype.NativeEndian)
	var item []byte
	switch kind := t.Kind(); {
	case t.IsStruct():
		item = make([]byte, t.ItemSize())
		for _, f := range t.Fields() {
			fill := fillOf(f.DType)
			if fill == nil || fill.DType().ItemSize() != f.DType.ItemSize() {
				return nil
			}
			copy(item[f.Offset:], fill.Bytes())
		}
		native = t
	case kind == dtype.KindBytes:
		native, item = dtype.Bytes(3), []byte("N/A")
	case kind == dtype.KindVoid:
		native, item = dtype.Void(3), []byte("???")
	case kind == dtype.KindStr, kind == dtype.KindObject:
		text := "N/A"
		if kind == dtype.KindObject {
			text = "?"
		}
		a, _ := npy.FromSlice([]string{text}, []int{}...)
		return a
	case kind == dtype.KindBool:
		item = []byte{1}
	case kind == dtype.KindInt, kind == dtype.KindUint:
		item = make([]byte, t.ItemSize())
		bulk.PutUint(item, 999999, native.ByteOrder() == dtype.BigEndian)
	case kind == dtype.KindDatetime, kind == dtype.KindTimedelta:
		item = make([]byte, 8)
		bulk.PutUint(item, 1<<63, native.ByteOrder() == dtype.BigEndian)
	case kind == dtype.KindFloat && t.ItemSize() <= 8, kind == dtype.KindComplex && t.ItemSize() <= 16:
		item = make([]byte, t.ItemSize())
		half := item
		if kind == dtype.KindComplex {
			half = item[:len(item)/2]
		}
		fill := 1e20
		if len(half) == 2 {
			fill = math.Inf(1)
		}
		putFloat(half, fill, native.ByteOrder() == dtype.BigEndian)
	default:
		return nil
	}
	a, err := npy.FromBytes(native, item)
	if err != nil {
		return nil
	}
	return a
}

// dtypeName returns the text of the dtype.
func (p *printer) dtypeName(m *MaskedArray) string {
	a, err := npy.New(m.Data.DType(), 0)
	if err != nil {
		return m.Data.DType().Name()
	}
	d := NewDType(m.Data.DType())
	if o := originOf(m.Data); o != nil && o.dtype != nil {
		d = o.dtype
	}
	a = a.WithOrigin(&origin{dtype: d, nested: true})
	text := string(npy.Printer{LineWidth: -1}.AppendRepr(nil, a, reprMax))
	return strings.TrimSuffix(strings.TrimPrefix(text, "array([], dtype="), ")")
}
