package scalar

import (
	"math"
	"strconv"
	"strings"
)

// A number is a parsed decimal text that is not rounded to any format yet.
type number struct {
	neg         bool
	class       uint8
	whole, frac string // digits before and after the point
	exp         int64  // power of ten written after e
}

const (
	classFinite = iota
	classInf
	classNaN
)

// maxExp bounds the exponent in the text: far above any format, yet small enough to add lengths to it.
const maxExp = 1 << 50

// scanNumber reads [sign] digits [. digits] [e [sign] digits], or inf, infinity, nan in any case.
func scanNumber(s string) (number, error) {
	var n number
	if s != "" && (s[0] == '+' || s[0] == '-') {
		n.neg = s[0] == '-'
		s = s[1:]
	}
	switch {
	case strings.EqualFold(s, "inf"), strings.EqualFold(s, "infinity"):
		n.class = classInf
		return n, nil
	case strings.EqualFold(s, "nan"):
		n.class = classNaN
		return n, nil
	}
	n.whole, s = leadingDigits(s)
	if s != "" && s[0] == '.' {
		n.frac, s = leadingDigits(s[1:])
	}
	if n.whole == "" && n.frac == "" {
		return n, ErrSyntax
	}
	if s == "" {
		return n, nil
	}
	return n, n.scanExponent(s)
}

func (n *number) scanExponent(s string) error {
	if s[0] != 'e' && s[0] != 'E' {
		return ErrSyntax
	}
	s = s[1:]
	neg := false
	if s != "" && (s[0] == '+' || s[0] == '-') {
		neg = s[0] == '-'
		s = s[1:]
	}
	d, rest := leadingDigits(s)
	if d == "" || rest != "" {
		return ErrSyntax
	}
	for i := range len(d) {
		n.exp = min(n.exp*10+int64(d[i]-'0'), maxExp)
	}
	if neg {
		n.exp = -n.exp
	}
	return nil
}

func leadingDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// digits returns the significant digits, without zeros at either end, and the decimal exponent of the
// first. Zero has no digits.
func (n *number) digits() (digits string, exp int64) {
	whole := strings.TrimLeft(n.whole, "0")
	frac := n.frac
	exp = n.exp + int64(len(whole)) - 1
	if whole == "" {
		frac = strings.TrimLeft(frac, "0")
		exp -= int64(len(n.frac) - len(frac))
	}
	digits = strings.TrimRight(whole+frac, "0")
	if digits == "" {
		return "", 0
	}
	return digits, exp
}

// value returns float64, extended to infinities and NaN.
func (n *number) value() float64 {
	sign := 1.0
	if n.neg {
		sign = -1
	}
	switch n.class {
	case classInf:
		return math.Inf(int(sign))
	case classNaN:
		return math.Copysign(math.NaN(), sign)
	}
	return n.float64()
}

// float64 returns the nearest float64, infinite when the number is too large.
func (n *number) float64() float64 {
	digits, exp := n.digits()
	var f float64
	switch {
	case digits == "", exp < -400:
	case exp > 400:
		f = math.Inf(1)
	default:
		text := digits[:1] + "." + digits[1:] + "e" + strconv.FormatInt(exp, 10)
		f, _ = strconv.ParseFloat(text, 64) // an overflow gives an infinity with an error; the infinity is the result
	}
	if n.neg {
		f = -f
	}
	return f
}

// compare compares the magnitudes of n and f exactly: -1 when n is nearer to zero, 1 when farther.
func (n *number) compare(f float64) int {
	digits, exp := n.digits()
	other := decimalOf(f)
	odigits, oexp := other.digits()
	switch {
	case digits == "" || odigits == "":
		return len(digits) - len(odigits)
	case exp != oexp:
		if exp < oexp {
			return -1
		}
		return 1
	}
	return strings.Compare(digits, odigits)
}

// decimalOf writes a finite f in full; no float64 has more than 767 significant digits.
func decimalOf(f float64) number {
	n, _ := scanNumber(strconv.FormatFloat(math.Abs(f), 'e', 766, 64))
	return n
}

func parseError(name, text string, err error) error {
	return &ParseError{Type: name, Text: text, Err: err}
}
