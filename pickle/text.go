package pickle

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// An Encoding says what becomes of the str of Python 2, which is bytes that may be text.
type Encoding uint8

const (
	// ASCII makes strings of them. One that has other characters is an error, as in Python, unless it is used as bytes:
	// by a class that this package or [Decoder.Construct] knows, through [RawBytes].
	ASCII Encoding = iota
	// Latin1 makes strings of them, byte by byte.
	Latin1
	// Bytes makes []byte of them.
	Bytes
)

// text is BINUNICODE and its like.
func (m *machine) text(b []byte) error {
	if !validText(b) {
		return fmt.Errorf("%s is not UTF-8", quoted(b))
	}
	return m.push(m.string(b))
}

// string returns b as a string, with the identity that encoders know it by.
func (m *machine) string(b []byte) string {
	s := string(b)
	c, ok := singleChar(s)
	if !ok || c == addressEmpty {
		return s
	}
	if !m.chars[c] {
		m.chars[c] = true
		return s
	}
	return secondChar(c)
}

// validText reports whether b is UTF-8 in which surrogates stand for themselves, Python's "surrogatepass".
func validText(b []byte) bool {
	if utf8.Valid(b) {
		return true
	}
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			if len(b) < 3 || b[0] != 0xed || b[1]&0xe0 != 0xa0 || b[2]&0xc0 != 0x80 {
				return false
			}
			size = 3
		}
		b = b[size:]
	}
	return true
}

// bytes returns a copy of b, with the identity that encoders know it by.
func (m *machine) bytes(b []byte) []byte {
	if len(b) != 1 {
		return slices.Clone(b)
	}
	if m.single[b[0]] {
		return apart(b[0])
	}
	m.single[b[0]] = true
	return []byte{b[0]}
}

// escapedText is UNICODE: Python's codec raw-unicode-escape, which is Latin-1 with \uXXXX and \UXXXXXXXX.
func (m *machine) escapedText(line []byte) error {
	s := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		c := line[i]
		if c != '\\' || i+1 == len(line) {
			s = utf8.AppendRune(s, rune(c))
			continue
		}
		i++
		digits := 0
		switch line[i] {
		case 'u':
			digits = 4
		case 'U':
			digits = 8
		default: // no escape, and if this is a backslash it does not begin one
			s = utf8.AppendRune(append(s, c), rune(line[i]))
			continue
		}
		r, err := hexRune(line[i-1:], digits)
		if err != nil {
			return err
		}
		s = appendRune(s, r)
		i += digits
	}
	return m.push(m.string(s))
}

// hexRune returns the character of an escape, \u and so many digits.
func hexRune(escape []byte, digits int) (rune, error) {
	if len(escape) < 2+digits {
		return 0, fmt.Errorf("the escape %s is cut short", quoted(escape))
	}
	n, err := strconv.ParseUint(string(escape[2:2+digits]), 16, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, fmt.Errorf("the escape %s is no character", quoted(escape[:2+digits]))
	}
	return rune(n), nil
}

// appendRune appends a character, or the three bytes of a surrogate.
func appendRune(b []byte, r rune) []byte {
	if 0xd800 <= r && r < 0xe000 {
		return append(b, 0xed, 0x80|byte(r>>6&0x3f), 0x80|byte(r&0x3f))
	}
	return utf8.AppendRune(b, r)
}

// A rawText is a str of Python 2 that is not text, under the encoding ASCII. It is an error at the end if nobody used it
// as bytes, or if it is part of the result besides.
type rawText struct {
	data   []byte
	offset int64  // of its opcode
	op     string // its name
	used   bool
}

func (r *rawText) err() error {
	return &Error{r.offset, r.op, fmt.Errorf("a str of Python 2 is not ASCII: %s: choose the Decoder's Encoding, Latin1 for text of its single bytes or Bytes", quoted(r.data))}
}

// oldString pushes a str of Python 2.
func (m *machine) oldString(b []byte) error {
	switch {
	case m.d.Encoding == Bytes:
		return m.push(slices.Clone(b))
	case isASCII(b):
		return m.push(string(b))
	case m.d.Encoding == Latin1:
		return m.push(latin1Text(b))
	}
	r := &rawText{data: slices.Clone(b), offset: m.start, op: m.op}
	m.raws = append(m.raws, r)
	return m.push(r)
}

func isASCII(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c >= 0x80 })
}

// latin1Text returns the text whose characters have the numbers of the bytes.
func latin1Text(b []byte) string {
	s := make([]byte, 0, 2*len(b))
	for _, c := range b {
		s = utf8.AppendRune(s, rune(c))
	}
	return string(s)
}

// latin1Bytes is the way back, and false for a string with other characters.
func latin1Bytes(s string) ([]byte, bool) {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return nil, false
		}
		b = append(b, byte(r))
	}
	return b, true
}

// RawBytes returns the bytes of what a pickle has where Python expects bytes: a []byte, a [ByteArray], or a str of
// Python 2 in whichever way the [Encoding] gave it. It reports false for other values. The memory is that of the value,
// but for strings.
func RawBytes(v any) ([]byte, bool) {
	switch v := v.(type) {
	case []byte:
		return v, true
	case *ByteArray:
		return v.Bytes, true
	case *rawText:
		v.used = true
		return v.data, true
	case string:
		return latin1Bytes(v)
	}
	return nil, false
}

var errEscape = errors.New(`\x without two digits after it`)

// quotedString is STRING: the repr of a str of Python 2.
func (m *machine) quotedString(line []byte) error {
	n := len(line)
	if n < 2 || line[0] != line[n-1] || line[0] != '\'' && line[0] != '"' {
		return fmt.Errorf("%s is not in quotes", quoted(line))
	}
	b, err := unescape(line[1 : n-1])
	if err != nil {
		return err
	}
	return m.oldString(b)
}

// simpleEscapes are the characters that follow a backslash in pairs with what they stand for.
const simpleEscapes = "\\\\''\"\"b\bf\ft\tn\nr\rv\va\a"

// unescape undoes the escapes of a str of Python 2. As in Python, an unknown one stands for itself.
func unescape(line []byte) ([]byte, error) {
	b := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		if line[i] != '\\' {
			b = append(b, line[i])
			continue
		}
		i++
		if i == len(line) {
			return nil, errors.New("a backslash is the last character")
		}
		c, used, err := unescapeOne(line[i:])
		if err != nil {
			return nil, err
		}
		if used == 0 {
			c = '\\'
		}
		b = append(b, c)
		i += used - 1
	}
	return b, nil
}

// unescapeOne returns the byte that an escape stands for and how many characters after the backslash it has; 0 if it is
// none.
func unescapeOne(s []byte) (c byte, used int, err error) {
	switch {
	case s[0] == 'x':
		n, err := strconv.ParseUint(string(s[1:min(3, len(s))]), 16, 8)
		if err != nil || len(s) < 3 {
			return 0, 0, errEscape
		}
		return byte(n), 3, nil
	case '0' <= s[0] && s[0] <= '7':
		for used < min(3, len(s)) && '0' <= s[used] && s[used] <= '7' {
			c = c<<3 | (s[used] - '0')
			used++
		}
		return c, used, nil
	}
	for i := 0; i < len(simpleEscapes); i += 2 {
		if simpleEscapes[i] == s[0] {
			return simpleEscapes[i+1], 1, nil
		}
	}
	return 0, 0, nil
}
