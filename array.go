package npy

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
)

// An Array is elements of one dtype in a grid of any number of dimensions: NumPy's ndarray. It describes memory and
// does not own it: views made from an Array share its elements.
type Array struct {
	dtype   dtype.Type
	shape   []int
	strides []int  // in bytes
	data    []byte // the memory of the elements, and perhaps of others
	start   int    // of element (0, 0, …) in data

	objects *objects // the Python objects that the elements stand for; shared by all views
	origin  any      // see WithOrigin
}

// New returns an array of zeros in C order, numpy.zeros. The error says what is wrong with the dtype or shape. Objects are
// made by [NewObjects].
func New(t dtype.Type, shape ...int) (*Array, error) {
	h := format.Header{DType: t, Shape: shape}
	if err := check(h); err != nil {
		return nil, err
	}
	return newArray(h, bulk.Make(int(h.NBytes()))), nil
}

// check returns an error if memory cannot hold an array with this header: it is not valid, or has objects.
func check(h format.Header) error {
	if err := h.Validate(); err != nil {
		return err
	}
	if h.DType.IsSubarray() {
		return fmt.Errorf("npy: subarray %s cannot be the dtype of an array: append its dimensions to the shape", h.DType)
	}
	return noObjects(h.DType, "; use NewObjects or FromObjects")
}

// newArray returns the array that a checked header describes, over data.
func newArray(h format.Header, data []byte) *Array {
	return arrayOf(nd.New(h.DType, slices.Clone(h.Shape), h.FortranOrder, data))
}

// arrayOf returns an array of plain bytes with the given geometry.
func arrayOf(g nd.Array) *Array {
	return &Array{dtype: g.DType, shape: g.Shape, strides: g.Strides, data: g.Data, start: g.Offset}
}

// geometry returns where the elements of a are.
func (a *Array) geometry() *nd.Array {
	return &nd.Array{DType: a.dtype, Shape: a.shape, Strides: a.strides, Data: a.data, Offset: a.start}
}

// view returns a view of a with the given geometry, which keeps the origin that parts of a have.
func (a *Array) view(g nd.Array) *Array {
	b := arrayOf(g)
	b.objects, b.origin = a.objects, a.part()
	return b
}

// FromBytes returns an array over data, elements in C order in the byte order of t. It shares the memory of data, which
// must have exactly the length that t and shape ask for.
func FromBytes(t dtype.Type, data []byte, shape ...int) (*Array, error) {
	h := format.Header{DType: t, Shape: shape}
	if err := check(h); err != nil {
		return nil, err
	}
	if h.NBytes() != int64(len(data)) {
		return nil, fmt.Errorf("npy: %d bytes given for shape %s of dtype %s, which takes %d", len(data), format.ShapeString(shape), t, h.NBytes())
	}
	return newArray(h, data), nil
}

// FromStrides returns an array whose element (i, j, …) begins in data at offset + i*strides[0] + j*strides[1] + …, all
// in bytes: numpy.ndarray(shape, dtype, buffer, offset, strides). It shares the memory of data. Every element must lie
// within data.
func FromStrides(t dtype.Type, data []byte, offset int, shape, strides []int) (*Array, error) {
	h := format.Header{DType: t, Shape: shape}
	if err := check(h); err != nil {
		return nil, err
	}
	if len(strides) != len(shape) {
		return nil, fmt.Errorf("npy: %d strides given for %d dimensions", len(strides), len(shape))
	}
	if offset < 0 || offset > len(data) {
		return nil, fmt.Errorf("npy: offset %d is outside the %d bytes of data", offset, len(data))
	}
	low, high := int64(offset), int64(offset)
	for i, n := range shape {
		if n == 0 {
			return newArray(h, nil), nil
		}
		hi, reach := bits.Mul64(uint64(max(int64(strides[i]), -int64(strides[i]))), uint64(n-1))
		if hi != 0 || reach > uint64(len(data)) {
			return nil, fmt.Errorf("npy: stride %d along axis %d leaves the %d bytes of data", strides[i], i, len(data))
		}
		if strides[i] < 0 {
			low -= int64(reach)
		} else {
			high += int64(reach)
		}
	}
	if high += int64(t.ItemSize()); low < 0 || high > int64(len(data)) {
		return nil, fmt.Errorf("npy: elements from byte %d to %d leave the %d bytes of data", low, high, len(data))
	}
	return &Array{dtype: t, shape: slices.Clone(shape), strides: slices.Clone(strides), data: data, start: offset}, nil
}

// DType returns the type of the elements.
func (a *Array) DType() dtype.Type { return a.dtype }

// Shape returns the number of elements along each axis, ndarray.shape. The slice is a copy.
func (a *Array) Shape() []int { return slices.Clone(a.shape) }

// Strides returns the step in bytes along each axis, ndarray.strides. It may be negative or zero. The slice is a copy.
func (a *Array) Strides() []int { return slices.Clone(a.strides) }

// NDim returns the number of dimensions, ndarray.ndim. An array without dimensions has one element.
func (a *Array) NDim() int { return len(a.shape) }

// Len returns the length of the first axis, Python's len(a). It is 1 for an array without dimensions.
func (a *Array) Len() int {
	if len(a.shape) == 0 {
		return 1
	}
	return a.shape[0]
}

// Size returns the number of elements, ndarray.size.
func (a *Array) Size() int { return nd.Size(a.shape) }

// NBytes returns the number of bytes of the elements, ndarray.nbytes.
func (a *Array) NBytes() int { return a.Size() * a.dtype.ItemSize() }

// IsC reports whether the elements follow each other in memory with the last index running fastest,
// ndarray.flags.c_contiguous. Axes of length 1 do not matter, and an empty array always is.
func (a *Array) IsC() bool { return a.geometry().IsContiguous(false) }

// IsFortran reports whether the elements follow each other in memory with the first index running fastest,
// ndarray.flags.f_contiguous.
func (a *Array) IsFortran() bool { return a.geometry().IsContiguous(true) }

// header describes a as NumPy writes it: in Fortran order if it lies in memory so and not in C order as well.
func (a *Array) header() format.Header {
	return format.Header{DType: a.dtype, Shape: a.shape, FortranOrder: !a.IsC() && a.IsFortran()}
}

// Item returns the bytes of one element. It shares the memory of a: writing to it changes the array. It panics if
// there is not one index for every axis or one is out of range. Where it has a Python object, the bytes mean nothing
// outside of the array and are not to be changed: see [Array.Object].
func (a *Array) Item(index ...int) []byte {
	at := nd.Position(index, a.shape, a.strides, a.start)
	end := at + a.dtype.ItemSize()
	return a.data[at:end:end]
}

// ViewBytes returns the elements as bytes in C order, sharing the memory of a. It reports false if a is not in C
// order; [Array.Bytes] makes a copy then. It reports false for Python objects too, which are no bytes.
func (a *Array) ViewBytes() ([]byte, bool) {
	if a.dtype.HasObject() {
		return nil, false
	}
	return a.geometry().Bytes()
}

// Bytes returns a copy of the elements as bytes in C order, ndarray.tobytes. Byte order is that of the dtype. It panics if
// there are Python objects in the dtype, which are no bytes: only an [ObjectDecoder] or the caller makes such arrays.
func (a *Array) Bytes() []byte {
	if a.dtype.HasObject() {
		panic(fmt.Sprintf("npy: elements of dtype %s are objects and have no bytes", a.dtype))
	}
	return a.geometry().Gather(false)
}

// Clone returns a copy of a in C order with memory of its own, numpy.array(a, order='C'). Python objects are not copied, only
// which of them the elements are.
func (a *Array) Clone() *Array {
	return arrayOf(nd.New(a.dtype, slices.Clone(a.shape), false, a.geometry().Gather(false))).copyOf(a)
}

// Contiguous returns a itself if it is in C order, else a copy that is, numpy.ascontiguousarray.
func (a *Array) Contiguous() *Array {
	if a.IsC() {
		return a
	}
	return a.Clone()
}

// Fortran returns a itself if it is in Fortran order, else a copy that is, numpy.asfortranarray.
func (a *Array) Fortran() *Array {
	if a.IsFortran() {
		return a
	}
	return arrayOf(nd.New(a.dtype, slices.Clone(a.shape), true, a.geometry().Gather(true))).copyOf(a)
}
