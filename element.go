package npy

import (
	"reflect"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// An Element is a Go type for array elements. doc/dtypes.md lists the dtypes of each.
type Element interface {
	bool | int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | complex64 | complex128 | string | []byte |
		scalar.Float16 | scalar.BFloat16 | scalar.Float8 | scalar.SmallInt | scalar.Complex32 |
		scalar.LongDouble | scalar.LongComplex | scalar.Float128 | scalar.Datetime64 | scalar.Timedelta64
}

// DTypeOf returns the dtype that holds elements of T, in native byte order. Strings and byte slices give "<U0" and
// "|S0", without a length. Times are generic: their step is not part of the Go type.
func DTypeOf[T Element]() dtype.Type { return codec.DTypeOf[T]() }

// GoTypes returns the Go types that hold every value of t exactly, the closest one first: the types that [Load] and
// [As] take for t. It is empty for structs and objects. It does not list types that only the caller can know, because
// the file does not name them: see [As].
func GoTypes(t dtype.Type) []reflect.Type {
	var types []reflect.Type
	for _, c := range candidates {
		if c.fits(t) {
			types = append(types, c.goType)
		}
	}
	return types
}

type candidate struct {
	goType reflect.Type
	fits   func(dtype.Type) bool
}

func candidateFor[T Element]() candidate {
	return candidate{reflect.TypeFor[T](), func(t dtype.Type) bool { _, ok := decoderFor[T](t); return ok && !onRequest[T](t) }}
}

// candidates lists every Element, within each family from the narrowest to the widest.
var candidates = [...]candidate{
	candidateFor[bool](),
	candidateFor[scalar.Uint2](), candidateFor[scalar.Int2](), candidateFor[scalar.Uint4](), candidateFor[scalar.Int4](),
	candidateFor[uint8](), candidateFor[int8](), candidateFor[uint16](), candidateFor[int16](),
	candidateFor[uint32](), candidateFor[int32](), candidateFor[uint64](), candidateFor[int64](), candidateFor[uint](), candidateFor[int](),
	candidateFor[scalar.Float6E2M3FN](), candidateFor[scalar.Float6E3M2FN](), candidateFor[scalar.Float4E2M1FN](),
	candidateFor[scalar.Float8E3M4](), candidateFor[scalar.Float8E4M3](), candidateFor[scalar.Float8E4M3FN](), candidateFor[scalar.Float8E4M3FNUZ](),
	candidateFor[scalar.Float8E4M3B11FNUZ](), candidateFor[scalar.Float8E5M2FNUZ](), candidateFor[scalar.Float8E8M0FNU](),
	candidateFor[scalar.Float8E5M2](), candidateFor[scalar.BFloat16](), candidateFor[scalar.Float16](),
	candidateFor[float32](), candidateFor[float64](), candidateFor[scalar.LongDouble](),
	candidateFor[scalar.Complex32](), candidateFor[complex64](), candidateFor[complex128](), candidateFor[scalar.LongComplex](),
	candidateFor[scalar.Datetime64](), candidateFor[scalar.Timedelta64](),
	candidateFor[[]byte](), candidateFor[string](),
}

// sharesMemory reports whether the bytes of t, unchanged, are values of T in memory. Bools do not share memory: in a
// file any byte but 0 is true.
func sharesMemory[T Element](t dtype.Type) bool {
	if !bulk.Shares || !t.IsNative() {
		return false
	}
	switch any(*new(T)).(type) {
	case bool, string, []byte, scalar.Float128:
		return false
	case scalar.LongDouble, scalar.LongComplex: // in the format of x86
		if dtype.NativeEndian == dtype.BigEndian {
			return false
		}
	}
	return sameBits[T](t) || onRequest[T](t) && (t.ItemSize() == 1 || dtype.NativeEndian == dtype.LittleEndian)
}

// onRequest reports whether t may be the dtype of T although neither t nor the bytes name T: NumPy writes the types
// of ml_dtypes as void, and uses one descr for all long doubles.
func onRequest[T Element](t dtype.Type) bool {
	own := DTypeOf[T]()
	if _, ok := any(*new(T)).(scalar.Float128); ok {
		return t.Kind() == dtype.KindFloat && t.ItemSize() == 16
	}
	return elem.IsNamed(own) && t.Equal(dtype.Void(own.ItemSize()))
}

// sameBits reports whether t is the dtype of T, apart from byte order and the step of a time.
func sameBits[T Element](t dtype.Type) bool {
	own := DTypeOf[T]()
	if own.Kind() == dtype.KindDatetime || own.Kind() == dtype.KindTimedelta {
		return own.Kind() == t.Kind()
	}
	return own.WithByteOrder(dtype.NativeEndian).Equal(t.WithByteOrder(dtype.NativeEndian))
}

// doesNotFit returns the error for elements of t that are wanted as T.
func doesNotFit[T Element](t dtype.Type) error {
	hint := "package record reads structs into Go structs, Array.Field one field of them"
	if !t.IsStruct() {
		names := []string{}
		for _, g := range GoTypes(t) {
			names = append(names, g.String())
		}
		hint = "values could change; ask for " + strings.Join(names, " or ") + otherWays(t)
		if len(names) == 0 {
			hint = "no Go type holds it exactly"
		}
		for c := SameKindCasting; c <= UnsafeCasting; c++ {
			if _, ok := castingDecoder[T](t, c); ok {
				hint += ", or allow the change with Casting: " + c.GoString()
				break
			}
		}
	}
	return typeError[T](t, hint)
}

// otherWays returns a hint at other ways to the values of t than its Go types.
func otherWays(t dtype.Type) string {
	switch {
	case t.Kind() == dtype.KindDatetime:
		return ", or use LoadTimes or ToTimes"
	case t.Kind() == dtype.KindTimedelta:
		return ", or use LoadDurations or ToDurations"
	case t.Equal(dtype.Void(2)):
		return ", or if it is bfloat16, which NumPy writes as void, for scalar.BFloat16, or say so with Decoder.VoidAs or AsType"
	case t.Equal(dtype.Void(1)):
		return ", or if it is of ml_dtypes, whose types NumPy writes as void, for the one that it is, such as scalar.Float8E4M3FN or scalar.Int4, " +
			"or say which with Decoder.VoidAs or AsType"
	}
	return ""
}

// A decoder reads elements as Go values.
type decoder[T Element] = codec.Decoder[T]

// An elementError names an element that cannot be converted.
type elementError = codec.ElementError

// decoderFor returns the decoder from t to T. It returns false if T cannot hold every value of t.
func decoderFor[T Element](t dtype.Type) (decoder[T], bool) {
	var d any // a decoder[T], which may be nil
	switch any(*new(T)).(type) {
	case bool:
		d = codec.Bools(t)
	case int8:
		d = codec.Real[int8](t)
	case int16:
		d = codec.Real[int16](t)
	case int32:
		d = codec.Real[int32](t)
	case int64:
		d = codec.Real[int64](t)
	case int:
		d = codec.Real[int](t)
	case uint8:
		d = codec.Real[uint8](t)
	case uint16:
		d = codec.Real[uint16](t)
	case uint32:
		d = codec.Real[uint32](t)
	case uint64:
		d = codec.Real[uint64](t)
	case uint:
		d = codec.Real[uint](t)
	case float32:
		d = codec.Real[float32](t)
	case float64:
		d = codec.Real[float64](t)
	case complex64:
		d = codec.Complex[complex64](t)
	case complex128:
		d = codec.Complex[complex128](t)
	case string:
		d = codec.Strings(t)
	case []byte:
		d = codec.Bytes(t)
	default:
		d = scalarDecoder[T](t)
	}
	dec := d.(decoder[T])
	return dec, dec != nil
}

// scalarDecoder returns the decoder for a type of package scalar, each for its own dtype only. Long doubles of 12 and
// of 16 bytes are the same numbers.
func scalarDecoder[T Element](t dtype.Type) any {
	swap := !t.IsNative()
	is := func(k dtype.Kind, sizes ...int) bool {
		for _, n := range sizes {
			if t.Kind() == k && t.ItemSize() == n {
				return true
			}
		}
		return false
	}
	var none decoder[T]
	switch any(*new(T)).(type) {
	case scalar.Float16:
		if is(dtype.KindFloat, 2) {
			return codec.Each(swap, func(x uint16) scalar.Float16 { return scalar.Float16(x) })
		}
	case scalar.BFloat16:
		if onRequest[T](t) { // written by a little-endian machine, as all such files are
			swap = dtype.NativeEndian == dtype.BigEndian
		}
		if elem.IsBFloat16(t) || onRequest[T](t) {
			return codec.Each(swap, func(x uint16) scalar.BFloat16 { return scalar.BFloat16(x) })
		}
	case scalar.Float8E5M2:
		if is(dtype.KindFloat, 1) {
			return codec.Each(false, func(x uint8) scalar.Float8E5M2 { return scalar.Float8E5M2(x) })
		}
	case scalar.Complex32:
		if is(dtype.KindComplex, 4) {
			return codec.Complex32(swap)
		}
	case scalar.LongDouble:
		if is(dtype.KindFloat, 12, 16) {
			return codec.LongDoubles(t)
		}
	case scalar.Float128:
		if onRequest[T](t) {
			return codec.Float128s(t)
		}
	case scalar.LongComplex:
		if is(dtype.KindComplex, 24, 32) {
			return codec.LongComplex(t)
		}
	case scalar.Datetime64:
		if is(dtype.KindDatetime, 8) {
			return codec.Each(swap, func(x int64) scalar.Datetime64 { return scalar.Datetime64(x) })
		}
	case scalar.Timedelta64:
		if is(dtype.KindTimedelta, 8) {
			return codec.Each(swap, func(x int64) scalar.Timedelta64 { return scalar.Timedelta64(x) })
		}
	case scalar.Float8E3M4:
		return codesOf[scalar.Float8E3M4](t)
	case scalar.Float8E4M3:
		return codesOf[scalar.Float8E4M3](t)
	case scalar.Float8E4M3FN:
		return codesOf[scalar.Float8E4M3FN](t)
	case scalar.Float8E4M3FNUZ:
		return codesOf[scalar.Float8E4M3FNUZ](t)
	case scalar.Float8E4M3B11FNUZ:
		return codesOf[scalar.Float8E4M3B11FNUZ](t)
	case scalar.Float8E5M2FNUZ:
		return codesOf[scalar.Float8E5M2FNUZ](t)
	case scalar.Float8E8M0FNU:
		return codesOf[scalar.Float8E8M0FNU](t)
	case scalar.Float6E2M3FN:
		return codesOf[scalar.Float6E2M3FN](t)
	case scalar.Float6E3M2FN:
		return codesOf[scalar.Float6E3M2FN](t)
	case scalar.Float4E2M1FN:
		return codesOf[scalar.Float4E2M1FN](t)
	case scalar.Int4:
		return codesOf[scalar.Int4](t)
	case scalar.Uint4:
		return codesOf[scalar.Uint4](t)
	case scalar.Int2:
		return codesOf[scalar.Int2](t)
	case scalar.Uint2:
		return codesOf[scalar.Uint2](t)
	}
	return none
}

// codesOf returns a decoder of a number of one byte that NumPy writes as void.
func codesOf[T scalar.Float8 | scalar.SmallInt](t dtype.Type) decoder[T] {
	if !sameBits[T](t) && !onRequest[T](t) {
		return nil
	}
	return codec.Each(false, func(x uint8) T { return T(x) })
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
