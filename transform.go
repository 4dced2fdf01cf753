package npy

import (
	"fmt"
	"slices"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
)

// T returns a view with the axes in reverse order, ndarray.T.
func (a *Array) T() *Array {
	b := a.derived()
	b.shape, b.strides = slices.Clone(a.shape), slices.Clone(a.strides)
	slices.Reverse(b.shape)
	slices.Reverse(b.strides)
	return b
}

// Transpose returns a view with the axes in the given order, ndarray.transpose: axis i of the result is axis axes[i]
// of a. Negative axes count from the end. The error says which axis is missing or repeated.
func (a *Array) Transpose(axes ...int) (*Array, error) {
	if len(axes) != len(a.shape) {
		return nil, fmt.Errorf("npy: %d axes given to transpose an array of %d dimensions", len(axes), len(a.shape))
	}
	b := a.derived()
	b.shape, b.strides = make([]int, len(axes)), make([]int, len(axes))
	seen := make([]bool, len(axes))
	for i, axis := range axes {
		k := axis
		if k < 0 {
			k += len(axes)
		}
		if k < 0 || k >= len(axes) || seen[k] {
			return nil, fmt.Errorf("npy: axis %d is out of range or repeated in a transpose of %d dimensions", axis, len(axes))
		}
		seen[k] = true
		b.shape[i], b.strides[i] = a.shape[k], a.strides[k]
	}
	return b, nil
}

// Field returns a view of one field of a struct array, a['name'] in NumPy. The dimensions of a subarray field come
// behind those of a. If there is none of that name the error is a [*FieldError], which lists those there are.
func (a *Array) Field(name string) (*Array, error) {
	f, ok := a.dtype.FieldByName(name)
	if !ok {
		return nil, &FieldError{DType: a.dtype, Path: name}
	}
	b := a.derived()
	if o, ok := a.origin.(PartOrigin); ok {
		b.origin = o.Field(name)
	}
	b.start += f.Offset
	b.dtype = f.DType
	if a.Size() == 0 {
		b.start = 0
	}
	b.shape, b.strides = slices.Clone(a.shape), slices.Clone(a.strides)
	for b.dtype.IsSubarray() {
		shape := b.dtype.SubShape()
		b.dtype = b.dtype.Elem()
		b.shape = append(b.shape, shape...)
		b.strides = append(b.strides, contiguous(shape, b.dtype.ItemSize(), false)...)
	}
	// Many elements of 0 bytes, each with many of 0 bytes in it, may be more than can be counted.
	if _, ok := bounded.Count(b.shape, b.dtype.ItemSize()); !ok || len(b.shape) > format.MaxDims {
		return nil, fmt.Errorf("npy: field %q makes shape %s of dtype %s, more than an array can have", name, format.ShapeString(b.shape), b.dtype)
	}
	return b, nil
}
