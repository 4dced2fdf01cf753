package scalar

import "math"

// A Float8E4M3FNUZ is an 8-bit float with 4 exponent and 3 mantissa bits, without infinities and negative
// zero (FNUZ, "finite, NaN, unsigned zero"): only 0x80 is NaN. It is ml_dtypes.float8_e4m3fnuz, which NumPy writes as
// <V1. The exponent's bias is 8, the largest value 240, the smallest positive one 2**-10.
type Float8E4M3FNUZ struct {
	Bits uint8 `dtype:"float8_e4m3fnuz"` // sign, exponent and mantissa from the top
}

// Float8E4M3FNUZFromFloat32 returns the Float8E4M3FNUZ nearest to f, ties to even. Infinities and numbers that are too
// large become NaN, -0 becomes 0.
func Float8E4M3FNUZFromFloat32(f float32) Float8E4M3FNUZ {
	return Float8E4M3FNUZ{uint8(float8E4M3FNUZLayout.narrow(float32To64bits(f), 0))}
}

// Float8E4M3FNUZFromFloat64 returns the Float8E4M3FNUZ nearest to f as [Float8E4M3FNUZFromFloat32] does. It rounds
// once, not by way of float32.
func Float8E4M3FNUZFromFloat64(f float64) Float8E4M3FNUZ {
	return Float8E4M3FNUZ{uint8(float8E4M3FNUZLayout.narrow(math.Float64bits(f), 0))}
}

// ParseFloat8E4M3FNUZ returns the Float8E4M3FNUZ nearest to the decimal number s as [ParseFloat8E5M2] does. A number too
// large or an infinity gives a NaN and an error that wraps [ErrRange].
func ParseFloat8E4M3FNUZ(s string) (Float8E4M3FNUZ, error) {
	x, err := float8E4M3FNUZLayout.parse(s, "float8_e4m3fnuz")
	return Float8E4M3FNUZ{uint8(x)}, err
}

// Float32 returns the float32 equal to f.
func (f Float8E4M3FNUZ) Float32() float32 { return float8E4M3FNUZLayout.widen32(uint16(f.Bits)) }

// Float64 returns the float64 equal to f.
func (f Float8E4M3FNUZ) Float64() float64 {
	return math.Float64frombits(float8E4M3FNUZLayout.widen(uint16(f.Bits)))
}

// IsNaN reports whether f is not a number.
func (f Float8E4M3FNUZ) IsNaN() bool { return float8E4M3FNUZLayout.isNaN(uint16(f.Bits)) }

// Append appends f with the fewest digits that read back to f, in the style of [AppendFloat64]. ml_dtypes prints the
// six digits of C++ streams instead.
func (f Float8E4M3FNUZ) Append(dst []byte) []byte {
	return float8E4M3FNUZLayout.append(dst, uint16(f.Bits), true)
}

// String returns the text of [Float8E4M3FNUZ.Append].
func (f Float8E4M3FNUZ) String() string { return string(f.Append(nil)) }

// A Float8E4M3B11FNUZ is a [Float8E4M3FNUZ] with an exponent bias of 11. It is ml_dtypes.float8_e4m3b11fnuz, which NumPy
// writes as <V1. The largest value is 30, the smallest positive one 2**-13.
type Float8E4M3B11FNUZ struct {
	Bits uint8 `dtype:"float8_e4m3b11fnuz"` // sign, exponent and mantissa from the top
}

// Float8E4M3B11FNUZFromFloat32 returns the Float8E4M3B11FNUZ nearest to f, ties to even. Infinities and numbers that are
// too large become NaN, -0 becomes 0.
func Float8E4M3B11FNUZFromFloat32(f float32) Float8E4M3B11FNUZ {
	return Float8E4M3B11FNUZ{uint8(float8E4M3B11FNUZLayout.narrow(float32To64bits(f), 0))}
}

// Float8E4M3B11FNUZFromFloat64 returns the Float8E4M3B11FNUZ nearest to f as [Float8E4M3B11FNUZFromFloat32] does. It
// rounds once, not by way of float32.
func Float8E4M3B11FNUZFromFloat64(f float64) Float8E4M3B11FNUZ {
	return Float8E4M3B11FNUZ{uint8(float8E4M3B11FNUZLayout.narrow(math.Float64bits(f), 0))}
}

// ParseFloat8E4M3B11FNUZ returns the Float8E4M3B11FNUZ nearest to the decimal number s as [ParseFloat8E5M2] does. A
// number too large or an infinity gives a NaN and an error that wraps [ErrRange].
func ParseFloat8E4M3B11FNUZ(s string) (Float8E4M3B11FNUZ, error) {
	x, err := float8E4M3B11FNUZLayout.parse(s, "float8_e4m3b11fnuz")
	return Float8E4M3B11FNUZ{uint8(x)}, err
}

// Float32 returns the float32 equal to f.
func (f Float8E4M3B11FNUZ) Float32() float32 { return float8E4M3B11FNUZLayout.widen32(uint16(f.Bits)) }

// Float64 returns the float64 equal to f.
func (f Float8E4M3B11FNUZ) Float64() float64 {
	return math.Float64frombits(float8E4M3B11FNUZLayout.widen(uint16(f.Bits)))
}

// IsNaN reports whether f is not a number.
func (f Float8E4M3B11FNUZ) IsNaN() bool { return float8E4M3B11FNUZLayout.isNaN(uint16(f.Bits)) }

// Append appends f with the fewest digits that read back to f, in the style of [AppendFloat64]. ml_dtypes prints the
// six digits of C++ streams instead.
func (f Float8E4M3B11FNUZ) Append(dst []byte) []byte {
	return float8E4M3B11FNUZLayout.append(dst, uint16(f.Bits), true)
}

// String returns the text of [Float8E4M3B11FNUZ.Append].
func (f Float8E4M3B11FNUZ) String() string { return string(f.Append(nil)) }

// A Float8E5M2FNUZ is an 8-bit float with 5 exponent and 2 mantissa bits, without infinities and negative
// zero: only 0x80 is NaN. It is ml_dtypes.float8_e5m2fnuz, which NumPy writes as <V1. The exponent's bias is 16, the
// largest value 57344, the smallest positive one 2**-17.
type Float8E5M2FNUZ struct {
	Bits uint8 `dtype:"float8_e5m2fnuz"` // sign, exponent and mantissa from the top
}

// Float8E5M2FNUZFromFloat32 returns the Float8E5M2FNUZ nearest to f, ties to even. Infinities and numbers that are too
// large become NaN, -0 becomes 0.
func Float8E5M2FNUZFromFloat32(f float32) Float8E5M2FNUZ {
	return Float8E5M2FNUZ{uint8(float8E5M2FNUZLayout.narrow(float32To64bits(f), 0))}
}

// Float8E5M2FNUZFromFloat64 returns the Float8E5M2FNUZ nearest to f as [Float8E5M2FNUZFromFloat32] does. It rounds
// once, not by way of float32.
func Float8E5M2FNUZFromFloat64(f float64) Float8E5M2FNUZ {
	return Float8E5M2FNUZ{uint8(float8E5M2FNUZLayout.narrow(math.Float64bits(f), 0))}
}

// ParseFloat8E5M2FNUZ returns the Float8E5M2FNUZ nearest to the decimal number s as [ParseFloat8E5M2] does. A number too
// large or an infinity gives a NaN and an error that wraps [ErrRange].
func ParseFloat8E5M2FNUZ(s string) (Float8E5M2FNUZ, error) {
	x, err := float8E5M2FNUZLayout.parse(s, "float8_e5m2fnuz")
	return Float8E5M2FNUZ{uint8(x)}, err
}

// Float32 returns the float32 equal to f.
func (f Float8E5M2FNUZ) Float32() float32 { return float8E5M2FNUZLayout.widen32(uint16(f.Bits)) }

// Float64 returns the float64 equal to f.
func (f Float8E5M2FNUZ) Float64() float64 {
	return math.Float64frombits(float8E5M2FNUZLayout.widen(uint16(f.Bits)))
}

// IsNaN reports whether f is not a number.
func (f Float8E5M2FNUZ) IsNaN() bool { return float8E5M2FNUZLayout.isNaN(uint16(f.Bits)) }

// Append appends f with the fewest digits that read back to f, in the style of [AppendFloat64]. ml_dtypes prints the
// six digits of C++ streams instead.
func (f Float8E5M2FNUZ) Append(dst []byte) []byte {
	return float8E5M2FNUZLayout.append(dst, uint16(f.Bits), true)
}

// String returns the text of [Float8E5M2FNUZ.Append].
func (f Float8E5M2FNUZ) String() string { return string(f.Append(nil)) }
