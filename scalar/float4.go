package scalar

import "math"

// A Float4E2M1FN is a 4-bit float in the low bits of a byte, with 2 exponent bits and 1 mantissa bit and neither
// infinities nor NaNs. The four bits above mean nothing. It is ml_dtypes.float4_e2m1fn, which NumPy writes as <V1. Its
// values are 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives.
type Float4E2M1FN struct {
	Bits uint8 `dtype:"float4_e2m1fn"` // the value in the low four bits
}

// Float4E2M1FNFromFloat32 returns the Float4E2M1FN nearest to f, ties to even; infinities and numbers that are too
// large become the largest value of their sign. NaN becomes the zero of the other sign, as in ml_dtypes; test for it
// before.
func Float4E2M1FNFromFloat32(f float32) Float4E2M1FN {
	return Float4E2M1FN{uint8(float4E2M1FNLayout.narrow(float32To64bits(f), 0))}
}

// Float4E2M1FNFromFloat64 returns the Float4E2M1FN nearest to f as [Float4E2M1FNFromFloat32] does. It rounds once, not
// by way of float32.
func Float4E2M1FNFromFloat64(f float64) Float4E2M1FN {
	return Float4E2M1FN{uint8(float4E2M1FNLayout.narrow(math.Float64bits(f), 0))}
}

// ParseFloat4E2M1FN returns the Float4E2M1FN nearest to the decimal number s as [ParseFloat8E5M2] does. A number too
// large or an infinity gives the largest value, NaN gives zero, both with an error that wraps [ErrRange].
func ParseFloat4E2M1FN(s string) (Float4E2M1FN, error) {
	x, err := float4E2M1FNLayout.parse(s, "float4_e2m1fn")
	return Float4E2M1FN{uint8(x)}, err
}

// Float32 returns the float32 equal to f.
func (f Float4E2M1FN) Float32() float32 { return float4E2M1FNLayout.widen32(uint16(f.Bits)) }

// Float64 returns the float64 equal to f.
func (f Float4E2M1FN) Float64() float64 {
	return math.Float64frombits(float4E2M1FNLayout.widen(uint16(f.Bits)))
}

// Append appends f with the fewest digits that read back to f, in the style of [AppendFloat64]. ml_dtypes prints the
// six digits of C++ streams instead.
func (f Float4E2M1FN) Append(dst []byte) []byte {
	return float4E2M1FNLayout.append(dst, uint16(f.Bits), true)
}

// String returns the text of [Float4E2M1FN.Append].
func (f Float4E2M1FN) String() string { return string(f.Append(nil)) }
