package npy

import (
	"errors"
	"fmt"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/source"
)

// An Array holds elements of one dtype in any number of dimensions: NumPy's ndarray. An Array describes memory and
// does not own it: views made from an Array share its elements.
type Array struct {
	nd nd.Array // the elements and their places in memory

	objects *objects // the Python objects that the elements refer to; shared by all views
	origin  any      // see WithOrigin
}

// New returns an array of zeros in C order, numpy.zeros. The error names the fault in the dtype or shape.
// [NewObjects] makes arrays of Python objects.
func New(t dtype.Type, shape ...int) (*Array, error) {
	h := format.Header{DType: t, Shape: shape}
	if err := check(h); err != nil {
		return nil, err
	}
	return newArray(h, bulk.Make(int(h.NBytes()))), nil
}

// check returns an error for a header that is not valid, or whose dtype has objects.
func check(h format.Header) error {
	if err := h.Validate(); err != nil {
		return err
	}
	if h.DType.IsSubarray() {
		return diag.Errorf("npy", "subarray %s cannot be the dtype of an array: append its dimensions to the shape", h.DType)
	}
	return noObjects(h.DType, "; use NewObjects or FromObjects")
}

// newArray returns the array that a checked header describes, over data.
func newArray(h format.Header, data []byte) *Array {
	h.Shape = slices.Clone(h.Shape)
	return arrayOf(nd.Over(h, data))
}

// arrayOf returns an array of plain bytes with the given geometry.
func arrayOf(g nd.Array) *Array {
	return &Array{nd: g}
}

// view returns a view of a with the given geometry. Its origin is a part of a's.
func (a *Array) view(g nd.Array) *Array {
	b := arrayOf(g)
	b.objects, b.origin = a.objects, a.part()
	return b
}

// FromBytes returns an array over data, elements in C order in the byte order of t. It shares the memory of data,
// whose length must be exactly the size of the array.
func FromBytes(t dtype.Type, data []byte, shape ...int) (*Array, error) {
	h := format.Header{DType: t, Shape: shape}
	if err := check(h); err != nil {
		return nil, err
	}
	if h.NBytes() != int64(len(data)) {
		return nil, diag.Errorf("npy", "%d bytes given for shape %s of dtype %s, which takes %d", len(data), format.ShapeString(shape), t, h.NBytes())
	}
	return newArray(h, data), nil
}

// FromHeader returns the array that h describes over data, the bytes after the header of a file. Trailing data is
// ignored. The array shares the memory of data. Data that ends early is a [*format.Error] that wraps
// io.ErrUnexpectedEOF. Arrays of objects are [ErrObjects].
func FromHeader(h format.Header, data []byte) (*Array, error) {
	if err := check(h); err != nil {
		return nil, err
	}
	if h.NBytes() > int64(len(data)) {
		return nil, source.ErrShort(h, int64(len(data)))
	}
	return newArray(h, data[:h.NBytes():h.NBytes()]), nil
}

// FromStrides returns an array whose element (i, j, …) begins in data at offset + i*strides[0] + j*strides[1] + …, all
// in bytes: numpy.ndarray(shape, dtype, buffer, offset, strides). It shares the memory of data. Every element must lie
// within data.
func FromStrides(t dtype.Type, data []byte, offset int, shape, strides []int) (*Array, error) {
	h := format.Header{DType: t, Shape: shape}
	if err := check(h); err != nil {
		return nil, err
	}
	h.Shape = slices.Clone(shape)
	g, err := nd.Strided(h, data, offset, slices.Clone(strides))
	if err != nil {
		return nil, err
	}
	return arrayOf(g), nil
}

// DType returns the type of the elements.
func (a *Array) DType() dtype.Type { return a.nd.DType }

// Shape returns the number of elements along each axis, ndarray.shape. The slice is a copy.
func (a *Array) Shape() []int { return slices.Clone(a.nd.Shape) }

// Strides returns the step in bytes along each axis, ndarray.strides. It may be negative or zero. The slice is a copy.
func (a *Array) Strides() []int { return slices.Clone(a.nd.Strides) }

// NDim returns the number of dimensions, ndarray.ndim. An array without dimensions has one element.
func (a *Array) NDim() int { return len(a.nd.Shape) }

// Len returns the length of the first axis, Python's len(a). It is 1 for an array without dimensions.
func (a *Array) Len() int {
	if len(a.nd.Shape) == 0 {
		return 1
	}
	return a.nd.Shape[0]
}

// Size returns the number of elements, ndarray.size.
func (a *Array) Size() int { return a.nd.Size() }

// NBytes returns the number of bytes of the elements, ndarray.nbytes.
func (a *Array) NBytes() int { return a.nd.NBytes() }

// IsC reports whether the elements follow each other in memory with the last index running fastest,
// ndarray.flags.c_contiguous. Axes of length 1 do not matter, and an empty array always is.
func (a *Array) IsC() bool { return a.nd.IsContiguous(false) }

// IsFortran reports whether the elements follow each other in memory with the first index running fastest,
// ndarray.flags.f_contiguous.
func (a *Array) IsFortran() bool { return a.nd.IsContiguous(true) }

// header returns the header that np.save writes for a. It shares the shape of a.
func (a *Array) header() format.Header { return a.nd.Header() }

// compact returns a contiguous array over data with the shape of a, in the order in memory of a. The dtype may differ.
func (a *Array) compact(t dtype.Type, data []byte) *Array { return arrayOf(a.nd.Compact(t, data)) }

// Item returns the bytes of one element. It shares the memory of a: writing to it changes the array. It panics if
// there is not one index for every axis or one is out of range. The bytes of a Python object mean nothing outside of
// the array and must not be changed: see [Array.Object].
func (a *Array) Item(index ...int) []byte { return a.nd.Item(index) }

// ViewBytes returns the elements as bytes in C order, sharing the memory of a. It reports false if a is not in C
// order: use [Array.Bytes] for a copy. It also reports false for Python objects, which have no bytes.
func (a *Array) ViewBytes() ([]byte, bool) {
	if a.nd.DType.HasObject() {
		return nil, false
	}
	return a.nd.Bytes()
}

// Bytes returns a copy of the elements as bytes in C order, ndarray.tobytes. The byte order is the dtype's.
// Bytes panics if the dtype has Python objects, which have no bytes: only an [ObjectDecoder] or the caller makes such
// arrays.
func (a *Array) Bytes() []byte {
	if a.nd.DType.HasObject() {
		panic(fmt.Sprintf("npy: elements of dtype %s are objects and have no bytes", a.nd.DType))
	}
	return a.nd.Gather(false)
}

// Clone returns a copy of a in C order with memory of its own, numpy.array(a, order='C'). The Python objects
// themselves are shared, not copied.
func (a *Array) Clone() *Array {
	return arrayOf(nd.New(a.nd.DType, slices.Clone(a.nd.Shape), false, a.nd.Gather(false))).copyOf(a)
}

// Contiguous returns a itself if it is in C order, else a copy in C order, numpy.ascontiguousarray.
func (a *Array) Contiguous() *Array {
	if a.IsC() {
		return a
	}
	return a.Clone()
}

// Fortran returns a itself if it is in Fortran order, else a copy in Fortran order, numpy.asfortranarray.
func (a *Array) Fortran() *Array {
	if a.IsFortran() {
		return a
	}
	return arrayOf(nd.New(a.nd.DType, slices.Clone(a.nd.Shape), true, a.nd.Gather(true))).copyOf(a)
}

// Field returns a view of one field of a struct array, a['name'] in NumPy. The dimensions of a subarray field follow
// the dimensions of a. If there is no field of that name the error is a [*FieldError], which lists the fields.
func (a *Array) Field(name string) (*Array, error) {
	f, ok := a.nd.DType.FieldByName(name)
	if !ok {
		return nil, &FieldError{DType: a.nd.DType, Path: name}
	}
	g, err := a.nd.Field(f)
	if err != nil {
		return nil, err
	}
	b := a.view(g)
	if o, ok := a.origin.(PartOrigin); ok {
		b.origin = o.Field(name)
	}
	return b, nil
}

// T returns a view with the axes in reverse order, ndarray.T.
func (a *Array) T() *Array { return a.view(a.nd.Reversed()) }

// Transpose returns a view with the axes in the given order, ndarray.transpose: axis i of the result is axis axes[i]
// of a. Negative axes count from the end. The error names the axis that is out of range or repeated.
func (a *Array) Transpose(axes ...int) (*Array, error) {
	g, err := a.nd.Transpose(axes)
	if err != nil {
		return nil, err
	}
	return a.view(g), nil
}

// Reshape returns the elements in C order with another shape, ndarray.reshape. One dimension may be -1 and is worked
// out from the others. The result shares the memory of a if a is in C order, and is a copy otherwise. It is always in C
// order. NumPy also makes views of other arrays where it can, and these have other orders. [Copier] with a Shape writes
// the bytes of np.save for such views.
func (a *Array) Reshape(shape ...int) (*Array, error) {
	shape, err := nd.Reshaped(a.nd.DType, a.Size(), shape)
	if err != nil {
		return nil, err
	}
	c := a.Contiguous()
	g := nd.New(a.nd.DType, shape, false, c.nd.Data)
	g.Offset = c.nd.Offset
	b := c.view(g)
	b.origin = a.part()
	return b, nil
}

// MarshalJSON returns the elements as nested lists, ndarray.tolist, in the format of package convert and of npy
// convert --to json: numbers as numbers, records as objects, times as ISO 8601, all else as strings. NaN and the
// infinities are the strings "NaN", "Infinity" and "-Infinity". <f16 is read as the long double of x86. Lists cannot
// hold the dtype, the axes after one of length 0, and the payload of NaNs: these are lost.
//
// Arrays of Python objects are refused with an error that wraps [ErrObjects]: convert.Write writes them.
func (a *Array) MarshalJSON() ([]byte, error) {
	if !a.nd.DType.IsValid() {
		return nil, diag.New("npy", "the zero Array has no elements and no JSON; use New")
	}
	if a.nd.DType.HasObject() {
		return nil, diag.Errorf("npy", "marshal dtype %s: %w; convert.Write writes it as JSON", a.nd.DType, ErrObjects)
	}
	format, err := elem.Texts{}.JSONFormat(a.nd.DType, false, elem.Texts{}.Formatter)
	if err != nil {
		return nil, diag.Wrap("npy", err)
	}
	dst, err := elem.AppendJSON(nil, a.nd.DType, format, a.nd.Shape, a.NBytes(), a.nd.Items)
	if err != nil {
		return nil, diag.Wrap("npy", err)
	}
	return dst, nil
}

// UnmarshalJSON reads the output of MarshalJSON into an array that already has its dtype, since JSON does not name
// it:
//
//	a, err := npy.New(dtype.Float32, 0)
//	err = json.Unmarshal([]byte("[[1, 2], [3, 4]]"), a)
//
// The shape is the nesting of the lists. a gets new memory in C order, at most one element for each byte of data;
// views of a keep the old memory. Numbers must fit the dtype, and floats are rounded to the nearest. null is NaN or
// NaT within lists and leaves a unchanged otherwise, as in package encoding/json. An error leaves a unchanged too.
// convert.Read finds the dtype in the text.
func (a *Array) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	if !a.nd.DType.IsValid() {
		return diag.New("npy", "unmarshal JSON into an Array without a dtype: make it by New, or use convert.Read, which finds one")
	}
	if a.nd.DType.HasObject() {
		return diag.Errorf("npy", "unmarshal JSON to dtype %s, whose values JSON cannot say: %w", a.nd.DType, errors.ErrUnsupported)
	}
	raw, shape, err := elem.ParseJSON(a.nd.DType, string(data))
	if err != nil {
		return diag.Wrap("npy", err)
	}
	h := format.Header{DType: a.nd.DType, Shape: shape}
	if err := h.Validate(); err != nil {
		return err
	}
	*a = *newArray(h, raw)
	return nil
}
