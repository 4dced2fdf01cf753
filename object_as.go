package npy

import (
	"fmt"
	"math/big"

	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/pylit"
)

// A scalarObject is an object that is one element of a dtype of its own, as NumPy's scalars are.
type scalarObject interface {
	Scalar() *Array // without dimensions
}

// objectsAs is As for an array of dtype |O: every object has to be a T in Python's sense.
func objectsAs[T Element](a *Array) (View[T], error) {
	data := make([]T, 0, a.Size())
	for item := range a.geometry().Items {
		v := a.objects.get(item)
		x, ok := objectAs[T](v)
		if !ok {
			return View[T]{}, typeError[T](a.dtype, fmt.Sprintf("element %s is %s; Array.Objects gives all of them as they are",
				indexText(len(data), a.shape), describeObject(v)))
		}
		data = append(data, x)
	}
	return View[T]{data: data, shape: a.shape, strides: nd.Strides(a.shape, 1, false)}, nil
}

// indexText returns the index of the i-th element in C order as text.
func indexText(i int, shape []int) []byte { return pylit.AppendInts(nil, nd.Unravel(i, shape)) }

// describeObject says what an object is that was expected to be another.
func describeObject(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool, int64, float64, complex128, *big.Int:
		return string(appendRepr(nil, v, describedMax))
	}
	return fmt.Sprintf("a %T", v)
}

// describedMax is how much of an object an error repeats, in bytes.
const describedMax = 40

// objectAs returns v as a T: the same value, or none.
func objectAs[T Element](v any) (x T, ok bool) {
	if s, ok := v.(scalarObject); ok {
		view, err := As[T](s.Scalar())
		if err != nil {
			return x, false
		}
		return view.At(), true
	}
	return cast.ObjectAs[T](v)
}
