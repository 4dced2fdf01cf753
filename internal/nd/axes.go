package nd

import (
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
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
		return Array{}, diag.Errorf("npy", "%d axes given to transpose an array of %d dimensions", len(axes), len(a.Shape))
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
			return Array{}, diag.Errorf("npy", "axis %d is out of range or repeated in a transpose of %d dimensions", axis, len(axes))
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

// Box returns the view of a box. It keeps the shape of the box.
func (a *Array) Box(box Box) Array {
	b := *a
	b.Shape = box.Shape
	for axis, k := range box.Origin {
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
		return Array{}, diag.Errorf("npy", "field %q makes shape %s of dtype %s, more than an array can have", f.Name, format.ShapeString(b.Shape), b.DType)
	}
	return b, nil
}

// JoinedInFortran reports whether numpy.concatenate gives the result, an array of the given shape and dtype, the strides
// of Fortran order. NumPy sorts the axes by their strides in the sources, ignoring axes of length 1. C order wins where
// the sources differ. (PyArray_CreateMultiSortedStridePerm in NumPy 1.24 and 2.5)
func JoinedInFortran(t dtype.Type, shape []int, sources []Array) bool {
	axes := make([]int, 0, len(shape)) // from the slowest to the fastest
	for axis := range shape {
		at := len(axes)
		for i := len(axes) - 1; i >= 0; i-- {
			faster, told := isFaster(axes[i], axis, sources)
			if told && !faster {
				break
			}
			if told {
				at = i
			}
		}
		axes = slices.Insert(axes, at, axis)
	}
	a := Array{DType: t, Shape: shape, Strides: make([]int, len(shape))}
	step := t.ItemSize()
	for _, axis := range slices.Backward(axes) {
		a.Strides[axis] = step
		step *= max(shape[axis], 1)
	}
	return a.Header().FortranOrder
}

// isFaster reports whether axis i has smaller strides than axis j in all sources where both axes have other lengths
// than 1. told is false if there is no such source.
func isFaster(i, j int, sources []Array) (faster, told bool) {
	abs := func(x int) int { return max(x, -x) }
	for _, a := range sources {
		if a.Shape[i] == 1 || a.Shape[j] == 1 {
			continue
		}
		if told = true; abs(a.Strides[j]) <= abs(a.Strides[i]) {
			return false, true
		}
		faster = true
	}
	return faster, told
}
