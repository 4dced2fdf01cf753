package cast

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// parseConversion reads bools, numbers and times from text, with the grammar of Python's int, float and complex and of NumPy's
// datetime64.
func parseConversion(from, to dtype.Type) conversion {
	read := codec.Strings(from)
	var c Caster
	switch kind := elem.KindOf(to); {
	case kind == dtype.KindBool:
		c = overStrings(read, func(item []byte, text string) error {
			item[0] = 0
			if text != "" {
				item[0] = 1
			}
			return nil
		})
	case kindRank(to) == kindRank(dtype.Uint8):
		c = castFrom(parsing(read, to, uintParser(integerBits(to))), to, to, false)
	case kind == dtype.KindInt:
		c = castFrom(parsing(read, to, intParser(integerBits(to))), to, to, false)
	case kind == dtype.KindFloat && to.ItemSize() > 8:
		c = castFrom(parsing(read, to, parseLong), to, to, false)
	case kind == dtype.KindFloat:
		c = castFrom(parsing(read, to, parseFloat), to, to, false)
	case kind == dtype.KindComplex:
		c = complexParser(read, to)
	case to.Kind() == dtype.KindDatetime && !IsGeneric(to):
		c = datetimeParser(read, to)
	case to.Kind() == dtype.KindTimedelta:
		parse, _ := elem.Texts{}.Parser(to) // timedelta64 always has one
		c = overStrings(read, func(item []byte, text string) error {
			if digits := strings.TrimLeftFunc(text, isPythonSpace); digits != "" {
				text = digits
			}
			return parse(item, text)
		})
	default:
		return never
	}
	return conversion{Unsafe, always(c)}
}

func integerBits(t dtype.Type) int {
	if n, ok := elem.SmallIntOf(t); ok {
		return int(n.Bits)
	}
	return 8 * t.ItemSize()
}

// parsing returns a decoder of numbers as Python writes them: white space around them and single underscores between digits are
// allowed.
func parsing[S any](read codec.Decoder[string], to dtype.Type, parse func(string) (S, error)) codec.Decoder[S] {
	return func(dst []S, src []byte) error {
		texts := make([]string, len(dst))
		if err := read(texts, src); err != nil {
			return err
		}
		for i, text := range texts {
			var err error
			if dst[i], err = parse(pythonNumber(text)); err != nil {
				return &codec.ElementError{Index: i, Err: elem.Refuse(to, text, err)}
			}
		}
		return nil
	}
}

// pythonNumber removes white space around a number and the underscores that Python allows. If other underscores
// remain it returns "_", which is not a number.
func pythonNumber(text string) string {
	text = strings.TrimFunc(text, isPythonSpace)
	digit := func(i int) bool { return i >= 0 && i < len(text) && '0' <= text[i] && text[i] <= '9' }
	for i := range len(text) {
		if text[i] == '_' && !(digit(i-1) && digit(i+1)) {
			return "_"
		}
	}
	return strings.ReplaceAll(text, "_", "")
}

func isPythonSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }

func intParser(bits int) func(string) (int64, error) {
	return func(text string) (int64, error) { return strconv.ParseInt(text, 10, bits) }
}

func uintParser(bits int) func(string) (uint64, error) {
	return func(text string) (uint64, error) {
		x, err := strconv.ParseUint(strings.TrimPrefix(text, "+"), 10, bits)
		if err == nil && !strings.HasPrefix(text, "++") {
			return x, nil
		}
		switch i, err := strconv.ParseInt(text, 10, 64); {
		case err == nil && i == 0: // -0
			return 0, nil
		case err == nil:
			return 0, strconv.ErrRange
		}
		return 0, err
	}
}

// parseFloat returns an infinity for a number that is too large, as Python does.
func parseFloat(text string) (float64, error) {
	digits := strings.TrimLeft(text, "+-")
	switch {
	case len(text)-len(digits) <= 1 && strings.EqualFold(digits, "nan"):
		return math.NaN(), nil
	case strings.HasPrefix(digits, "0x"), strings.HasPrefix(digits, "0X"):
		return 0, strconv.ErrSyntax
	}
	x, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrRange) {
		err = nil
	}
	return x, err
}

func parseLong(text string) (scalar.LongDouble, error) {
	x, err := scalar.ParseLongDouble(text)
	if errors.Is(err, scalar.ErrRange) {
		err = nil
	}
	return x, err
}

// complexParser reads complex numbers of every size as complex128, as NumPy does.
func complexParser(read codec.Decoder[string], to dtype.Type) Caster {
	double := dtype.Complex128.WithByteOrder(dtype.LittleEndian)
	parse := overStrings(read, func(item []byte, text string) error {
		number := pythonNumber(text)
		if inner, ok := strings.CutPrefix(number, "("); ok && strings.HasSuffix(inner, ")") {
			number = strings.TrimSpace(inner[:len(inner)-1])
		}
		z, err := scalar.ParseComplex128(number)
		if err != nil && !errors.Is(err, scalar.ErrRange) {
			return elem.Refuse(to, text, err)
		}
		binary.LittleEndian.PutUint64(item, math.Float64bits(real(z)))
		binary.LittleEndian.PutUint64(item[8:], math.Float64bits(imag(z)))
		return nil
	})
	if double.Equal(to) {
		return parse
	}
	narrow := numberCaster(double, to, false)
	return func(dst, src []byte, n int) error {
		numbers := make([]byte, 16*n)
		if err := parse(numbers, src, n); err != nil {
			return err
		}
		return narrow(dst, numbers, n)
	}
}

// datetimeParser reads times and rounds them down to whole steps, as NumPy does.
func datetimeParser(read codec.Decoder[string], to dtype.Type) Caster {
	big, step := to.ByteOrder() == dtype.BigEndian, to.Step()
	return overStrings(read, func(item []byte, text string) error {
		x, _, err := scalar.FloorDatetime64(text, step)
		if err != nil {
			return elem.Refuse(to, text, err)
		}
		bulk.PutUint(item, uint64(x.Ticks), big)
		return nil
	})
}
