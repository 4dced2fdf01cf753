package objects

import (
	"fmt"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/pylit"
	"github.com/npygo/npy/pickle"
)

// reprMax is how long the text of one value gets, in bytes.
const reprMax = 1 << 20

// String returns Python's repr of the dtype, such as dtype('float64').
func (d *DType) String() string { return string(d.AppendRepr(nil, reprMax)) }

// AppendRepr appends what [DType.String] returns, about limit bytes of it.
func (d *DType) AppendRepr(dst []byte, limit int) []byte {
	t := d.Type
	text := t.Name()
	switch kind := t.Kind(); {
	case d.StringType != nil:
		return append(dst, "StringDType()"...)
	case t.IsStruct(), t.IsSubarray():
		return appendCut(dst, "dtype("+string(t.AppendDescr(nil))+")", limit)
	case kind == dtype.KindObject:
		text = "O"
	case kind == dtype.KindBytes:
		text = fmt.Sprint("S", t.ItemSize())
	case !t.IsNative(), kind == dtype.KindStr, kind == dtype.KindVoid, kind == dtype.KindDatetime, kind == dtype.KindTimedelta:
		text = t.Descr()
	}
	return appendCut(dst, "dtype("+string(pylit.AppendRepr(nil, text))+")", limit)
}

// String returns Python's repr of the scalar as NumPy 1 has it, 1.5 for numpy.float64(1.5).
func (s *Scalar) String() string { return string(s.AppendRepr(nil, reprMax)) }

// AppendRepr appends what [Scalar.String] returns, about limit bytes of it.
func (s *Scalar) AppendRepr(dst []byte, limit int) []byte {
	switch t := s.DType(); {
	case t.Kind() == dtype.KindStr, t.IsStruct():
		if v, err := s.Value(); err == nil {
			return (&pickle.Printer{MaxBytes: max(limit, 1)}).Append(dst, v)
		}
	case t.Kind() == dtype.KindDatetime:
		return appendCut(dst, "numpy.datetime64('"+s.array.String()+"')", limit)
	case t.Kind() == dtype.KindTimedelta:
		return appendCut(dst, "numpy.timedelta64('"+s.array.String()+"')", limit)
	case t.Kind() == dtype.KindVoid:
		return appendCut(dst, "void("+s.array.String()+")", limit)
	}
	return appendCut(dst, s.array.String(), limit)
}

// String returns a text in the manner of Python's repr: masked_array(data=array([1, 2]), mask=array([False, True])).
func (m *MaskedArray) String() string { return string(m.AppendRepr(nil, reprMax)) }

// AppendRepr appends what [MaskedArray.String] returns, about limit bytes of it.
func (m *MaskedArray) AppendRepr(dst []byte, limit int) []byte {
	dst = append(dst, "masked_array(data="...)
	if m.Data != nil {
		dst = m.Data.AppendRepr(dst, limit/2)
	}
	dst = append(dst, ", mask="...)
	if m.Mask != nil {
		dst = m.Mask.AppendRepr(dst, limit/2)
	}
	return append(dst, ')')
}

// appendCut appends a text, cut to limit bytes.
func appendCut(dst []byte, text string, limit int) []byte {
	if len(text) <= limit {
		return append(dst, text...)
	}
	limit = max(limit, 0)
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return append(append(dst, text[:limit]...), "…"...)
}
