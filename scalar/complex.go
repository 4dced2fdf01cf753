package scalar

import (
	"errors"
	"math"
)

// AppendComplex128 appends c as str(complex) and str(numpy.complex128) print it, without the parentheses:
// 1.5-2j, 1+nanj, -0+0j, infj. Each part has the digits of [AppendFloat64], except that an integral part
// has no .0 at the end. A real part of positive zero is omitted.
func AppendComplex128(dst []byte, c complex128) []byte {
	return appendComplexFloat(dst, real(c), imag(c), 64)
}

// AppendComplex64 appends c as str(numpy.complex64) prints it, without the parentheses, in the style of
// [AppendComplex128] with the digits of [AppendFloat32].
func AppendComplex64(dst []byte, c complex64) []byte {
	return appendComplexFloat(dst, float64(real(c)), float64(imag(c)), 32)
}

func appendComplexFloat(dst []byte, re, im float64, bitSize int) []byte {
	part := func(f float64) func([]byte) []byte {
		return func(dst []byte) []byte { return appendFloat(dst, f, bitSize, false) }
	}
	return appendComplex(dst, math.Float64bits(re) == 0, part(re), part(im))
}

// appendComplex appends the parts with re and im. A real part of +0 is omitted.
func appendComplex(dst []byte, noReal bool, re, im func([]byte) []byte) []byte {
	if !noReal {
		dst = append(re(dst), '+')
	}
	start := len(dst)
	dst = im(dst)
	if !noReal && dst[start] == '-' {
		dst = append(dst[:start-1], dst[start:]...)
	}
	return append(dst, 'j')
}

// ParseComplex128 reads the texts of Python's complex(str): a real part, an imaginary part ending in j
// or J, or both, with or without parentheses around the whole; j alone counts 1. Each part is rounded to
// the nearest float64. A part too large gives an infinity and an error that wraps [ErrRange].
func ParseComplex128(s string) (complex128, error) {
	re, im, err := parseComplex("complex128", s, parseFloat64)
	return complex(re, im), err
}

// ParseComplex32 is [ParseComplex128] with parts of [ParseFloat16].
func ParseComplex32(s string) (Complex32, error) {
	re, im, err := parseComplex("complex32", s, ParseFloat16)
	return Complex32{re, im}, err
}

// ParseLongComplex is [ParseComplex128] with parts of [ParseLongDouble].
func ParseLongComplex(s string) (LongComplex, error) {
	re, im, err := parseComplex("clongdouble", s, ParseLongDouble)
	return LongComplex{re, im}, err
}

// parseComplex reads each part with the function of its float type, so that it is rounded once. Both parts are zero if
// there is an error other than ErrRange.
func parseComplex[T any](name, s string, parse func(string) (T, error)) (re, im T, err error) {
	var zero T
	text := s
	if n := len(s); n >= 2 && s[0] == '(' && s[n-1] == ')' {
		text = s[1 : n-1]
	}
	reText, imText := splitComplex(text)
	inRange := true
	part := func(text string, absent bool) T {
		if absent || err != nil {
			return zero
		}
		x, partErr := parse(text)
		switch {
		case errors.Is(partErr, ErrRange):
			inRange = false
		case partErr != nil:
			err = parseError(name, s, ErrSyntax)
		}
		return x
	}
	re = part(reText, text != "" && reText == "")
	im = part(unitPart(imText), imText == "")
	switch {
	case err != nil:
		return zero, zero, err
	case !inRange:
		err = parseError(name, s, ErrRange)
	}
	return re, im, err
}

// splitComplex splits s before the last sign that starts a number. im has no j, and is "" if absent.
func splitComplex(s string) (re, im string) {
	n := len(s)
	if n == 0 || s[n-1] != 'j' && s[n-1] != 'J' {
		return s, ""
	}
	i := n - 1
	for ; i > 0; i-- {
		if (s[i] == '+' || s[i] == '-') && s[i-1] != 'e' && s[i-1] != 'E' {
			break
		}
	}
	if i == 0 && n == 1 {
		return "", "+"
	}
	return s[:i], s[i : n-1]
}

// unitPart returns an imaginary part with the 1 that a bare j stands for.
func unitPart(im string) string {
	if im == "+" || im == "-" {
		return im + "1"
	}
	return im
}

// parseFloat64 returns the float64 nearest to the number s, or an infinity and ErrRange.
func parseFloat64(s string) (float64, error) {
	n, err := scanNumber(s)
	if err != nil {
		return 0, err
	}
	f := n.value()
	if math.IsInf(f, 0) && n.class != classInf {
		return f, ErrRange
	}
	return f, nil
}

// Complex32sToComplex64s is [Complex32.Complex64] for slices.
func Complex32sToComplex64s(dst []complex64, src []Complex32) {
	dst = dst[:len(src)]
	for i, c := range src {
		dst[i] = complex(widenFloat16(c.Real), widenFloat16(c.Imag))
	}
}

// Complex64sToComplex32s is [Complex32FromComplex64] for slices.
func Complex64sToComplex32s(dst []Complex32, src []complex64) {
	dst = dst[:len(src)]
	for i, c := range src {
		parts, narrow := [2]float32{real(c), imag(c)}, [2]Float16{}
		Float32sToFloat16s(narrow[:], parts[:])
		dst[i] = Complex32{narrow[0], narrow[1]}
	}
}

// LongComplexesToComplex128s is [LongComplex.Complex128] for slices. It reports whether all results are exact.
func LongComplexesToComplex128s(dst []complex128, src []LongComplex) (exact bool) {
	dst = dst[:len(src)]
	exact = true
	for i, c := range src {
		z, ok := c.Complex128()
		dst[i], exact = z, exact && ok
	}
	return exact
}
