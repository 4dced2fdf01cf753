package npy

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

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
