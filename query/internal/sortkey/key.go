package sortkey

import (
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/fields"
)

// A Key is a value of each row by which rows are ordered or grouped.
type Key struct {
	Field      string // the name of a field, or the number of a column
	As         string // the name of the field of a result; "" means Field
	Descending bool   // the largest value comes first; NaN and NaT stay last
}

// PlaceOf returns the place of a key within a row.
func PlaceOf(t dtype.Type, shape []int, name string) (fields.Place, error) {
	whole := fields.Place{DType: t}
	switch {
	case t.IsStruct() && name != "" && len(shape) > 1:
		return whole, diag.Errorf("query", "records of shape %s have no rows with one field %q; reshape them to one dimension", format.ShapeString(shape), name)
	case t.IsStruct() && name != "":
		if p, ok := fieldAt(whole, name); ok {
			return p, nil
		}
		return whole, &npy.FieldError{DType: t, Path: name}
	case len(shape) == 1 && (name == "" || name == "x" && !t.IsStruct()):
		return whole, nil
	case len(shape) == 2:
		column, err := strconv.Atoi(name)
		if err != nil {
			return whole, diag.Errorf("query", "key %q of an array of shape %s: want the number of a column", name, format.ShapeString(shape))
		}
		if column < 0 {
			column += shape[1]
		}
		if column < 0 || column >= shape[1] {
			return whole, diag.Errorf("query", "column %s is out of range for an array of shape %s", name, format.ShapeString(shape))
		}
		whole.Offset = column * t.ItemSize()
		return whole, nil
	case len(shape) == 1:
		return whole, diag.Errorf("query", "no field %q: dtype %s has no fields; the elements themselves are x", name, t)
	}
	return whole, diag.Errorf("query", "an array of shape %s has no keys; want records, or one or two dimensions", format.ShapeString(shape))
}

// fieldAt finds a field by its dotted name.
func fieldAt(p fields.Place, name string) (fields.Place, bool) {
	if f, ok := p.DType.FieldByName(name); ok {
		return p.In(f), true
	}
	for i := range name {
		if name[i] != '.' {
			continue
		}
		if f, ok := p.DType.FieldByName(name[:i]); ok && f.DType.IsStruct() {
			if q, ok := fieldAt(p.In(f), name[i+1:]); ok {
				return q, true
			}
		}
	}
	return p, false
}
