package npy

import (
	"context"
	"fmt"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/scalar"
)

// FromSlice returns an array of the elements of data in C order, with the dtype that [DTypeOf] gives for T. Without a
// shape, or with a nil shape, the array has one dimension. A shape that is empty and not nil, as [Load] returns it,
// means a single element without dimensions. Strings get the dtype of the longest string ("<U7"), and so do byte
// slices ("|S7").
//
// The array shares the memory of data where it can, which excludes bool, string and []byte. Times have no step in Go
// and need [FromSliceAs].
func FromSlice[T Element](data []T, shape ...int) (*Array, error) {
	t := DTypeOf[T]()
	switch data := any(data).(type) {
	case []string:
		n := 0
		for _, s := range data {
			n = max(n, scalar.UCS4Len(s))
		}
		if n > dtype.MaxItemSize/4 {
			return nil, fmt.Errorf("npy: a string of %d characters is longer than NumPy can store", n)
		}
		t = dtype.Str(max(n, 1)) // at least one, as in NumPy
	case [][]byte:
		n := 0
		for _, b := range data {
			n = max(n, len(b))
		}
		if n > dtype.MaxItemSize {
			return nil, fmt.Errorf("npy: an element of %d bytes is longer than NumPy can store", n)
		}
		t = dtype.Bytes(max(n, 1))
	case []scalar.Datetime64, []scalar.Timedelta64:
		return nil, typeError[T](t, "the step is not known; use FromSliceAs with dtype.Datetime64(step) or dtype.Timedelta64(step)")
	}
	return FromSliceAs(t, data, shape...)
}

// FromSliceAs is [FromSlice] with a dtype of the caller's choice: another byte order, the step of a time, the length
// of a string, or |V1, |V2 and <f16 for the types that [As] takes them for. In all else the dtype must be that of T,
// or the error is a [*TypeError]. Strings and byte slices that are too long, or that end in NUL characters, which
// NumPy would drop, are an error too.
func FromSliceAs[T Element](t dtype.Type, data []T, shape ...int) (*Array, error) {
	if shape == nil {
		shape = []int{len(data)}
	}
	h := format.Header{DType: t, Shape: shape}
	if err := check(h); err != nil {
		return nil, err
	}
	if h.Size() != len(data) {
		return nil, fmt.Errorf("npy: %d elements given for shape %s, which has %d", len(data), format.ShapeString(shape), h.Size())
	}
	encode, ok := encoderFor[T](t)
	if !ok {
		return nil, typeError[T](t, "the dtype of this Go type is "+DTypeOf[T]().Descr())
	}
	if sharesMemory[T](t) {
		if raw, ok := bulk.Bytes(data); ok {
			return newArray(h, raw), nil
		}
	}
	raw, size := bulk.MakeFill[byte](int(h.NBytes())), t.ItemSize()
	err := par.Split(context.Background(), len(data), 1, len(raw), func(low, high int) error {
		return codec.Count(encode(raw[low*size:high*size], data[low:high]), low)
	})
	if err != nil {
		return nil, err
	}
	return newArray(h, raw), nil
}

// An encoder writes Go values as the bytes of elements.
type encoder[T Element] = codec.Encoder[T]

// encoderFor returns the encoder from T to t. It returns false if t is not a dtype for T.
func encoderFor[T Element](t dtype.Type) (encoder[T], bool) {
	var e any
	swap := !t.IsNative()
	switch any(*new(T)).(type) {
	case string:
		e = codec.PutStrings(t)
	case []byte:
		e = codec.PutBytes(t)
	case scalar.LongDouble:
		e = codec.PutLongDoubles(t)
	case scalar.LongComplex:
		e = codec.PutLongComplex(t)
	case scalar.Float128:
		e = codec.PutFloat128s(t)
	default:
		switch {
		case sameBits[T](t):
		case onRequest[T](t):
			swap = dtype.NativeEndian == dtype.BigEndian
		default:
			return nil, false
		}
		e = numberEncoder[T](swap)
	}
	enc := e.(encoder[T])
	return enc, enc != nil
}

func numberEncoder[T Element](swap bool) any {
	switch any(*new(T)).(type) {
	case bool:
		return encoder[bool](codec.PutBools)
	case int:
		return codec.Put[int](swap)
	case int8:
		return codec.Put[int8](swap)
	case int16:
		return codec.Put[int16](swap)
	case int32:
		return codec.Put[int32](swap)
	case int64:
		return codec.Put[int64](swap)
	case uint:
		return codec.Put[uint](swap)
	case uint8:
		return codec.Put[uint8](swap)
	case uint16:
		return codec.Put[uint16](swap)
	case uint32:
		return codec.Put[uint32](swap)
	case uint64:
		return codec.Put[uint64](swap)
	case float32:
		return codec.Put[float32](swap)
	case float64:
		return codec.Put[float64](swap)
	case complex64:
		return codec.Put[complex64](swap)
	case complex128:
		return codec.Put[complex128](swap)
	case scalar.Float16:
		return codec.PutEach(swap, func(x scalar.Float16) uint16 { return uint16(x) })
	case scalar.BFloat16:
		return codec.PutEach(swap, func(x scalar.BFloat16) uint16 { return uint16(x) })
	case scalar.Float8E5M2:
		return codec.PutEach(swap, func(x scalar.Float8E5M2) uint8 { return uint8(x) })
	case scalar.Float8E3M4:
		return codesEncoder[scalar.Float8E3M4]()
	case scalar.Float8E4M3:
		return codesEncoder[scalar.Float8E4M3]()
	case scalar.Float8E4M3FN:
		return codesEncoder[scalar.Float8E4M3FN]()
	case scalar.Float8E4M3FNUZ:
		return codesEncoder[scalar.Float8E4M3FNUZ]()
	case scalar.Float8E4M3B11FNUZ:
		return codesEncoder[scalar.Float8E4M3B11FNUZ]()
	case scalar.Float8E5M2FNUZ:
		return codesEncoder[scalar.Float8E5M2FNUZ]()
	case scalar.Float8E8M0FNU:
		return codesEncoder[scalar.Float8E8M0FNU]()
	case scalar.Float6E2M3FN:
		return codesEncoder[scalar.Float6E2M3FN]()
	case scalar.Float6E3M2FN:
		return codesEncoder[scalar.Float6E3M2FN]()
	case scalar.Float4E2M1FN:
		return codesEncoder[scalar.Float4E2M1FN]()
	case scalar.Int4:
		return codesEncoder[scalar.Int4]()
	case scalar.Uint4:
		return codesEncoder[scalar.Uint4]()
	case scalar.Int2:
		return codesEncoder[scalar.Int2]()
	case scalar.Uint2:
		return codesEncoder[scalar.Uint2]()
	case scalar.Datetime64:
		return codec.PutEach(swap, func(x scalar.Datetime64) int64 { return int64(x) })
	case scalar.Timedelta64:
		return codec.PutEach(swap, func(x scalar.Timedelta64) int64 { return int64(x) })
	}
	return codec.PutComplex32(swap)
}

func codesEncoder[T scalar.Float8 | scalar.SmallInt]() encoder[T] {
	return codec.PutEach(false, func(x T) uint8 { return uint8(x) })
}
