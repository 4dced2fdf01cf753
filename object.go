package npy

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/arraytext"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/internal/pylit"
)

// An ObjectDecoder reads the elements of an array of Python objects, which are a pickle in the file. Package objects
// has one; it reads objects as data and never runs code.
type ObjectDecoder interface {
	// DecodeObjects reads the elements that follow header h from r, and not one byte more. If r has the methods Peek
	// and Discard of a bufio.Reader, DecodeObjects may use them. If r has the method Len of a bytes.Reader, at most
	// Len bytes follow. The array may differ from the header: NumPy too takes its dtype and shape from the pickle
	// alone.
	DecodeObjects(r io.Reader, h format.Header) (*Array, error)
}

// A CompressedDecoder is an [ObjectDecoder] that limits the objects of compressed data: a few compressed bytes can hold very many
// objects. The decoder of package objects is a CompressedDecoder.
type CompressedDecoder interface {
	ObjectDecoder
	// OfCompressed returns the decoder for such data. read returns the number of compressed bytes that have been read.
	OfCompressed(read func() int64) ObjectDecoder
}

// An ObjectEncoder writes the elements of an array of Python objects.
type ObjectEncoder interface {
	// EncodeObjects writes the elements of a that follow its header.
	EncodeObjects(w io.Writer, a *Array) error
}

// objects holds the Python objects of an array and of all its views. Each element of dtype |O is a number of 8 bytes
// in native byte order: 0 for None, k for values[k-1]. No two elements in memory have the same number, except for 0,
// so that setting one does not change another.
type objects struct{ values []any }

func (o *objects) get(item []byte) any {
	k := binary.NativeEndian.Uint64(item)
	if o == nil || k == 0 || k > uint64(len(o.values)) {
		return nil
	}
	return o.values[k-1]
}

func (o *objects) set(item []byte, v any) {
	if k := binary.NativeEndian.Uint64(item); k > 0 && k <= uint64(len(o.values)) {
		o.values[k-1] = v
		return
	}
	if v != nil {
		o.values = append(o.values, v)
		binary.NativeEndian.PutUint64(item, uint64(len(o.values)))
	}
}

// FromObjects returns an array of dtype |O with the elements of values in C order, numpy.array(values, dtype=object).
// The shape is as for [FromSlice]. The array shares the memory of values, as with FromSlice: [Array.SetObject]
// changes values. nil is None. The [ObjectEncoder] decides which other Go values can be written.
func FromObjects(values []any, shape ...int) (*Array, error) {
	if shape == nil {
		shape = []int{len(values)}
	}
	h := format.Header{DType: dtype.Object, Shape: shape}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	if h.Size() != len(values) {
		return nil, diag.Errorf("npy", "%d elements given for shape %s, which has %d", len(values), format.ShapeString(shape), h.Size())
	}
	a := newArray(h, bulk.MakeFill[byte](int(h.NBytes())))
	a.objects = &objects{values[:len(values):len(values)]}
	return a, par.Split(context.Background(), len(values), 1, len(a.nd.Data), func(low, high int) error {
		for i := low; i < high; i++ {
			binary.NativeEndian.PutUint64(a.nd.Data[8*i:], uint64(i)+1)
		}
		return nil
	})
}

// NewObjects returns an array in C order of a dtype with Python objects: |O itself, or a struct with such fields.
// Objects are None and all else is zero, numpy.empty. The error names the fault in the dtype or shape.
func NewObjects(t dtype.Type, shape ...int) (*Array, error) {
	h := format.Header{DType: t, Shape: shape}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	if !t.HasObject() {
		return nil, diag.Errorf("npy", "dtype %s has no objects: use New", t)
	}
	a := newArray(h, bulk.Make(int(h.NBytes())))
	a.objects = new(objects)
	return a, nil
}

// Object returns one element of an array of dtype |O; nil is None. Use [Array.Field] first for a field of a struct.
// Object panics if there is not one index for every axis, one is out of range, or the dtype is not |O.
func (a *Array) Object(index ...int) any { return a.objects.get(a.objectItem(index)) }

// SetObject sets one element of an array of dtype |O, for all views of it. It panics as [Array.Object] does.
func (a *Array) SetObject(v any, index ...int) { a.objects.set(a.objectItem(index), v) }

func (a *Array) objectItem(index []int) []byte {
	if a.nd.DType.Kind() != dtype.KindObject {
		panic(fmt.Sprintf("npy: elements of dtype %s are no objects", a.nd.DType))
	}
	return a.Item(index...)
}

// Objects returns the elements of an array of dtype |O in C order; nil is None. The slice is a copy, its values are
// shared. The error is a [*TypeError].
func (a *Array) Objects() ([]any, error) {
	if a.nd.DType.Kind() != dtype.KindObject {
		return nil, typeError[any](a.nd.DType, "its elements are no objects; see As")
	}
	values := bulk.MakeHuge[any](a.Size())[:0]
	if a.IsC() {
		for item := range slices.Chunk(a.nd.Data[a.nd.Offset:a.nd.Offset+8*a.Size()], 8) {
			values = append(values, a.objects.get(item))
		}
		return values, nil
	}
	for item := range a.nd.Items {
		values = append(values, a.objects.get(item))
	}
	return values, nil
}

// Origin returns the value set by [Array.WithOrigin], or nil.
func (a *Array) Origin() any { return a.origin }

// WithOrigin returns a with an origin: the stored form of the array, as far as a decoder knows it, for the encoder that
// writes it again. The elements are shared. The origin belongs to the whole array. Views and copies get the origin that
// a [PartOrigin] gives them, and otherwise none. Arrays of another dtype have none.
func (a *Array) WithOrigin(origin any) *Array {
	b := *a
	b.origin = origin
	return &b
}

// A PartOrigin is an origin that applies in part to parts of the array, such as the version of NumPy that wrote the
// array.
type PartOrigin interface {
	// Part returns the origin of a view or a copy with elements of the same dtype.
	Part() any
	// Field returns the origin of a view of one field.
	Field(name string) any
}

// A storedOrigin is an origin that knows the stored header of the array, where it differs from the header of the
// elements: np.save writes such a header for a masked array of objects.
type storedOrigin interface{ StoredAs() (format.Header, bool) }

// part returns the origin for parts of a.
func (a *Array) part() any {
	if o, ok := a.origin.(PartOrigin); ok {
		return o.Part()
	}
	return nil
}

// copyOf completes a, whose bytes are a copy of the elements of b: it gives the objects of a numbers of their own.
func (a *Array) copyOf(b *Array) *Array {
	a.origin = b.part()
	from := b.objects
	if from == nil || !a.nd.DType.HasObject() || a.nd.DType.ItemSize() == 0 {
		return a
	}
	a.objects = new(objects)
	for item := range a.nd.Items {
		walkObjects(a.nd.DType, item, func(slot []byte) {
			v := from.get(slot)
			binary.NativeEndian.PutUint64(slot, 0)
			a.objects.set(slot, v)
		})
	}
	return a
}

// walkObjects visits each object within an item of dtype t.
func walkObjects(t dtype.Type, item []byte, visit func(slot []byte)) {
	switch {
	case len(item) == 0 || !t.HasObject():
	case t.Kind() == dtype.KindObject:
		visit(item)
	case t.IsSubarray():
		for size := t.Elem().ItemSize(); len(item) > 0; item = item[size:] {
			walkObjects(t.Elem(), item[:size], visit)
		}
	default:
		for i := range t.NumField() {
			f := t.Field(i)
			walkObjects(f.DType, item[f.Offset:f.Offset+f.DType.ItemSize()], visit)
		}
	}
}

// noObjects returns an error for a dtype with objects, where elements must be plain bytes.
func noObjects(t dtype.Type, hint string) error {
	if !t.HasObject() {
		return nil
	}
	return diag.Errorf("npy", "dtype %s: %w%s", t, ErrObjects, hint)
}

// A scalarObject is an object that is one element of a dtype, such as a NumPy scalar.
type scalarObject interface {
	Scalar() *Array // without dimensions
}

// objectsAs is As for an array of dtype |O: every object must have a value of T.
func objectsAs[T Element](a *Array) (View[T], error) {
	data := make([]T, 0, a.Size())
	for item := range a.nd.Items {
		v := a.objects.get(item)
		x, ok := objectAs[T](v)
		if !ok {
			return View[T]{}, typeError[T](a.nd.DType, fmt.Sprintf("element %s is %s; Array.Objects gives all of them as they are",
				indexText(len(data), a.nd.Shape), describeObject(v)))
		}
		data = append(data, x)
	}
	return View[T]{data: data, shape: a.nd.Shape, strides: nd.Strides(a.nd.Shape, 1, false)}, nil
}

// indexText returns the index of the i-th element in C order as text.
func indexText(i int, shape []int) []byte { return pylit.AppendInts(nil, nd.Unravel(int64(i), shape)) }

// describeObject returns a description of an object of the wrong type, for errors.
func describeObject(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool, int64, float64, complex128, *big.Int:
		return string(arraytext.AppendObject(nil, v, describedMax))
	}
	return fmt.Sprintf("a %T", v)
}

// describedMax is the largest length in bytes of the text of an object in an error.
const describedMax = 40

// objectAs returns v as a T. It returns false if T cannot hold the value of v.
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
