package scalar

import "math"

// A Float8E5M2 is an 8-bit float with 5 exponent and 2 mantissa bits, IEEE-like: it has
// subnormals, infinities and NaNs. It is the upper half of a [Float16] and ml_dtypes.float8_e5m2, which
// NumPy writes as <f1. The largest finite value is 57344, the smallest positive one 2**-16.
type Float8E5M2 struct {
	Bits uint8 `dtype:"float8_e5m2"` // sign, exponent and mantissa from the top
}

// Float8E5M2FromFloat32 returns the Float8E5M2 nearest to f, ties to even; subnormals are kept and numbers that are too
// large become an infinity. A NaN keeps its sign and the top two bits of its payload, where ml_dtypes drops the
// payload.
func Float8E5M2FromFloat32(f float32) Float8E5M2 {
	return Float8E5M2{uint8(float8E5M2Layout.narrow(float32To64bits(f), 0))}
}

// Float8E5M2FromFloat64 returns the Float8E5M2 nearest to f as [Float8E5M2FromFloat32] does. It rounds once, not
// by way of float32.
func Float8E5M2FromFloat64(f float64) Float8E5M2 {
	return Float8E5M2{uint8(float8E5M2Layout.narrow(math.Float64bits(f), 0))}
}

// ParseFloat8E5M2 returns the Float8E5M2 nearest to the decimal number s, ties to even, rounding once. It also
// reads inf, infinity and nan, signed or not, in any case. A number too large gives an infinity and an
// error that wraps [ErrRange]; anything else wrong gives an error that wraps [ErrSyntax].
// It never rounds to another float on the way, as ml_dtypes does.
func ParseFloat8E5M2(s string) (Float8E5M2, error) {
	x, err := float8E5M2Layout.parse(s, "float8_e5m2")
	return Float8E5M2{uint8(x)}, err
}

// Float32 returns the float32 equal to f. A NaN keeps its sign and, in the top bits, its payload.
func (f Float8E5M2) Float32() float32 { return Float16{uint16(f.Bits) << 8}.Float32() }

// Float64 returns the float64 equal to f. A NaN keeps its sign and, in the top bits, its payload.
func (f Float8E5M2) Float64() float64 {
	return math.Float64frombits(float8E5M2Layout.widen(uint16(f.Bits)))
}

// IsNaN reports whether f is not a number.
func (f Float8E5M2) IsNaN() bool { return float8E5M2Layout.isNaN(uint16(f.Bits)) }

// IsInf reports whether f is an infinity: positive for sign > 0, negative for sign < 0, either for 0.
func (f Float8E5M2) IsInf(sign int) bool { return float8E5M2Layout.isInf(uint16(f.Bits), sign) }

// Append appends f with the fewest digits that read back to f, in the style of [AppendFloat64]: 57344,
// the largest value, prints 60000.0. ml_dtypes prints the six digits of C++ streams instead.
func (f Float8E5M2) Append(dst []byte) []byte {
	return float8E5M2Layout.append(dst, uint16(f.Bits), true)
}

// String returns the text of [Float8E5M2.Append].
func (f Float8E5M2) String() string { return string(f.Append(nil)) }

// A Float8E3M4 is an 8-bit float with 3 exponent and 4 mantissa bits, IEEE-like: it has subnormals,
// infinities and NaNs. It is ml_dtypes.float8_e3m4, which NumPy writes as <V1. The largest finite value is 15.5, the
// smallest positive one 2**-6.
type Float8E3M4 struct {
	Bits uint8 `dtype:"float8_e3m4"` // sign, exponent and mantissa from the top
}

// Float8E3M4FromFloat32 returns the Float8E3M4 nearest to f, ties to even. A number that is too large becomes an
// infinity. A NaN keeps its sign and the top four bits of its payload, where ml_dtypes drops the payload.
func Float8E3M4FromFloat32(f float32) Float8E3M4 {
	return Float8E3M4{uint8(float8E3M4Layout.narrow(float32To64bits(f), 0))}
}

// Float8E3M4FromFloat64 returns the Float8E3M4 nearest to f as [Float8E3M4FromFloat32] does. It rounds once, not by
// way of float32.
func Float8E3M4FromFloat64(f float64) Float8E3M4 {
	return Float8E3M4{uint8(float8E3M4Layout.narrow(math.Float64bits(f), 0))}
}

// ParseFloat8E3M4 returns the Float8E3M4 nearest to the decimal number s as [ParseFloat8E5M2] does. A number too large
// gives an infinity and an error that wraps [ErrRange].
func ParseFloat8E3M4(s string) (Float8E3M4, error) {
	x, err := float8E3M4Layout.parse(s, "float8_e3m4")
	return Float8E3M4{uint8(x)}, err
}

// Float32 returns the float32 equal to f. A NaN keeps its sign and, in the top bits, its payload.
func (f Float8E3M4) Float32() float32 { return float8E3M4Layout.widen32(uint16(f.Bits)) }

// Float64 returns the float64 equal to f. A NaN keeps its sign and, in the top bits, its payload.
func (f Float8E3M4) Float64() float64 {
	return math.Float64frombits(float8E3M4Layout.widen(uint16(f.Bits)))
}

// IsNaN reports whether f is not a number.
func (f Float8E3M4) IsNaN() bool { return float8E3M4Layout.isNaN(uint16(f.Bits)) }

// IsInf reports whether f is an infinity: positive for sign > 0, negative for sign < 0, either for 0.
func (f Float8E3M4) IsInf(sign int) bool { return float8E3M4Layout.isInf(uint16(f.Bits), sign) }

// Append appends f with the fewest digits that read back to f, in the style of [AppendFloat64]. ml_dtypes prints the
// six digits of C++ streams instead.
func (f Float8E3M4) Append(dst []byte) []byte {
	return float8E3M4Layout.append(dst, uint16(f.Bits), true)
}

// String returns the text of [Float8E3M4.Append].
func (f Float8E3M4) String() string { return string(f.Append(nil)) }

// A Float8E4M3 is an 8-bit float with 4 exponent and 3 mantissa bits, IEEE-like: it has subnormals,
// infinities and NaNs. It is ml_dtypes.float8_e4m3, which NumPy writes as <V1. The largest finite value is 240, the
// smallest positive one 2**-9.
type Float8E4M3 struct {
	Bits uint8 `dtype:"float8_e4m3"` // sign, exponent and mantissa from the top
}

// Float8E4M3FromFloat32 returns the Float8E4M3 nearest to f, ties to even. A number that is too large becomes an
// infinity. A NaN keeps its sign and the top three bits of its payload, where ml_dtypes drops the payload.
func Float8E4M3FromFloat32(f float32) Float8E4M3 {
	return Float8E4M3{uint8(float8E4M3Layout.narrow(float32To64bits(f), 0))}
}

// Float8E4M3FromFloat64 returns the Float8E4M3 nearest to f as [Float8E4M3FromFloat32] does. It rounds once, not by
// way of float32.
func Float8E4M3FromFloat64(f float64) Float8E4M3 {
	return Float8E4M3{uint8(float8E4M3Layout.narrow(math.Float64bits(f), 0))}
}

// ParseFloat8E4M3 returns the Float8E4M3 nearest to the decimal number s as [ParseFloat8E5M2] does. A number too large
// gives an infinity and an error that wraps [ErrRange].
func ParseFloat8E4M3(s string) (Float8E4M3, error) {
	x, err := float8E4M3Layout.parse(s, "float8_e4m3")
	return Float8E4M3{uint8(x)}, err
}

// Float32 returns the float32 equal to f. A NaN keeps its sign and, in the top bits, its payload.
func (f Float8E4M3) Float32() float32 { return float8E4M3Layout.widen32(uint16(f.Bits)) }

// Float64 returns the float64 equal to f. A NaN keeps its sign and, in the top bits, its payload.
func (f Float8E4M3) Float64() float64 {
	return math.Float64frombits(float8E4M3Layout.widen(uint16(f.Bits)))
}

// IsNaN reports whether f is not a number.
func (f Float8E4M3) IsNaN() bool { return float8E4M3Layout.isNaN(uint16(f.Bits)) }

// IsInf reports whether f is an infinity: positive for sign > 0, negative for sign < 0, either for 0.
func (f Float8E4M3) IsInf(sign int) bool { return float8E4M3Layout.isInf(uint16(f.Bits), sign) }

// Append appends f with the fewest digits that read back to f, in the style of [AppendFloat64]. ml_dtypes prints the
// six digits of C++ streams instead.
func (f Float8E4M3) Append(dst []byte) []byte {
	return float8E4M3Layout.append(dst, uint16(f.Bits), true)
}

// String returns the text of [Float8E4M3.Append].
func (f Float8E4M3) String() string { return string(f.Append(nil)) }
