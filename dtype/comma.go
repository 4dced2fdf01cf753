package dtype

import (
	"strconv"
	"strings"

	"github.com/npygo/npy/internal/pylit"
)

// isCommaString reports whether NumPy reads text as a comma string (_check_for_commastring): it starts with a count or
// an empty tuple, or has a comma outside square brackets.
func isCommaString(text string) bool {
	rest := text
	if rest != "" && strings.IndexByte("<>=|", rest[0]) >= 0 {
		rest = rest[1:]
	}
	if strings.HasPrefix(rest, "()") || rest != "" && isDigit(rest[0]) {
		return true
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[':
			depth++
		case ']':
			depth--
		case ',':
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// parseComma reads a comma string (numpy._core._internal._commastring): items of an optional order, an optional shape
// and a type. Several items, or one item with a trailing comma, make a struct with fields f0, f1, …
func parseComma(text string) (Type, error) {
	var fields []Field
	offset, pos, isList := 0, 0, false
	for pos < len(text) {
		item := scanItem(text, pos)
		t, err := item.parse(text)
		if err != nil {
			return Type{}, err
		}
		var comma bool
		if pos, comma = skipComma(text, item.end); pos < 0 {
			return Type{}, invalid(item.end, "", "want a comma in %s", quote(text))
		}
		isList = isList || comma
		if offset > MaxItemSize-t.ItemSize() {
			return Type{}, invalid(item.start, "", "fields are larger than %d bytes", MaxItemSize)
		}
		fields = append(fields, Field{Name: "f" + strconv.Itoa(len(fields)), DType: t, Offset: offset})
		offset += t.ItemSize()
	}
	if len(fields) == 1 && !isList {
		return fields[0].DType, nil
	}
	return newStruct(offset, fields), nil
}

// skipComma returns the position after the separator at pos and whether the separator was a comma. The position is -1
// if text[pos] is not a separator.
func skipComma(text string, pos int) (int, bool) {
	rest := strings.TrimLeft(text[pos:], cSpace)
	if rest == "" {
		return len(text), false
	}
	if rest[0] != ',' {
		return -1, false
	}
	return len(text) - len(strings.TrimLeft(rest[1:], cSpace)), true
}

// A commaItem holds the positions of the parts of one item in the text.
type commaItem struct {
	start, shapeEnd, codeStart, end int
	order1, order2                  byte // 0 for none
	shapeStart                      int
}

// scanItem scans the parts of an item in order. Each part takes as many characters as it can: all parts are optional,
// so no backtracking is needed. NumPy's pattern is stricter here than for a lone code: blanks, signs and divisors are
// errors.
func scanItem(text string, pos int) commaItem {
	it := commaItem{start: pos}
	it.order1, pos = scanOrder(text, pos)
	it.shapeStart = pos
	pos = skip(text, pos, " ")
	if pos < len(text) && text[pos] == '(' {
		pos++
	}
	pos = skip(text, pos, " ,0123456789")
	if pos < len(text) && text[pos] == ')' {
		pos++
	}
	it.shapeEnd = skip(text, pos, " ")
	it.order2, it.codeStart = scanOrder(text, it.shapeEnd)
	it.end = skip(text, it.codeStart, alphanumeric+".?")
	if strings.HasPrefix(text[it.end:], "[") {
		if pos = skip(text, it.end+1, alphanumeric+",."); strings.HasPrefix(text[pos:], "]") {
			it.end = pos + 1
		}
	}
	return it
}

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func scanOrder(text string, pos int) (byte, int) {
	if pos < len(text) && strings.IndexByte("<>=|", text[pos]) >= 0 {
		return text[pos], pos + 1
	}
	return 0, pos
}

func skip(text string, pos int, set string) int {
	return len(text) - len(strings.TrimLeft(text[pos:], set))
}

func (it commaItem) parse(text string) (Type, error) {
	order := it.order1
	if order == 0 {
		order = it.order2
	} else if it.order2 != 0 && nativeOrder(it.order1) != nativeOrder(it.order2) {
		return Type{}, invalid(it.start, "", "byte orders %q and %q contradict each other", it.order1, it.order2)
	}
	code, start := text[it.codeStart:it.end], it.codeStart
	if order != 0 && nativeOrder(order) != byte(NativeEndian) {
		code, start = string(rune(order))+code, start-1
	}
	t, err := parseOne(code)
	if err != nil {
		return Type{}, moved(err, start, "")
	}
	shape := text[it.shapeStart:it.shapeEnd]
	if shape == "" {
		return t, nil
	}
	v, err := pylit.Parse(shape)
	if err != nil {
		return Type{}, invalid(it.shapeStart, "", "invalid shape %s", quote(shape))
	}
	t, err = withShape(t, v)
	if err != nil {
		return Type{}, moved(err, it.shapeStart, "")
	}
	return t, nil
}

func nativeOrder(c byte) byte {
	if c == '=' || c == '|' {
		return byte(NativeEndian)
	}
	return c
}
