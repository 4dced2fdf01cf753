package scalar

import "math"

// A Float8E4M3FN is an 8-bit float with 4 exponent and 3 mantissa bits and without infinities (FN,
// "finite, NaN"): only 0x7f and 0xff are NaN. It is the E4M3 of the OCP 8-bit floating point specification and
// ml_dtypes.float8_e4m3fn, which NumPy writes as <V1. The largest value is 448, the smallest positive one 2**-9.
type Float8E4M3FN struct {
	Bits uint8 `dtype:"float8_e4m3fn"` // sign, exponent and mantissa from the top
}

// Float8E4M3FNFromFloat32 returns the Float8E4M3FN nearest to f, ties to even; infinities and numbers that are too
// large become NaN. Every NaN keeps its sign.
func Float8E4M3FNFromFloat32(f float32) Float8E4M3FN {
	return Float8E4M3FN{uint8(float8E4M3FNLayout.narrow(float32To64bits(f), 0))}
}

// Float8E4M3FNFromFloat64 returns the Float8E4M3FN nearest to f as [Float8E4M3FNFromFloat32] does. It rounds once, not
// by way of float32.
func Float8E4M3FNFromFloat64(f float64) Float8E4M3FN {
	return Float8E4M3FN{uint8(float8E4M3FNLayout.narrow(math.Float64bits(f), 0))}
}

// ParseFloat8E4M3FN returns the Float8E4M3FN nearest to the decimal number s as [ParseFloat8E5M2] does. A number too
// large or an infinity gives a NaN and an error that wraps [ErrRange].
func ParseFloat8E4M3FN(s string) (Float8E4M3FN, error) {
	x, err := float8E4M3FNLayout.parse(s, "float8_e4m3fn")
	return Float8E4M3FN{uint8(x)}, err
}

// Float32 returns the float32 equal to f.
func (f Float8E4M3FN) Float32() float32 { return float8E4M3FNLayout.widen32(uint16(f.Bits)) }

// Float64 returns the float64 equal to f.
func (f Float8E4M3FN) Float64() float64 {
	return math.Float64frombits(float8E4M3FNLayout.widen(uint16(f.Bits)))
}

// IsNaN reports whether f is not a number.
func (f Float8E4M3FN) IsNaN() bool { return float8E4M3FNLayout.isNaN(uint16(f.Bits)) }

// Append appends f with the fewest digits that read back to f, in the style of [AppendFloat64]. ml_dtypes prints the
// six digits of C++ streams instead.
func (f Float8E4M3FN) Append(dst []byte) []byte {
	return float8E4M3FNLayout.append(dst, uint16(f.Bits), true)
}

// String returns the text of [Float8E4M3FN.Append].
func (f Float8E4M3FN) String() string { return string(f.Append(nil)) }

// A Float8E8M0FNU is a power of two as the 8 bits of its exponent: 2**(x-127), and NaN for 0xff. It has no sign and no
// zero. It is the scale of the OCP microscaling formats and ml_dtypes.float8_e8m0fnu, which NumPy writes as <V1. The
// largest value is 2**127, the smallest 2**-127.
type Float8E8M0FNU struct {
	Bits uint8 `dtype:"float8_e8m0fnu"` // the exponent plus 127; zero stands for 2**-127
}

// Float8E8M0FNUFromFloat32 returns the Float8E8M0FNU nearest to f, ties to the larger: 1.5 becomes 2 and 3 becomes 4.
// Positive numbers below the smallest value become the smallest value. Zero, negative numbers, infinities, NaNs and
// numbers that are too large become NaN. ml_dtypes 0.5.4 differs only for numbers above 2**-127 and below 1.5 * 2**-127,
// which it makes 2**-126.
func Float8E8M0FNUFromFloat32(f float32) Float8E8M0FNU {
	return Float8E8M0FNU{uint8(float8E8M0FNULayout.narrow(float32To64bits(f), 0))}
}

// Float8E8M0FNUFromFloat64 returns the Float8E8M0FNU nearest to f as [Float8E8M0FNUFromFloat32] does. It rounds once,
// not by way of float32.
func Float8E8M0FNUFromFloat64(f float64) Float8E8M0FNU {
	return Float8E8M0FNU{uint8(float8E8M0FNULayout.narrow(math.Float64bits(f), 0))}
}

// ParseFloat8E8M0FNU returns the Float8E8M0FNU nearest to the decimal number s as [ParseFloat8E5M2] does. A number too
// large, zero, a negative number or an infinity gives a NaN and an error that wraps [ErrRange].
func ParseFloat8E8M0FNU(s string) (Float8E8M0FNU, error) {
	x, err := float8E8M0FNULayout.parse(s, "float8_e8m0fnu")
	return Float8E8M0FNU{uint8(x)}, err
}

// Float32 returns the float32 equal to f.
func (f Float8E8M0FNU) Float32() float32 { return float8E8M0FNULayout.widen32(uint16(f.Bits)) }

// Float64 returns the float64 equal to f.
func (f Float8E8M0FNU) Float64() float64 {
	return math.Float64frombits(float8E8M0FNULayout.widen(uint16(f.Bits)))
}

// IsNaN reports whether f is not a number.
func (f Float8E8M0FNU) IsNaN() bool { return float8E8M0FNULayout.isNaN(uint16(f.Bits)) }

// Append appends f with the fewest digits that read back to f, in the style of [AppendFloat64]. ml_dtypes prints the
// six digits of C++ streams instead.
func (f Float8E8M0FNU) Append(dst []byte) []byte {
	return float8E8M0FNULayout.append(dst, uint16(f.Bits), true)
}

// String returns the text of [Float8E8M0FNU.Append].
func (f Float8E8M0FNU) String() string { return string(f.Append(nil)) }
