package elem

import (
	"errors"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// ErrFraction is the error for a number that is not whole.
var ErrFraction = errors.New("it is not a whole number")

// wholeParser returns a function that reads the texts of parse, and decimal numbers with a whole value.
func wholeParser(t dtype.Type, parse ParseFunc) ParseFunc {
	return func(item []byte, text string) error {
		first := parse(item, text)
		if first == nil {
			return nil
		}
		digits, err := wholeDigits(text)
		if err == scalar.ErrSyntax {
			return first
		}
		if err == nil {
			err = parse(item, digits)
		}
		var e *Error
		if errors.As(err, &e) {
			err = e.Err
		}
		return Refuse(t, text, err)
	}
}

// wholeDigits returns the digits of an integer that is written as a decimal number: -15 for -1.50e+01. A number with
// more than 20 digits is out of range: no 64-bit integer has more. Nothing is rounded.
func wholeDigits(text string) (string, error) {
	const most = 20
	sign, rest := "", text
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		sign, rest = strings.TrimPrefix(rest[:1], "+"), rest[1:]
	}
	exp := 0
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		var ok bool
		if exp, ok = scanExponent(rest[i:]); !ok {
			return "", scalar.ErrSyntax
		}
		rest = rest[:i]
	}
	whole, fraction, _ := strings.Cut(rest, ".")
	digits := whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return "", scalar.ErrSyntax
	}
	exp -= len(fraction)
	short := strings.TrimRight(digits, "0")
	exp += len(digits) - len(short)
	short = strings.TrimLeft(short, "0")
	switch {
	case short == "":
		return "0", nil
	case exp < 0:
		return "", ErrFraction
	case len(short)+exp > most:
		return "", scalar.ErrRange
	}
	return sign + short + strings.Repeat("0", exp), nil
}
