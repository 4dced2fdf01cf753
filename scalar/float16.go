package scalar

import "math"

// A Float16 is an IEEE 754 binary16, NumPy's float16 (descr <f2): 1 sign, 5 exponent and 10
// mantissa bits, the Bits. The largest finite value is 65504, the smallest positive one 2**-24.
type Float16 struct {
	Bits uint16 `dtype:"float16"` // sign, exponent and mantissa from the top
}

// Float16FromFloat32 returns the Float16 nearest to f, ties to even; subnormals are kept and numbers that are too large
// become an infinity. A NaN keeps its sign and the top ten bits of its payload (npy_floatbits_to_halfbits).
func Float16FromFloat32(f float32) Float16 {
	return Float16{float16Layout.narrow(float32To64bits(f), 0)}
}

// Float16FromFloat64 returns the Float16 nearest to f as [Float16FromFloat32] does. It rounds once, not
// by way of float32.
func Float16FromFloat64(f float64) Float16 {
	return Float16{float16Layout.narrow(math.Float64bits(f), 0)}
}

// ParseFloat16 returns the Float16 nearest to the decimal number s, ties to even, rounding once. It also
// reads inf, infinity and nan, signed or not, in any case. A number too large gives an infinity and an
// error that wraps [ErrRange]; anything else wrong gives an error that wraps [ErrSyntax].
// NumPy's own numpy.float16(s) reads a float64 first and may be off by one unit near a tie.
func ParseFloat16(s string) (Float16, error) {
	x, err := float16Layout.parse(s, "float16")
	return Float16{x}, err
}

// Float32 returns the float32 equal to h. A NaN keeps its sign and payload and stays signaling, as in
// NumPy's npy_halfbits_to_floatbits; NumPy builds that convert with processor instructions make it
// quiet.
func (h Float16) Float32() float32 { return float16Layout.widen32(h.Bits) }

// Float64 returns the float64 equal to h. A NaN keeps its sign and, in the top bits, its payload.
func (h Float16) Float64() float64 { return math.Float64frombits(float16Layout.widen(h.Bits)) }

// IsNaN reports whether h is not a number.
func (h Float16) IsNaN() bool { return float16Layout.isNaN(h.Bits) }

// IsInf reports whether h is an infinity: positive for sign > 0, negative for sign < 0, either for 0.
func (h Float16) IsInf(sign int) bool { return float16Layout.isInf(h.Bits, sign) }

// Append appends h as str(numpy.float16) prints it in NumPy 2.5: the fewest digits that read back to h, in the style
// of [AppendFloat64], but scientific from 1000 on, so that 65504 prints 6.55e+04 (half_type_str in NumPy's
// scalartypes.c.src). Older versions begin at 1e16, and print 65500.0.
func (h Float16) Append(dst []byte) []byte { return float16Layout.append(dst, h.Bits, true) }

// String returns the text of [Float16.Append].
func (h Float16) String() string { return string(h.Append(nil)) }

// A Complex32 is a complex number of two Float16 parts. NumPy has no such type; ml_dtypes and PyTorch
// call it complex32.
type Complex32 struct {
	Real, Imag Float16 `dtype:"complex32"` // stored in this order
}

// Complex32FromComplex64 rounds both parts of c as [Float16FromFloat32] does.
func Complex32FromComplex64(c complex64) Complex32 {
	return Complex32{Float16FromFloat32(real(c)), Float16FromFloat32(imag(c))}
}

// Complex64 returns the complex64 equal to c.
func (c Complex32) Complex64() complex64 { return complex(c.Real.Float32(), c.Imag.Float32()) }

// Append appends c in the style of [AppendComplex64], each part with the digits of [Float16.Append].
func (c Complex32) Append(dst []byte) []byte {
	re := func(dst []byte) []byte { return float16Layout.append(dst, c.Real.Bits, false) }
	im := func(dst []byte) []byte { return float16Layout.append(dst, c.Imag.Bits, false) }
	return appendComplex(dst, c.Real.Bits == 0, re, im)
}

// String returns the text of [Complex32.Append].
func (c Complex32) String() string { return string(c.Append(nil)) }
