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
