package record

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// A Go array stands for the last axes of an array: an array of shape (n, 3) and dtype float32 is n values of
// [3]float32. For the plans it is an array of shape (n,), whose elements are subarrays.

// dimsOf returns the dimensions of the Go arrays that t consists of; none if t is no array.
func dimsOf(t reflect.Type) (dims []int) {
	for ; t.Kind() == reflect.Array; t = t.Elem() {
		dims = append(dims, t.Len())
	}
	return dims
}

// wholeType returns the dtype of a value of t in an array of dtype d: a subarray if t is a Go array, and else d.
func wholeType(t reflect.Type, d dtype.Type) (dtype.Type, error) {
	dims := dimsOf(t)
	if len(dims) == 0 || d.IsSubarray() {
		return d, nil
	}
	sub, err := dtype.Subarray(d, dims...)
	if err != nil {
		return d, refuse(t, d, "", err.Error())
	}
	return sub, nil
}

// folded returns the header of an array in C order whose elements are values of t: the last axes are in their dtype.
func folded(h format.Header, t reflect.Type) (format.Header, error) {
	dims := dimsOf(t)
	n := len(h.Shape) - len(dims)
	if n < 0 || !slices.Equal(h.Shape[n:], dims) {
		return h, refuse(t, h.DType, "", fmt.Sprintf("the last axes must have the shape %s, and the array has the shape %s",
			format.ShapeString(dims), format.ShapeString(h.Shape)))
	}
	if len(dims) == 0 {
		return h, nil
	}
	var err error
	h.DType, err = wholeType(t, h.DType)
	h.Shape, h.FortranOrder = h.Shape[:n:n], false
	return h, err
}

// unfolded returns the header of the array in a file: subarrays are its last axes.
func unfolded(h format.Header) format.Header {
	for h.DType.IsSubarray() {
		h.Shape = slices.Concat(h.Shape, h.DType.SubShape())
		h.DType = h.DType.Elem()
	}
	return h
}
