package npy

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/scalar"
)

// FromSlice returns an array of the elements of data in C order, with the dtype that [DTypeOf] gives for T. Without a
// shape, that is with none or nil, it has one dimension; a shape that is empty and not nil, as [Load] returns it, is that
// of a single element without dimensions. Strings get the dtype of the longest ("<U7"), byte slices too ("|S7").
//
// The array shares the memory of data where it can: not for bool, string and []byte. Times have no step in Go and need
// [FromSliceAs].
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
		t = dtype.Str(max(n, 1)) // as NumPy: at least one
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

// FromSliceAs is [FromSlice] with a dtype of the caller's choice: another byte order, the step of a time, the length of
// a string; |V1, |V2 and <f16 for the types that [As] takes them for. The dtype must be that of T in all else, or the error is a [*TypeError]. Strings and bytes that are too
// long, or that end in NUL characters, which NumPy would drop, are an error too.
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
	err := bulk.Parallel(len(data), 1, len(raw), func(low, high int) error {
		err := encode(raw[low*size:high*size], data[low:high])
		if e, ok := err.(*elementError); ok {
			e.index += low
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return newArray(h, raw), nil
}

// An encoder writes elements as bytes: all of src to the start of dst. It is the reverse of a decoder.
type encoder[T Element] func(dst []byte, src []T) error

// encoderFor returns the way from T to t, and false if t is not a dtype for T.
func encoderFor[T Element](t dtype.Type) (encoder[T], bool) {
	var e any
	swap := !t.IsNative()
	switch any(*new(T)).(type) {
	case string:
		e = stringEncoder(t)
	case []byte:
		e = bytesEncoder(t)
	case scalar.LongDouble:
		e = longEncoder(t)
	case scalar.LongComplex:
		e = longComplexEncoder(t)
	case scalar.Float128:
		e = quadEncoder(t)
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
		return encoder[bool](func(dst []byte, src []bool) error { bulk.PutBools(dst, src); return nil })
	case int:
		return plainEncoder[int](swap)
	case int8:
		return plainEncoder[int8](swap)
	case int16:
		return plainEncoder[int16](swap)
	case int32:
		return plainEncoder[int32](swap)
	case int64:
		return plainEncoder[int64](swap)
	case uint:
		return plainEncoder[uint](swap)
	case uint8:
		return plainEncoder[uint8](swap)
	case uint16:
		return plainEncoder[uint16](swap)
	case uint32:
		return plainEncoder[uint32](swap)
	case uint64:
		return plainEncoder[uint64](swap)
	case float32:
		return plainEncoder[float32](swap)
	case float64:
		return plainEncoder[float64](swap)
	case complex64:
		return plainEncoder[complex64](swap)
	case complex128:
		return plainEncoder[complex128](swap)
	case scalar.Float16:
		return bitsEncoder(swap, func(x scalar.Float16) uint16 { return uint16(x) })
	case scalar.BFloat16:
		return bitsEncoder(swap, func(x scalar.BFloat16) uint16 { return uint16(x) })
	case scalar.Float8E5M2:
		return bitsEncoder(swap, func(x scalar.Float8E5M2) uint8 { return uint8(x) })
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
		return bitsEncoder(swap, func(x scalar.Datetime64) int64 { return int64(x) })
	case scalar.Timedelta64:
		return bitsEncoder(swap, func(x scalar.Timedelta64) int64 { return int64(x) })
	}
	return encoder[scalar.Complex32](func(dst []byte, src []scalar.Complex32) error {
		halves := make([]uint16, 0, 2*len(src))
		for _, c := range src {
			halves = append(halves, uint16(c.Real), uint16(c.Imag))
		}
		bulk.Encode(dst, halves, swap)
		return nil
	})
}

func plainEncoder[T interface {
	Element
	bulk.Number
}](swap bool) encoder[T] {
	return func(dst []byte, src []T) error { bulk.Encode(dst, src, swap); return nil }
}

func bitsEncoder[T Element, S bulk.Number](swap bool, bits func(T) S) encoder[T] {
	return func(dst []byte, src []T) error {
		buf := make([]S, min(chunk, len(src)))
		for len(src) > 0 {
			n := min(len(buf), len(src))
			size := len(dst) / len(src) * n
			for i, x := range src[:n] {
				buf[i] = bits(x)
			}
			bulk.Encode(dst[:size], buf[:n], swap)
			dst, src = dst[size:], src[n:]
		}
		return nil
	}
}

func codesEncoder[T scalar.Float8 | scalar.SmallInt]() encoder[T] {
	return bitsEncoder(false, func(x T) uint8 { return uint8(x) })
}

func stringEncoder(t dtype.Type) encoder[string] {
	size, big := t.ItemSize(), t.ByteOrder() == dtype.BigEndian
	if t.Kind() != dtype.KindStr {
		return nil
	}
	return func(dst []byte, src []string) error {
		for i, s := range src {
			if strings.HasSuffix(s, "\x00") {
				return &elementError{i, errTrailingNUL}
			}
			if err := scalar.PutUCS4(dst[i*size:(i+1)*size], s, big); err != nil {
				return &elementError{i, err}
			}
		}
		return nil
	}
}

var errTrailingNUL = fmt.Errorf("NumPy drops NULs at the end of strings and bytes, so the value would change; use dtype.Void for binary data")

func bytesEncoder(t dtype.Type) encoder[[]byte] {
	size := t.ItemSize()
	void := t.Kind() == dtype.KindVoid && !t.IsStruct() && !t.IsSubarray()
	if t.Kind() != dtype.KindBytes && !void {
		return nil
	}
	return func(dst []byte, src [][]byte) error {
		for i, b := range src {
			switch {
			case void && len(b) != size:
				return &elementError{i, fmt.Errorf("%d bytes given for dtype %s", len(b), t)}
			case len(b) > size:
				return &elementError{i, fmt.Errorf("%d bytes are too long for dtype %s", len(b), t)}
			case !void && bytes.HasSuffix(b, []byte{0}):
				return &elementError{i, errTrailingNUL}
			}
			clear(dst[i*size+copy(dst[i*size:], b) : (i+1)*size])
		}
		return nil
	}
}

func longEncoder(t dtype.Type) encoder[scalar.LongDouble] {
	size, big := t.ItemSize(), t.ByteOrder() == dtype.BigEndian
	if t.Kind() != dtype.KindFloat || size < 12 {
		return nil
	}
	return func(dst []byte, src []scalar.LongDouble) error {
		for i, x := range src {
			if err := x.PutBytes(dst[i*size:(i+1)*size], big); err != nil {
				return &elementError{i, err}
			}
		}
		return nil
	}
}

func quadEncoder(t dtype.Type) encoder[scalar.Float128] {
	if !onRequest[scalar.Float128](t) {
		return nil
	}
	big := t.ByteOrder() == dtype.BigEndian
	return func(dst []byte, src []scalar.Float128) error {
		for i, x := range src {
			_ = x.PutBytes(dst[16*i:16*(i+1)], big) // the size is right
		}
		return nil
	}
}

func longComplexEncoder(t dtype.Type) encoder[scalar.LongComplex] {
	half, big := t.ItemSize()/2, t.ByteOrder() == dtype.BigEndian
	if t.Kind() != dtype.KindComplex || half < 12 {
		return nil
	}
	return func(dst []byte, src []scalar.LongComplex) error {
		for i, c := range src {
			item := dst[2*i*half : (2*i+2)*half]
			if err := c.Real.PutBytes(item[:half], big); err != nil {
				return &elementError{i, err}
			}
			if err := c.Imag.PutBytes(item[half:], big); err != nil {
				return &elementError{i, err}
			}
		}
		return nil
	}
}

// AsType returns a copy of a with another dtype that holds every value of the old one, ndarray.astype: a wider number,
// another byte order, a longer string. The copy is in Fortran order if a is, else in C order. Structs can only change their byte order, which t must say for each field. The
// error says that values could change, or which element does not fit: a string may become shorter if it has the room. Objects that are all
// str, as those of NumPy's StringDType, become a str or bytes dtype, with a size of 0 that of the longest.
func (a *Array) AsType(t dtype.Type) (*Array, error) {
	switch {
	case a.header().FortranOrder:
		b, err := a.T().AsType(t)
		if err != nil {
			return nil, err
		}
		return b.T(), nil
	case a.dtype.Equal(t):
		return a.Clone(), nil
	case a.dtype.HasObject():
		return a.castText(t, SafeCasting)
	case a.dtype.IsStruct() && a.dtype.WithByteOrder(dtype.NativeEndian).Equal(t.WithByteOrder(dtype.NativeEndian)):
		return a.reorder(t)
	}
	for _, convert := range conversions {
		b, ok, err := convert(a, t)
		if ok {
			return b, err
		}
	}
	return nil, fmt.Errorf("npy: no conversion from dtype %s to %s keeps every value", a.dtype, t)
}

// reorder returns a copy of a struct array with the byte orders of t, which is the same struct in all else. The padding
// is copied as it is.
func (a *Array) reorder(t dtype.Type) (*Array, error) {
	b := a.Clone()
	b.dtype, b.origin = t, nil
	for _, f := range t.Fields() {
		from, err := a.Field(f.Name)
		if err != nil {
			return nil, err
		}
		to, err := b.Field(f.Name)
		if err != nil {
			return nil, err
		}
		if from, err = from.AsType(to.dtype); err != nil {
			return nil, err
		}
		if to.Size() > 0 {
			bulk.CopyBytes(to.data, to.start, to.strides, from.data, from.start, from.strides, to.shape, to.dtype.ItemSize())
		}
	}
	return b, nil
}

// conversions holds a way for each Go type, so that As and FromSliceAs decide what is exact.
var conversions = [...]func(*Array, dtype.Type) (*Array, bool, error){
	via[bool], via[scalar.Int4], via[scalar.Uint4], via[scalar.Int2], via[scalar.Uint2], via[int8], via[int16], via[int32], via[int64], via[uint8], via[uint16], via[uint32], via[uint64],
	via[scalar.Float8E3M4], via[scalar.Float8E4M3], via[scalar.Float8E4M3FN], via[scalar.Float8E4M3FNUZ],
	via[scalar.Float8E4M3B11FNUZ], via[scalar.Float8E5M2FNUZ], via[scalar.Float8E8M0FNU], via[scalar.Float6E2M3FN], via[scalar.Float6E3M2FN], via[scalar.Float4E2M1FN],
	via[scalar.Float16], via[scalar.BFloat16], via[scalar.Float8E5M2], via[float32], via[float64], via[scalar.LongDouble],
	via[scalar.Complex32], via[complex64], via[complex128], via[scalar.LongComplex],
	via[scalar.Datetime64], via[scalar.Timedelta64], via[string], via[[]byte],
}

func via[T Element](a *Array, t dtype.Type) (*Array, bool, error) {
	_, decodes := decoderFor[T](a.dtype)
	_, encodes := encoderFor[T](t)
	renames := isNamed(a.dtype) && isNamed(t) && a.dtype.Name() != t.Name() // what the bytes mean would change
	if !decodes || !encodes || a.dtype.Step() != t.Step() || renames && isBytes[T]() {
		return nil, false, nil
	}
	v, err := As[T](a)
	if err != nil {
		return nil, true, err
	}
	b, err := FromSliceAs(t, v.ToSlice(), append([]int{}, a.shape...)...) // never nil
	return b, true, err
}

func isBytes[T Element]() bool {
	_, ok := any(*new(T)).([]byte)
	return ok
}
