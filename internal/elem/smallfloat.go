package elem

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// A SmallFloat is a float format of one byte.
type SmallFloat struct {
	Precision uint // bits of the mantissa, including the implicit bit
	Value     func(x uint8) float32
	Nearest   func(f float64) uint8
	Holds     func(f float64) bool // f is in range: Nearest is not an infinity, NaN or clamped to the largest value
	Append    func(x uint8, dst []byte) []byte
	Parse     func(text string) (uint8, error)
}

// SmallFloatOf returns the format of t. It returns false if t is not a float of one byte.
func SmallFloatOf(t dtype.Type) (SmallFloat, bool) {
	if t.ItemSize() != 1 || t.IsStruct() || t.IsSubarray() {
		return SmallFloat{}, false
	}
	switch t.Name() {
	case "float8_e3m4":
		return smallFloat(5, scalar.Float8E3M4FromFloat64, scalar.ParseFloat8E3M4), true
	case "float8_e4m3":
		return smallFloat(4, scalar.Float8E4M3FromFloat64, scalar.ParseFloat8E4M3), true
	case "float8_e4m3fn":
		return smallFloat(4, scalar.Float8E4M3FNFromFloat64, scalar.ParseFloat8E4M3FN), true
	case "float8_e4m3fnuz":
		return smallFloat(4, scalar.Float8E4M3FNUZFromFloat64, scalar.ParseFloat8E4M3FNUZ), true
	case "float8_e4m3b11fnuz":
		return smallFloat(4, scalar.Float8E4M3B11FNUZFromFloat64, scalar.ParseFloat8E4M3B11FNUZ), true
	case "float8_e5m2":
		return smallFloat(3, scalar.Float8E5M2FromFloat64, scalar.ParseFloat8E5M2), true
	case "float8_e5m2fnuz":
		return smallFloat(3, scalar.Float8E5M2FNUZFromFloat64, scalar.ParseFloat8E5M2FNUZ), true
	case "float8_e8m0fnu":
		return smallFloat(1, scalar.Float8E8M0FNUFromFloat64, scalar.ParseFloat8E8M0FNU), true
	case "float6_e2m3fn":
		return smallFloat(4, scalar.Float6E2M3FNFromFloat64, scalar.ParseFloat6E2M3FN), true
	case "float6_e3m2fn":
		return smallFloat(3, scalar.Float6E3M2FNFromFloat64, scalar.ParseFloat6E3M2FN), true
	case "float4_e2m1fn":
		return smallFloat(2, scalar.Float4E2M1FNFromFloat64, scalar.ParseFloat4E2M1FN), true
	}
	return SmallFloat{}, false
}

// IsNamedFloat reports whether t is a float that NumPy writes as void, such as bfloat16.
func IsNamedFloat(t dtype.Type) bool {
	_, ok := SmallFloatOf(t)
	return t.Kind() == dtype.KindVoid && (ok || IsBFloat16(t))
}

// KindOf returns the kind by which the values of t are treated: numbers of ml_dtypes are numbers, though NumPy writes
// them as void.
func KindOf(t dtype.Type) dtype.Kind {
	if IsNamedFloat(t) {
		return dtype.KindFloat
	}
	if _, ok := SmallIntOf(t); ok {
		return dtype.KindInt
	}
	return t.Kind()
}

func smallFloat[T interface {
	scalar.Float8
	Float32() float32
	Append([]byte) []byte
}](precision uint, nearest func(float64) T, parse func(string) (T, error)) SmallFloat {
	type code = struct{ Bits uint8 }
	bits := func(x T) uint8 { return code(x).Bits }
	value := func(x uint8) float64 { return float64(T(code{x}).Float32()) }
	most := bits(nearest(math.MaxFloat64)) // of a format without infinity and NaN the largest value
	limit := value(most) + (value(most)-value(most-1))/2
	return SmallFloat{
		Precision: precision,
		Holds: func(f float64) bool {
			y := value(bits(nearest(f)))
			switch {
			case f != f:
				return y != y
			case math.IsInf(f, 0):
				return math.IsInf(y, 0)
			}
			return y == y && !math.IsInf(y, 0) && !(math.Abs(f) >= limit)
		},
		Value:   func(x uint8) float32 { return T(code{x}).Float32() },
		Nearest: func(f float64) uint8 { return bits(nearest(f)) },
		Append:  func(x uint8, dst []byte) []byte { return T(code{x}).Append(dst) },
		Parse:   func(text string) (uint8, error) { x, err := parse(text); return bits(x), err },
	}
}

// hasNaN reports whether the format has a NaN. The empty text stands for it.
func (f SmallFloat) hasNaN() bool {
	_, err := f.Parse("nan")
	return err == nil
}
