package elem

import (
	"cmp"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/scalar"
)

func boolCodec(t dtype.Type) codec {
	return codec{
		format: func(dst, item []byte) ([]byte, error) { return strconv.AppendBool(dst, item[0] != 0), nil },
		parse: func(item []byte, text string) error {
			switch text {
			case "true", "True", "TRUE", "1":
				item[0] = 1
			case "false", "False", "FALSE", "0":
				item[0] = 0
			default:
				return &Error{text, t, scalar.ErrSyntax}
			}
			return nil
		},
	}
}

func intCodec(t dtype.Type) codec {
	big, size := isBig(t), t.ItemSize()
	shift := 64 - 8*size // moves the sign bit to the top and back
	return codec{
		format: func(dst, item []byte) ([]byte, error) {
			return strconv.AppendInt(dst, int64(bulk.Uint(item[:size], big)<<shift)>>shift, 10), nil
		},
		parse: func(item []byte, text string) error {
			if size == 8 {
				if x, ok := quickInt(text); ok {
					bulk.PutUint(item[:8], uint64(x), big)
					return nil
				}
			}
			x, err := strconv.ParseInt(text, 10, 8*size)
			if err != nil {
				return Refuse(t, text, err)
			}
			bulk.PutUint(item[:size], uint64(x), big)
			return nil
		},
	}
}

// quickInt is strconv.ParseInt for at most 18 digits with an optional sign, in half of the time. It reports false for all other text.
func quickInt(text string) (x int64, ok bool) {
	digits := text
	if text != "" && (text[0] == '-' || text[0] == '+') {
		digits = text[1:]
	}
	if digits == "" || len(digits) > 18 {
		return 0, false
	}
	for i := range len(digits) {
		c := digits[i] - '0'
		if c > 9 {
			return 0, false
		}
		x = 10*x + int64(c)
	}
	if text[0] == '-' {
		x = -x
	}
	return x, true
}

func uintCodec(t dtype.Type) codec {
	big, size := isBig(t), t.ItemSize()
	return codec{
		format: func(dst, item []byte) ([]byte, error) {
			return strconv.AppendUint(dst, bulk.Uint(item[:size], big), 10), nil
		},
		parse: func(item []byte, text string) error {
			digits := text
			if len(text) > 1 && text[0] == '+' && text[1] != '+' { // as for signed integers
				digits = text[1:]
			}
			x, err := strconv.ParseUint(digits, 10, 8*size)
			if err != nil && isInteger(text) {
				err = scalar.ErrRange // a negative number is one, only not here
			}
			if err != nil {
				return Refuse(t, text, err)
			}
			bulk.PutUint(item[:size], x, big)
			return nil
		},
	}
}

// isInteger reports whether text is an optional sign and digits.
func isInteger(text string) bool {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// A part is a float format: a whole float element, or one half of a complex one.
type part struct {
	size   int
	append func(dst, item []byte) []byte
	parse  func(item []byte, text string) error // returns errors of strconv or scalar; a number that is too large sets item to an infinity
}

// partOf returns the float format of the given size in t.
func (x Texts) partOf(t dtype.Type, size int) part {
	big := isBig(t)
	p := part{size: size}
	switch size {
	case 8:
		p.append = func(dst, item []byte) []byte {
			return scalar.AppendFloat64(dst, math.Float64frombits(bulk.Uint(item[:8], big)))
		}
		p.parse = func(item []byte, text string) error {
			x, err := parseFloat(text, 64)
			bulk.PutUint(item[:8], math.Float64bits(x), big)
			return err
		}
	case 4:
		p.append = func(dst, item []byte) []byte {
			return scalar.AppendFloat32(dst, math.Float32frombits(uint32(bulk.Uint(item[:4], big))))
		}
		p.parse = func(item []byte, text string) error {
			x, err := parseFloat(text, 32)
			bulk.PutUint(item[:4], uint64(math.Float32bits(float32(x))), big)
			return err
		}
	case 2:
		return halfPart(p, big, scalar.Float16.Append, scalar.ParseFloat16)
	case 1:
		f, _ := SmallFloatOf(t)
		return smallPart(p, big, f.Append, f.Parse)
	default:
		if x.isQuad(size) {
			return quadPart(p, big)
		}
		return longPart(p, big)
	}
	return p
}

// halfPart is a format of two bytes.
func halfPart[T scalar.Float16 | scalar.BFloat16](p part, big bool, format func(T, []byte) []byte, parse func(string) (T, error)) part {
	type bits = struct{ Bits uint16 }
	return smallPart(p, big, func(x uint16, dst []byte) []byte { return format(T(bits{x}), dst) },
		func(text string) (uint16, error) { x, err := parse(text); return bits(x).Bits, err })
}

func smallPart[T uint8 | uint16](p part, big bool, format func(T, []byte) []byte, parse func(string) (T, error)) part {
	p.append = func(dst, item []byte) []byte { return format(T(bulk.Uint(item[:p.size], big)), dst) }
	p.parse = func(item []byte, text string) error {
		x, err := parse(orNaN(text))
		bulk.PutUint(item[:p.size], uint64(x), big)
		return err
	}
	return p
}

// longPart is the x87 format in 12 or 16 bytes.
func longPart(p part, big bool) part {
	p.append = func(dst, item []byte) []byte {
		x, _ := scalar.LongDoubleFromBytes(item[:p.size], big) // the size is right
		return x.Append(dst)
	}
	p.parse = func(item []byte, text string) error {
		x, err := scalar.ParseLongDouble(orNaN(text))
		return cmp.Or(x.PutBytes(item[:p.size], big), err)
	}
	return p
}

// isQuad reports whether floats of this size are binary128.
func (x Texts) isQuad(size int) bool { return x.Float128 && size == 16 }

func quad(item []byte, big bool) scalar.Float128 {
	x, _ := scalar.Float128FromBytes(item, big) // the size is right
	return x
}

// quadPart is binary128.
func quadPart(p part, big bool) part {
	p.append = func(dst, item []byte) []byte { return quad(item[:16], big).Append(dst) }
	p.parse = func(item []byte, text string) error {
		x, err := scalar.ParseFloat128(orNaN(text))
		return cmp.Or(x.PutBytes(item[:16], big), err)
	}
	return p
}

func orNaN(text string) string {
	if text == "" {
		return "nan"
	}
	return text
}

// parseFloat is strconv.ParseFloat for decimal texts only. It also accepts the empty text, and the sign that C prints
// before nan.
func parseFloat(text string, bits int) (float64, error) {
	if bits == 64 {
		if x, ok := quickFloat(text); ok {
			return x, nil
		}
	}
	x, err := strconv.ParseFloat(text, bits)
	if err != nil {
		if text == "" || len(text) == 4 && (text[0] == '-' || text[0] == '+') && strings.EqualFold(text[1:], "nan") {
			return math.NaN(), nil
		}
		return x, err
	}
	if len(text) > 2 && (text[1]|0x20 == 'x' || text[2]|0x20 == 'x' || strings.IndexByte(text, '_') >= 0) {
		return 0, scalar.ErrSyntax // as Go writes numbers: 0x1p-2, -0x1p-2, 1_000
	}
	return x, nil
}

// infinite returns p, which takes numbers that are too large for infinities if x says so. Formats of one byte keep their
// error: most of them have no infinity.
func (x Texts) infinite(p part) part {
	if parse := p.parse; x.Infinite && p.size > 1 {
		p.parse = func(item []byte, text string) error {
			err := parse(item, text)
			if err != nil && (errors.Is(err, strconv.ErrRange) || errors.Is(err, scalar.ErrRange)) {
				return nil
			}
			return err
		}
	}
	return p
}

func (p part) codec(t dtype.Type) codec {
	quick, big := p.size == 8, isBig(t)
	return codec{
		format: func(dst, item []byte) ([]byte, error) { return p.append(dst, item), nil },
		parse: func(item []byte, text string) error {
			if quick {
				if x, ok := quickFloat(text); ok {
					bulk.PutUint(item[:8], math.Float64bits(x), big)
					return nil
				}
			}
			if err := p.parse(item, text); err != nil {
				return Refuse(t, text, err)
			}
			return nil
		},
	}
}
