package nd

import (
	"fmt"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
)

// Reversed returns the view with the axes in reverse order.
func (a *Array) Reversed() Array {
	b := *a
	b.Shape, b.Strides = slices.Clone(a.Shape), slices.Clone(a.Strides)
	slices.Reverse(b.Shape)
	slices.Reverse(b.Strides)
	return b
}

// Transpose returns the view whose axis i is axis axes[i] of a. Negative axes count from the end.
func (a *Array) Transpose(axes []int) (Array, error) {
	if len(axes) != len(a.Shape) {
		return Array{}, fmt.Errorf("npy: %d axes given to transpose an array of %d dimensions", len(axes), len(a.Shape))
	}
	b := *a
	b.Shape, b.Strides = make([]int, len(axes)), make([]int, len(axes))
	seen := make([]bool, len(axes))
	for i, axis := range axes {
		k := axis
		if k < 0 {
			k += len(axes)
		}
		if k < 0 || k >= len(axes) || seen[k] {
			return Array{}, fmt.Errorf("npy: axis %d is out of range or repeated in a transpose of %d dimensions", axis, len(axes))
		}
		seen[k] = true
		b.Shape[i], b.Strides[i] = a.Shape[k], a.Strides[k]
	}
	return b, nil
}

// Along returns the view of n positions from start along one axis.
func (a *Array) Along(axis, start, n int) Array {
	b := *a
	b.Offset += start * a.Strides[axis]
	b.Shape = slices.Clone(a.Shape)
	b.Shape[axis] = n
	return b
}

// Box returns the view of a box of the given shape, whose first element is at origin. It keeps shape.
func (a *Array) Box(origin, shape []int) Array {
	b := *a
	b.Shape = shape
	for axis, k := range origin {
		b.Offset += k * a.Strides[axis]
	}
	return b
}

// Field returns the view of one field of the elements. The dimensions of a subarray follow the dimensions of a.
func (a *Array) Field(f dtype.Field) (Array, error) {
	b := *a
	b.Offset += f.Offset
	b.DType = f.DType
	if a.Size() == 0 {
		b.Offset = 0
	}
	b.Shape, b.Strides = slices.Clone(a.Shape), slices.Clone(a.Strides)
	for b.DType.IsSubarray() {
		shape := b.DType.SubShape()
		b.DType = b.DType.Elem()
		b.Shape = append(b.Shape, shape...)
		b.Strides = append(b.Strides, Strides(shape, b.DType.ItemSize(), false)...)
	}
	// The size of an array of elements of 0 bytes, each with many items of 0 bytes, can overflow an int.
	if _, ok := bounded.Count(b.Shape, b.DType.ItemSize()); !ok || len(b.Shape) > format.MaxDims {
		return Array{}, fmt.Errorf("npy: field %q makes shape %s of dtype %s, more than an array can have", f.Name, format.ShapeString(b.Shape), b.DType)
	}
	return b, nil
}
