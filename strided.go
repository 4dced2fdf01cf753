package npy

import (
	"errors"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
)

// ViewOf returns the elements of a as T over the memory of a. It never copies, and reads no element: an array of any
// size costs nothing, also within mmap.File.Do. Where [As] would have to copy, because the elements have another type
// or byte order or are not aligned, the error wraps [errors.ErrUnsupported]. If T cannot hold the elements at all it
// is a [*TypeError].
func ViewOf[T Element](a *Array) (View[T], error) {
	if err := noObjects(a.nd.DType, "; As converts them"); err != nil {
		return View[T]{}, err
	}
	if v, ok := viewOf[T](a); ok {
		return v, nil
	}
	if _, err := (Loader[T]{}).decoder(a.nd.DType); err != nil {
		return View[T]{}, err
	}
	return View[T]{}, diag.Errorf("npy", "elements of dtype %s cannot be seen as %T in place, by type, byte order or alignment; As copies them: %w",
		a.nd.DType.Descr(), *new(T), errors.ErrUnsupported)
}

// viewOf reports false if T needs a copy.
func viewOf[T Element](a *Array) (View[T], bool) {
	if !sharesMemory[T](a.nd.DType) {
		return View[T]{}, false
	}
	return viewMemory[T](a)
}

// Strided returns the elements as BLAS and LAPACK take them: element (i, j, …) is data[i*strides[0] + j*strides[1] +
// …]. Strides count elements of T, not bytes, and data shares the memory of v. A matrix whose last stride is 1 is row
// major with strides[0] as its leading dimension, and one whose first stride is 1 is column major. An axis of length 1
// has its stride in C order. Strided reports false if a stride is negative: [View.ToSlice] makes a copy.
func (v View[T]) Strided() (data []T, strides []int, ok bool) {
	strides, reach := slices.Clone(v.strides), 0
	if v.Size() == 0 {
		return nil, nd.Strides(v.shape, 1, false), true
	}
	inner := 1
	for axis := len(v.shape) - 1; axis >= 0; axis-- {
		n := v.shape[axis]
		if n == 1 {
			strides[axis] = inner
		}
		if strides[axis] < 0 {
			return nil, nil, false
		}
		reach += (n - 1) * strides[axis]
		inner = n * strides[axis]
	}
	return v.data[v.start : v.start+reach+1 : v.start+reach+1], strides, true
}

// FromStrided returns an array whose element (i, j, …) is data[i*strides[0] + j*strides[1] + …]: a matrix of BLAS, or
// part of one. Strides count elements of T, not bytes as in [FromStrides], and must not be negative. The dtype,
// and the types whose memory is shared, are as for [FromSlice]; other elements are copied.
func FromStrided[T Element](data []T, shape, strides []int) (*Array, error) {
	if err := checkStrided(len(data), shape, strides); err != nil {
		return nil, err
	}
	t := DTypeOf[T]()
	if raw, ok := bulk.Bytes(data); ok && sharesMemory[T](t) && !needsStep(t) {
		bytes := make([]int, len(strides))
		for i, s := range strides {
			if shape[i] > 1 {
				bytes[i] = s * t.ItemSize()
			}
		}
		return FromStrides(t, raw, 0, shape, bytes)
	}
	v := View[T]{data: data, shape: shape, strides: strides}
	return FromSlice(v.ToSlice(), append([]int{}, shape...)...) // never nil, which would mean one dimension
}

// checkStrided returns an error unless every element lies within n elements.
func checkStrided(n int, shape, strides []int) error {
	if err := check(format.Header{DType: dtype.Int8, Shape: shape}); err != nil {
		return err
	}
	if len(strides) != len(shape) {
		return diag.Errorf("npy", "%d strides given for %d dimensions", len(strides), len(shape))
	}
	if nd.Size(shape) == 0 {
		return nil
	}
	last := 0
	for axis, length := range shape {
		if length == 1 {
			continue
		}
		if strides[axis] < 0 {
			return diag.Errorf("npy", "stride %d of axis %d is negative", strides[axis], axis)
		}
		if strides[axis] > (n-1-last)/(length-1) {
			return diag.Errorf("npy", "shape %s with strides %v is outside the %d elements of data", format.ShapeString(shape), strides, n)
		}
		last += (length - 1) * strides[axis]
	}
	if last >= n {
		return diag.Errorf("npy", "shape %s with strides %v is outside the %d elements of data", format.ShapeString(shape), strides, n)
	}
	return nil
}
