package npy

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/escape"
	"github.com/npygo/npy/internal/jsontext"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/scalar"
)

// A View is the elements of an array as Go values of type T, in any layout. Copies of a View share its elements.
type View[T Element] struct {
	data    []T
	start   int
	shape   []int
	strides []int // in elements
	shared  bool
}

// As returns the elements of a as T. Where T is exactly the type of the elements, byte order and alignment included,
// the View shares the memory of a and [View.Shared] reports true: no element is copied or read. Otherwise the View
// holds a converted copy in C order. T must hold every value of the dtype exactly, as for [Load]; if it cannot, the
// error is a [*TypeError].
//
// Some files do not name the type of their elements, and T decides it. NumPy writes the types of ml_dtypes as void:
// As takes |V1 for each of [scalar.Float8] and [scalar.SmallInt], and |V2 for [scalar.BFloat16]. NumPy writes the
// long doubles of all machines as <f16: As takes <f16 for [scalar.LongDouble], which is right for files from x86, and
// for [scalar.Float128].
//
// The elements of an array of Python objects may have several types. As requires that every element is a T: str as
// string, bytes as []byte, bool, int as any integer type that has the value, float as float64, or as float32 if that
// is exact. Numbers of one kind also become numbers of the next kind with the same value. The error names the first
// element that is not a T.
func As[T Element](a *Array) (View[T], error) { return Loader[T]{}.As(a) }

// As is the function [As] with the Casting of l.
func (l Loader[T]) As(a *Array) (View[T], error) {
	if a.nd.DType.Kind() == dtype.KindObject {
		return objectsAs[T](a)
	}
	if v, ok := viewOf[T](a); ok {
		return v, nil
	}
	decode, err := l.decoder(a.nd.DType)
	if err != nil {
		return View[T]{}, err
	}
	if err := checkEmptyItems(a.Size(), a.nd.DType.ItemSize()); err != nil {
		return View[T]{}, err
	}
	data := bulk.MakeFill[T](a.Size())
	v := View[T]{data: data, shape: a.nd.Shape, strides: nd.Strides(a.nd.Shape, 1, false)}
	if sharesMemory[T](a.nd.DType) { // not aligned where they lie; a gathered copy has the bytes of Ts
		raw, _ := bulk.Bytes(data)
		a.nd.CopyTo(raw, nd.Strides(a.nd.Shape, a.nd.DType.ItemSize(), false))
		return v, nil
	}
	src, _ := a.Contiguous().ViewBytes()
	if err := decodeBlocks(decode, data, src, 0); err != nil {
		return View[T]{}, err
	}
	return v, nil
}

// viewMemory returns a View of the bytes from the first to the last element in memory. It reports false if the
// elements are not aligned for T or their strides are not multiples of the element size.
func viewMemory[T Element](a *Array) (View[T], bool) {
	if a.Size() == 0 {
		return View[T]{shape: a.nd.Shape, strides: nd.Strides(a.nd.Shape, 1, false), shared: true}, true
	}
	size := a.nd.DType.ItemSize()
	strides := make([]int, len(a.nd.Shape))
	for i, n := range a.nd.Shape {
		if n > 1 && a.nd.Strides[i]%size != 0 {
			return View[T]{}, false
		}
		strides[i] = a.nd.Strides[i] / size
	}
	low, high := a.nd.Extent()
	data, ok := bulk.View[T](a.nd.Data[low:high])
	return View[T]{data: data, start: (a.nd.Offset - low) / size, shape: a.nd.Shape, strides: strides, shared: true}, ok
}

// decodeBlocks decodes src, which holds len(dst) elements, a block at a time: blocks stay in the cache, and the
// buffers of decoders stay small. Errors count elements from first.
func decodeBlocks[T Element](decode decoder[T], dst []T, src []byte, first int) error {
	const block = 16 * codec.Chunk
	size := 0
	if len(dst) > 0 {
		size = len(src) / len(dst)
	}
	for len(dst) > 0 {
		n := min(block, len(dst))
		if err := decode(dst[:n], src[:n*size]); err != nil {
			return codec.Count(err, first)
		}
		dst, src, first = dst[n:], src[n*size:], first+n
	}
	return nil
}

// emptyItemsMax is the number of elements without bytes that become Go values without a check. A shape can claim any
// number of such elements, and no byte in the file backs them.
const emptyItemsMax = 1 << 20

func checkEmptyItems(n, itemSize int) error {
	if itemSize == 0 && n > emptyItemsMax {
		return diag.Wrap("npy", bounded.Over("", emptyItemsMax, n, "%d elements of 0 bytes are over %d", n, emptyItemsMax))
	}
	return nil
}

// Shape returns the number of elements along each axis. The slice is a copy.
func (v View[T]) Shape() []int { return slices.Clone(v.shape) }

// NDim returns the number of dimensions.
func (v View[T]) NDim() int { return len(v.shape) }

// Len returns the length of the first axis, 1 if there is none.
func (v View[T]) Len() int {
	if len(v.shape) == 0 {
		return 1
	}
	return v.shape[0]
}

// Size returns the number of elements.
func (v View[T]) Size() int {
	return nd.Size(v.shape)
}

// Shared reports whether v shares the memory of its array, so that [View.Set] changes the array.
func (v View[T]) Shared() bool { return v.shared }

// At returns the element at the given index. Like a Go slice it panics if an index is out of range, or if there is
// not one index for every axis.
func (v View[T]) At(index ...int) T { return v.data[v.offset(index)] }

// Set changes the element at the given index. It panics as [View.At] does.
func (v View[T]) Set(x T, index ...int) { v.data[v.offset(index)] = x }

func (v View[T]) offset(index []int) int { return nd.Position(index, v.shape, v.strides, v.start) }

// Row returns the view of position i along the first axis, a[i] in NumPy. It panics if i is out of range or v has no
// dimensions.
func (v View[T]) Row(i int) View[T] {
	if len(v.shape) == 0 || uint(i) >= uint(v.shape[0]) {
		panic(fmt.Sprintf("npy: row %d is out of range for shape %v", i, v.shape))
	}
	return View[T]{v.data, v.start + i*v.strides[0], v.shape[1:], v.strides[1:], v.shared}
}

// Rows iterates over the first axis: each position, and the view of its row.
func (v View[T]) Rows() iter.Seq2[int, View[T]] {
	return func(yield func(int, View[T]) bool) {
		for i := range v.Len() {
			row := v
			if len(v.shape) > 0 {
				row = v.Row(i)
			}
			if !yield(i, row) {
				return
			}
		}
	}
}

// Values iterates over all elements in C order.
func (v View[T]) Values() iter.Seq[T] {
	return func(yield func(T) bool) { v.walk(yield) }
}

// walk calls yield for the elements in C order, until yield returns false. It reports whether yield saw all of them.
func (v View[T]) walk(yield func(T) bool) bool {
	switch len(v.shape) {
	case 0:
		return yield(v.data[v.start])
	case 1:
		for i, at := 0, v.start; i < v.shape[0]; i, at = i+1, at+v.strides[0] {
			if !yield(v.data[at]) {
				return false
			}
		}
		return true
	}
	if v.Size() == 0 {
		return true
	}
	for i := range v.shape[0] {
		if !v.Row(i).walk(yield) {
			return false
		}
	}
	return true
}

// ViewSlice returns the elements as a slice in C order, sharing the memory of v. It reports false if they are not
// contiguous in C order: use [View.ToSlice] for a copy.
func (v View[T]) ViewSlice() ([]T, bool) {
	n := v.Size()
	switch {
	case n == 0:
		return []T{}, true
	case !nd.IsContiguous(v.shape, v.strides, 1, false):
		return nil, false
	}
	return v.data[v.start : v.start+n : v.start+n], true
}

// ToSlice returns a copy of the elements in C order.
func (v View[T]) ToSlice() []T {
	out := bulk.MakeFill[T](v.Size())
	if len(out) > 0 {
		bulk.Copy(out, 0, nd.Strides(v.shape, 1, false), v.data, v.start, v.strides, v.shape)
	}
	return out
}

// FromSlice returns an array of the elements of data in C order, with the dtype that [DTypeOf] gives for T. Without a
// shape, or with a nil shape, the array has one dimension. A shape that is empty and not nil, as [Load] returns it,
// means a single element without dimensions. Strings get the dtype of the longest string ("<U7"), and so do byte
// slices ("|S7").
//
// The array shares the memory of data where it can, which excludes bool, string and []byte. Times have no step in Go
// and need [FromSliceAs].
func FromSlice[T Element](data []T, shape ...int) (*Array, error) {
	t, err := codec.Of[T]().DTypeOf(data)
	if err != nil {
		return nil, err
	}
	if needsStep(t) {
		return nil, typeError[T](t, "the step is not known; use FromSliceAs with dtype.Datetime64(step) or dtype.Timedelta64(step)")
	}
	return FromSliceAs(t, data, shape...)
}

// needsStep reports whether t is the dtype of times without a step.
func needsStep(t dtype.Type) bool {
	return (t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta) && t.Step().Unit == dtype.Generic
}

// FromSliceAs is [FromSlice] with a dtype of the caller's choice: another byte order, the step of a time, the length of
// a string, or |V1, |V2 and <f16 for the types that [As] takes them for. In all else the dtype must be T's, or the
// error is a [*TypeError]. Strings and byte slices that are too long, or that end in NUL characters, which NumPy would
// drop, are an error too.
func FromSliceAs[T Element](t dtype.Type, data []T, shape ...int) (*Array, error) {
	return fromSlice(t, data, shape, exactly)
}

// exactly is stricter than every Casting: dtypes that hold all values of the Go type are refused too.
const exactly Casting = -1

// fromSlice is FromSliceAs with the conversions that a Casting allows.
func fromSlice[T Element](t dtype.Type, data []T, shape []int, casting Casting) (*Array, error) {
	if shape == nil {
		shape = []int{len(data)}
	}
	h := format.Header{DType: t, Shape: shape}
	if err := check(h); err != nil {
		return nil, err
	}
	if h.Size() != len(data) {
		return nil, diag.Errorf("npy", "%d elements given for shape %s, which has %d", len(data), format.ShapeString(shape), h.Size())
	}
	encode, err := encoderTo[T](t, casting)
	if err != nil {
		return nil, err
	}
	if sharesMemory[T](t) {
		if raw, ok := bulk.Bytes(data); ok {
			return newArray(h, raw), nil
		}
	}
	raw, size := bulk.MakeFill[byte](int(h.NBytes())), t.ItemSize()
	err = par.Split(context.Background(), len(data), 1, len(raw), func(low, high int) error {
		return codec.Count(encode(raw[low*size:high*size], data[low:high]), low)
	})
	if err != nil {
		return nil, err
	}
	return newArray(h, raw), nil
}

// MarshalJSON returns the elements as nested lists, as [Array.MarshalJSON] does. Times are numbers of ticks, since a
// View does not know their step. A View cannot be unmarshaled: unmarshal an Array and use [As].
func (v View[T]) MarshalJSON() ([]byte, error) {
	if len(v.shape) == 0 && len(v.data) == 0 {
		return nil, diag.New("npy", "the zero View has no elements and no JSON; use As")
	}
	t := DTypeOf[T]()
	var x T // the element for format
	format, err := viewFormat(t, &x)
	if err != nil {
		return nil, diag.Wrap("npy", err)
	}
	dst, err := elem.AppendJSON(nil, t, format, v.shape, v.Size(), func(yield func([]byte) bool) {
		v.walk(func(value T) bool {
			x = value
			return yield(nil)
		})
	})
	if err != nil {
		return nil, diag.Wrap("npy", err)
	}
	return dst, nil
}

// UnmarshalJSON returns an error: a View is a view of an [Array]. Unmarshal the Array.
func (v *View[T]) UnmarshalJSON([]byte) error {
	return diag.Errorf("npy", "unmarshal JSON into a View: unmarshal an Array of dtype %s and use As: %w", DTypeOf[T](), errors.ErrUnsupported)
}

// viewFormat returns the function that writes *x, whose dtype is t. The function ignores its item argument.
func viewFormat[T Element](t dtype.Type, x *T) (elem.FormatFunc, error) {
	switch value := reflect.ValueOf(x).Elem(); value.Kind() {
	case reflect.String:
		return func(dst, _ []byte) ([]byte, error) {
			start := len(dst)
			dst, err := escape.AppendStr(append(dst, '"'), value.String())
			return jsontext.CloseString(dst, start), err
		}, nil
	case reflect.Slice:
		return func(dst, _ []byte) ([]byte, error) {
			start := len(dst)
			return jsontext.CloseString(escape.AppendBytes(append(dst, '"'), value.Bytes()), start), nil
		}, nil
	}
	quad := codec.Base(reflect.TypeFor[T]()) == reflect.TypeFor[scalar.Float128]()
	format, err := elem.Texts{}.JSONFormat(t, false, elem.Texts{Float128: quad}.Formatter)
	encode, ok := encoderFor[T](t)
	if err != nil || !ok {
		return nil, errors.Join(err, typeError[T](t, "it has no JSON"))
	}
	item := make([]byte, t.ItemSize())
	return func(dst, _ []byte) ([]byte, error) {
		if err := encode(item, []T{*x}); err != nil {
			return dst, err
		}
		return format(dst, item)
	}, nil
}
