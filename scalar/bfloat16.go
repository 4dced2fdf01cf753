package scalar

import "math"

// A BFloat16 is a bfloat16, the upper half of a float32: 1 sign, 8 exponent and 7 mantissa
// bits. It is ml_dtypes.bfloat16, which NumPy writes as <V2.
type BFloat16 struct {
	Bits uint16 `dtype:"bfloat16"` // the upper 16 bits of the float32
}

// BFloat16FromFloat32 returns the BFloat16 nearest to f, ties to even; subnormals are kept and numbers that are too
// large become an infinity. A NaN keeps its sign and the top seven bits of its payload, where ml_dtypes drops the
// payload.
func BFloat16FromFloat32(f float32) BFloat16 {
	return BFloat16{bfloat16Layout.narrow(float32To64bits(f), 0)}
}

// BFloat16FromFloat64 returns the BFloat16 nearest to f as [BFloat16FromFloat32] does. It rounds once, not
// by way of float32.
func BFloat16FromFloat64(f float64) BFloat16 {
	return BFloat16{bfloat16Layout.narrow(math.Float64bits(f), 0)}
}

// ParseBFloat16 returns the BFloat16 nearest to the decimal number s, ties to even, rounding once. It also
// reads inf, infinity and nan, signed or not, in any case. A number too large gives an infinity and an
// error that wraps [ErrRange]; anything else wrong gives an error that wraps [ErrSyntax].
// It never rounds to float32 on the way, as ml_dtypes does.
func ParseBFloat16(s string) (BFloat16, error) {
	x, err := bfloat16Layout.parse(s, "bfloat16")
	return BFloat16{x}, err
}

// Float32 returns the float32 equal to b: b is its upper half. NaNs keep all their bits.
func (b BFloat16) Float32() float32 { return math.Float32frombits(uint32(b.Bits) << 16) }

// Float64 returns the float64 equal to b. A NaN keeps its sign and, in the top bits, its payload.
func (b BFloat16) Float64() float64 { return math.Float64frombits(bfloat16Layout.widen(b.Bits)) }

// IsNaN reports whether b is not a number.
func (b BFloat16) IsNaN() bool { return bfloat16Layout.isNaN(b.Bits) }

// IsInf reports whether b is an infinity: positive for sign > 0, negative for sign < 0, either for 0.
func (b BFloat16) IsInf(sign int) bool { return bfloat16Layout.isInf(b.Bits, sign) }

// Append appends b with the fewest digits that read back to b, in the style of [AppendFloat64]. NumPy prints its own
// floats by this rule. ml_dtypes prints the six digits of C++ streams instead.
func (b BFloat16) Append(dst []byte) []byte { return bfloat16Layout.append(dst, b.Bits, true) }

// String returns the text of [BFloat16.Append].
func (b BFloat16) String() string { return string(b.Append(nil)) }
