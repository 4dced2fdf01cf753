package scalar

import (
	"bytes"
	"math"
	"strconv"
)

// AppendFloat64 appends f as Python's repr(float) and str(numpy.float64) print it: the fewest digits
// that read back to f, positional from 1e-4 up to but not including 1e16, else scientific with at least
// two digits of exponent: 1.0, 0.1, 1e-07, 1e+16, -0.0, inf, -inf, nan.
func AppendFloat64(dst []byte, f float64) []byte { return appendFloat(dst, f, 64, true) }

// AppendFloat32 appends f as str(numpy.float32) prints it in NumPy 2.5: the fewest digits that read back to the same
// float32, in the style of [AppendFloat64], but scientific from 1e6 on, where older versions begin at 1e16. As in
// NumPy the choice of style looks at the exact value: the float32 nearest 0.0001 is a little below it and prints
// 1e-04 (float_type_str in NumPy's scalartypes.c.src).
func AppendFloat32(dst []byte, f float32) []byte { return appendFloat(dst, float64(f), 32, true) }

func appendFloat(dst []byte, f float64, bitSize int, pointZero bool) []byte {
	if dst, ok := appendSpecial(dst, f); ok {
		return dst
	}
	limit := float64(scientificFrom)
	if bitSize == 32 {
		limit = scientificFrom32
	}
	if !positional(math.Abs(f), limit) {
		return strconv.AppendFloat(dst, f, 'e', -1, bitSize)
	}
	if bitSize == 32 && math.Abs(f) == 0x1p-12 {
		// Two texts of eight digits are equally near; NumPy takes the even one, strconv here, and only
		// here, the odd one.
		f, bitSize = math.Copysign(0.00024414062, f), 64
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, bitSize)
	if pointZero && bytes.IndexByte(dst[start:], '.') < 0 {
		dst = append(dst, '.', '0')
	}
	return dst
}

// What NumPy 2.5 prints with an exponent: values of this magnitude and above.
const (
	scientificFrom   = 1e16
	scientificFrom32 = 1e6 // for float32 and float16 ten to the power of numpy.finfo's precision
	scientificFrom16 = 1e3
)

// positional reports whether NumPy prints a value of this magnitude without an exponent.
func positional(abs, limit float64) bool { return abs == 0 || abs >= 1e-4 && abs < limit }

// appendSpecial appends the values that have no digits. The sign of a NaN is not printed.
func appendSpecial(dst []byte, f float64) ([]byte, bool) {
	switch {
	case f != f:
		return append(dst, "nan"...), true
	case f > math.MaxFloat64:
		return append(dst, "inf"...), true
	case f < -math.MaxFloat64:
		return append(dst, "-inf"...), true
	}
	return dst, false
}

// appendDigits lays out significant digits. The first digit is worth 10**exp. With pointZero a positional integer ends
// in .0, as a float does and the part of a complex number does not.
func appendDigits(dst, digits []byte, exp int, positional, pointZero bool) []byte {
	if !positional {
		return appendScientific(dst, digits, exp)
	}
	for i := exp; i < 0; i++ {
		dst = append(dst, '0')
		if i == exp {
			dst = append(dst, '.')
		}
	}
	for i, c := range digits {
		if i == exp+1 && i > 0 {
			dst = append(dst, '.')
		}
		dst = append(dst, c)
	}
	for i := len(digits); i <= exp; i++ {
		dst = append(dst, '0')
	}
	if pointZero && exp+1 >= len(digits) {
		dst = append(dst, '.', '0')
	}
	return dst
}

func appendScientific(dst, digits []byte, exp int) []byte {
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(dst, '.')
		dst = append(dst, digits[1:]...)
	}
	return appendExponent(dst, exp)
}

// appendExponent appends e, a sign and at least two digits.
func appendExponent(dst []byte, exp int) []byte {
	dst = append(dst, 'e', '+')
	if exp < 0 {
		dst[len(dst)-1] = '-'
		exp = -exp
	}
	if exp < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, int64(exp), 10)
}
