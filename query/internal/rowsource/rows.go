package rowsource

import (
	"errors"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
)

// CheckOrder returns an error if t has Python objects.
func CheckOrder(t dtype.Type) error {
	if t.HasObject() {
		return fmt.Errorf("query: dtype %s: %w: Python objects have no order of their own", t, npy.ErrObjects)
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
		return 0, 0, errors.New("query: an array without dimensions has no rows")
	}
	size, ok := bounded.Count(shape[1:], t.ItemSize())
	if !ok {
		return 0, 0, fmt.Errorf("query: rows of shape %s are too large", format.ShapeString(shape[1:]))
	}
	return shape[0], size * t.ItemSize(), nil
}
