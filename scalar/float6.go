package scalar

import "math"

// A Float6E2M3FN is a 6-bit float in the low bits of a byte, with 2 exponent and 3 mantissa bits and neither
// infinities nor NaNs. The two bits above mean nothing. It is ml_dtypes.float6_e2m3fn, which NumPy writes as <V1. The
// largest value is 7.5, the smallest positive one 2**-3.
type Float6E2M3FN struct {
	Bits uint8 `dtype:"float6_e2m3fn"` // the value in the low six bits
}

// Float6E2M3FNFromFloat32 returns the Float6E2M3FN nearest to f, ties to even. Infinities and numbers that are too large
// become the largest value of their sign. NaN becomes the zero of the other sign, as in ml_dtypes; test for it before.
func Float6E2M3FNFromFloat32(f float32) Float6E2M3FN {
	return Float6E2M3FN{uint8(float6E2M3FNLayout.narrow(float32To64bits(f), 0))}
}

// Float6E2M3FNFromFloat64 returns the Float6E2M3FN nearest to f as [Float6E2M3FNFromFloat32] does. It rounds once, not
// by way of float32.
func Float6E2M3FNFromFloat64(f float64) Float6E2M3FN {
	return Float6E2M3FN{uint8(float6E2M3FNLayout.narrow(math.Float64bits(f), 0))}
}

// ParseFloat6E2M3FN returns the Float6E2M3FN nearest to the decimal number s as [ParseFloat8E5M2] does. A number too
// large or an infinity gives the largest value, NaN gives zero, both with an error that wraps [ErrRange].
func ParseFloat6E2M3FN(s string) (Float6E2M3FN, error) {
	x, err := float6E2M3FNLayout.parse(s, "float6_e2m3fn")
	return Float6E2M3FN{uint8(x)}, err
}

// Float32 returns the float32 equal to f.
func (f Float6E2M3FN) Float32() float32 { return float6E2M3FNLayout.widen32(uint16(f.Bits)) }

// Float64 returns the float64 equal to f.
func (f Float6E2M3FN) Float64() float64 {
	return math.Float64frombits(float6E2M3FNLayout.widen(uint16(f.Bits)))
}

// Append appends f with the fewest digits that read back to f, in the style of [AppendFloat64]. ml_dtypes prints the
// six digits of C++ streams instead.
func (f Float6E2M3FN) Append(dst []byte) []byte {
	return float6E2M3FNLayout.append(dst, uint16(f.Bits), true)
}

// String returns the text of [Float6E2M3FN.Append].
func (f Float6E2M3FN) String() string { return string(f.Append(nil)) }

// A Float6E3M2FN is a 6-bit float in the low bits of a byte, with 3 exponent and 2 mantissa bits and neither
// infinities nor NaNs. The two bits above mean nothing. It is ml_dtypes.float6_e3m2fn, which NumPy writes as <V1. The
// largest value is 28, the smallest positive one 2**-4.
type Float6E3M2FN struct {
	Bits uint8 `dtype:"float6_e3m2fn"` // the value in the low six bits
}

// Float6E3M2FNFromFloat32 returns the Float6E3M2FN nearest to f, ties to even. Infinities and numbers that are too large
// become the largest value of their sign. NaN becomes the zero of the other sign, as in ml_dtypes; test for it before.
func Float6E3M2FNFromFloat32(f float32) Float6E3M2FN {
	return Float6E3M2FN{uint8(float6E3M2FNLayout.narrow(float32To64bits(f), 0))}
}

// Float6E3M2FNFromFloat64 returns the Float6E3M2FN nearest to f as [Float6E3M2FNFromFloat32] does. It rounds once, not
// by way of float32.
func Float6E3M2FNFromFloat64(f float64) Float6E3M2FN {
	return Float6E3M2FN{uint8(float6E3M2FNLayout.narrow(math.Float64bits(f), 0))}
}

// ParseFloat6E3M2FN returns the Float6E3M2FN nearest to the decimal number s as [ParseFloat8E5M2] does. A number too
// large or an infinity gives the largest value, NaN gives zero, both with an error that wraps [ErrRange].
func ParseFloat6E3M2FN(s string) (Float6E3M2FN, error) {
	x, err := float6E3M2FNLayout.parse(s, "float6_e3m2fn")
	return Float6E3M2FN{uint8(x)}, err
}

// Float32 returns the float32 equal to f.
func (f Float6E3M2FN) Float32() float32 { return float6E3M2FNLayout.widen32(uint16(f.Bits)) }

// Float64 returns the float64 equal to f.
func (f Float6E3M2FN) Float64() float64 {
	return math.Float64frombits(float6E3M2FNLayout.widen(uint16(f.Bits)))
}

// Append appends f with the fewest digits that read back to f, in the style of [AppendFloat64]. ml_dtypes prints the
// six digits of C++ streams instead.
func (f Float6E3M2FN) Append(dst []byte) []byte {
	return float6E3M2FNLayout.append(dst, uint16(f.Bits), true)
}

// String returns the text of [Float6E3M2FN.Append].
func (f Float6E3M2FN) String() string { return string(f.Append(nil)) }
