package rowsource

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

// CheckOrder returns an error if t has Python objects.
func CheckOrder(t dtype.Type) error {
	if t.HasObject() {
		return diag.Errorf("query", "dtype %s: %w: Python objects have no order of their own", t, npy.ErrObjects)
	}
	return nil
}

// Shape returns the shape of src as rows along the first axis: their number and the bytes of each.
func Shape(src npy.Source) (n, size int, err error) {
	t, shape := src.DType(), src.Shape()
	if err := CheckOrder(t); err != nil {
		return 0, 0, err
	}
	if len(shape) == 0 {
		return 0, 0, diag.New("query", "an array without dimensions has no rows")
	}
	size, ok := bounded.Count(shape[1:], t.ItemSize())
	if !ok {
		return 0, 0, diag.Errorf("query", "rows of shape %s are too large", format.ShapeString(shape[1:]))
	}
	return shape[0], size * t.ItemSize(), nil
}
