package dtype

import (
	"errors"
	"fmt"
	"strings"
)

// Parse reads the text of a dtype as numpy.dtype(text) does: a code with a size ("<f8", "U5", "M8[25s]"), a name
// ("float64", "longdouble"), or a comma string of several items ("i4, (2,2)>f4"), which makes a struct of fields f0,
// f1, … It also accepts a whole descr such as "[('x', '<f8')]": Parse(t.Descr()) is t for every Type that a file can
// express; see [Type.Descr].
//
// A size that does not exist, or that would overflow in NumPy, is an [*Error].
func Parse(text string) (Type, error) {
	if t, ok := parsePlain(text); ok {
		return t, nil
	}
	if isLiteral(text) {
		return ParseDescr(text)
	}
	if isCommaString(text) {
		return parseComma(text)
	}
	return parseOne(text)
}

// parsePlain is the fast path for nearly every file: an order character, a letter and one digit.
func parsePlain(text string) (Type, bool) {
	if len(text) != 3 || text[2] < '1' || text[2] > '9' {
		return Type{}, false
	}
	t := Type{kind: Kind(text[1]), size: int32(text[2] - '0')}
	switch t.kind {
	case KindInt, KindUint, KindFloat, KindComplex:
		if !isSize(t.kind, int(t.size)) {
			return Type{}, false
		}
	default:
		return Type{}, false
	}
	return t.inOrder(text[0])
}

// inOrder returns t in the byte order of an order character. "=" and "|" mean this machine's order.
func (t Type) inOrder(c byte) (Type, bool) {
	switch c {
	case '<', '>':
		return t.WithByteOrder(ByteOrder(c)), true
	case '=', '|':
		return t.WithByteOrder(NativeEndian), true
	}
	return t, false
}

// isSize reports whether a number of kind k can have size bytes on a platform that NumPy supports.
func isSize(k Kind, size int) bool {
	switch k {
	case KindBool:
		return size == 1
	case KindInt, KindUint:
		return size == 1 || size == 2 || size == 4 || size == 8
	case KindFloat: // 1: float8_e5m2 of ml_dtypes; 12: long double of 32-bit x86
		return size == 1 || size == 2 || size == 4 || size == 8 || size == 12 || size == 16
	case KindComplex: // 4: complex32 of ml_dtypes
		return size == 4 || size == 8 || size == 16 || size == 24 || size == 32
	case KindObject: // the size of a pointer of the machine that wrote the file
		return size == 4 || size == 8
	case KindDatetime, KindTimedelta:
		return size == 8
	}
	return false
}

var errNotUnderstood = errors.New("data type is not understood")

// parseOne reads a single type: no comma, no shape.
func parseOne(text string) (Type, error) {
	body, order := text, byte('=')
	if text != "" && strings.IndexByte("<>=|", text[0]) >= 0 {
		body, order = text[1:], text[0]
	}
	t, err := parseBody(body)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return Type{}, moved(e, len(text)-len(body), "")
		}
	}
	if err == nil {
		t, _ = t.inOrder(order)
		return t, nil
	}
	if named, ok := namedType(text); ok { // a name cannot follow an order character
		return named, nil
	}
	return Type{}, invalid(0, "", "%w: %s", err, quote(text))
}

// parseBody reads a code and its size, without the order character.
func parseBody(body string) (Type, error) {
	if t, ok := parseTime(body); ok {
		return t.parse()
	}
	if len(body) == 1 {
		if t, ok := charType(body[0]); ok {
			return t, nil
		}
		return Type{}, errNotUnderstood
	}
	if body == "" {
		return Type{}, errNotUnderstood
	}
	size, ok := parseSize(body[1:])
	if !ok {
		return Type{}, errNotUnderstood
	}
	return sizedType(body[0], size)
}

func sizedType(code byte, size int64) (Type, error) {
	kind, unit := Kind(code), int64(1)
	switch code {
	case 'S', 'a':
		kind = KindBytes
	case 'U':
		unit = 4
	case 'V':
	default:
		if size > 32 || !isSize(kind, int(size)) {
			return Type{}, errNotUnderstood
		}
		if kind == KindObject {
			size = 8
		}
		return plain(kind, int(size)), nil
	}
	if size < 0 || size > MaxItemSize/unit {
		return Type{}, fmt.Errorf("size is out of range 0 to %d", MaxItemSize/unit)
	}
	return plain(kind, int(size*unit)), nil
}

// cSpace is the white space of C and of Python's ASCII patterns.
const cSpace = " \t\n\v\f\r"

// parseSize reads the digits after a code like C's strtol, which NumPy calls: blanks and a sign may precede them. A
// value beyond any size is returned as a large number, for the range check to reject.
func parseSize(s string) (int64, bool) {
	s = strings.TrimLeft(s, cSpace)
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	if s == "" {
		return 0, false
	}
	n := int64(0)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = min(n*10+int64(s[i]-'0'), 1<<40)
	}
	if negative {
		n = -n
	}
	return n, true
}

// isLiteral reports whether text is a descr list or tuple rather than a comma string such as "(2,)i4".
func isLiteral(text string) bool {
	rest := strings.TrimLeft(text, " \t")
	if strings.HasPrefix(rest, "[") {
		return true
	}
	rest, found := strings.CutPrefix(rest, "(")
	rest = strings.TrimLeft(rest, " \t")
	return found && rest != "" && strings.IndexByte("'\"([", rest[0]) >= 0
}
