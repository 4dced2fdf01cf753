package npy

import (
	"reflect"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/scalar"
)

// An Element is a Go type for array elements. doc/dtypes.md lists the dtypes of each. Package internal/codec registers
// them.
//
// A named type, such as type Celsius float64 or type Half scalar.Float16, has the dtypes of its base type.
//
// A [time.Duration] is timedelta64[ns]. It is read from every unit of a fixed length. NaT, and a length that is not a
// whole number of nanoseconds, is an error that names the element; [LoadDurations] reports NaTs.
type Element interface {
	Number | ~bool | ~string | ~[]byte | scalar.Element
}

// A Number is an Element that Go can compute with: an integer, a float or a complex number. The types of package scalar
// are not Numbers: their bits have other operators than their values.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// DTypeOf returns the dtype that holds elements of T, in native byte order. Strings and byte slices give "<U0" and
// "|S0", without a length. Times are generic: their step is not part of the Go type.
func DTypeOf[T Element]() dtype.Type { return codec.Of[T]().DType() }

// GoTypes returns the Go types that hold every value of t exactly, the closest one first: the types that [Load] and
// [As] take for t. It is empty for structs and objects. It does not list types that only the caller can know, because
// the file does not name them: see [As]. It does not list named types.
func GoTypes(t dtype.Type) []reflect.Type { return codec.GoTypes(t) }

// A decoder reads elements as Go values.
type decoder[T Element] = codec.Decoder[T]

// An encoder writes Go values as the bytes of elements.
type encoder[T Element] = codec.Encoder[T]

// An elementError names an element that cannot be converted.
type elementError = codec.ElementError

// decoderFor returns the decoder from t to T. It returns false if T cannot hold every value of t.
func decoderFor[T Element](t dtype.Type) (decoder[T], bool) {
	decode := codec.Of[T]().Decoder(t)
	return decode, decode != nil
}

// encoderFor returns the encoder from T to t. It returns false if t is not a dtype for T.
func encoderFor[T Element](t dtype.Type) (encoder[T], bool) {
	encode := codec.Of[T]().Encoder(t)
	return encode, encode != nil
}

// sharesMemory reports whether the bytes of t, unchanged, are values of T in memory.
func sharesMemory[T Element](t dtype.Type) bool { return codec.Of[T]().Shares(t) }

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
