package format

import (
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/pylit"
)

// Magic is the string at the start of every file, numpy.lib.format.MAGIC_PREFIX.
const Magic = "\x93NUMPY"

// Constants of NumPy's writer, numpy.lib.format in numpy 2.x.
const (
	ArrayAlign          = 64 // the data starts at a multiple of this many bytes
	GrowthAxisMaxDigits = 21 // the header has spaces for a first dimension of up to this many digits
)

// MaxDims is the largest number of dimensions of an array, as in NumPy 2.
const MaxDims = dtype.MaxDims

// A Header describes the array that follows it.
type Header struct {
	Version      Version    // as read; when writing, the zero Version selects the version that NumPy would
	DType        dtype.Type // of the elements
	FortranOrder bool       // the first index varies fastest
	Shape        []int      // elements along each axis; empty for a single element

	// DataOffset is the offset of the data in bytes from the first byte of the magic string. Reading sets it, writing
	// ignores it.
	DataOffset int64
}

// Validate checks that the array can exist: its dtype is not a subarray, it has at most [MaxDims] dimensions, no
// dimension is negative, and its size in bytes fits an int. Every header that is read has passed Validate, so
// [Header.Size] and [Header.NBytes] are exact.
func (h Header) Validate() error {
	switch {
	case !h.DType.IsValid():
		return diag.Errorf("npy", "header without a dtype")
	case h.DType.IsSubarray():
		return diag.Errorf("npy", "subarray %s cannot be the dtype of an array: move its dimensions into the shape", h.DType)
	case len(h.Shape) > MaxDims:
		return diag.Errorf("npy", "%d dimensions, at most %d are possible", len(h.Shape), MaxDims)
	}
	for _, n := range h.Shape {
		if n < 0 {
			return diag.Errorf("npy", "negative dimension %d", n)
		}
	}
	if _, ok := bounded.Count(h.Shape, h.DType.ItemSize()); !ok {
		return diag.Errorf("npy", "shape %s of %d-byte elements is larger than memory can be", ShapeString(h.Shape), h.DType.ItemSize())
	}
	return nil
}

// Size returns the number of elements, ndarray.size. It is exact for a header that passes [Header.Validate].
func (h Header) Size() int {
	n := 1
	for _, d := range h.Shape {
		n *= d
	}
	return n
}

// NBytes returns the size of the elements in bytes, ndarray.nbytes. It is exact for a header that passes
// [Header.Validate]. Arrays of objects are stored as a pickle, which has another length.
func (h Header) NBytes() int64 { return int64(h.Size()) * int64(h.DType.ItemSize()) }

// Equal reports whether two headers describe the same array. It ignores versions and offsets.
func (h Header) Equal(g Header) bool {
	return h.DType.Equal(g.DType) && h.FortranOrder == g.FortranOrder && slices.Equal(h.Shape, g.Shape)
}

// ShapeString returns a shape as Python prints it: "()", "(3,)", "(3, 4)".
func ShapeString(shape []int) string { return string(pylit.AppendInts(nil, shape)) }
