package scalar

import "math"

// AppendComplex128 appends c as str(complex) and str(numpy.complex128) print it, less the parentheses:
// 1.5-2j, 1+nanj, -0+0j, infj. Each part has the digits of [AppendFloat64] except that an integral part
// ends without .0. A real part of positive zero is left out.
func AppendComplex128(dst []byte, c complex128) []byte {
	return appendComplexFloat(dst, real(c), imag(c), 64)
}

// AppendComplex64 appends c as str(numpy.complex64) prints it, less the parentheses, in the style of
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

// appendComplex joins two parts printed by re and im; the real one is left out when it is +0.
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
	text := s
	if n := len(s); n >= 2 && s[0] == '(' && s[n-1] == ')' {
		text = s[1 : n-1]
	}
	re, im := splitComplex(text)
	x, err := parsePart(re, text != "" && re == "")
	if err != nil {
		return 0, parseError("complex128", s, err)
	}
	y, err := parsePart(unitPart(im), im == "")
	if err != nil {
		return 0, parseError("complex128", s, err)
	}
	c := complex(x, y)
	if math.IsInf(x, 0) && !isInfText(re) || math.IsInf(y, 0) && !isInfText(im) {
		return c, parseError("complex128", s, ErrRange)
	}
	return c, nil
}

// splitComplex parts s before the last sign that starts a number; im is without its j, "" when absent.
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

// unitPart spells out the 1 that j stands for alone.
func unitPart(im string) string {
	if im == "+" || im == "-" {
		return im + "1"
	}
	return im
}

func parsePart(s string, absent bool) (float64, error) {
	if absent {
		return 0, nil
	}
	n, err := scanNumber(s)
	if err != nil {
		return 0, err
	}
	return n.value(), nil
}

func isInfText(s string) bool {
	n, err := scanNumber(s)
	return err == nil && n.class == classInf
}
