package pickle

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// An Encoding says how a str of Python 2, which is bytes that may be text, is decoded.
type Encoding uint8

const (
	// ASCII makes it a string. Other characters are an error, as in Python, unless the str is used as bytes: by a class
	// that this package or [Decoder.Construct] knows, through [RawBytes].
	ASCII Encoding = iota
	// Latin1 makes it a string, one character for each byte.
	Latin1
	// Bytes makes it a []byte.
	Bytes
)

// text is BINUNICODE and its like.
func (m *machine) text(b []byte) error {
	if !validText(b) {
		return fmt.Errorf("%s is not UTF-8", quoted(b))
	}
	return m.push(m.string(b))
}

// string returns b as a string, with the identity by which encoders know it.
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

// validText reports whether b is UTF-8 where surrogates may be encoded as themselves, Python's "surrogatepass".
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

// bytes returns a copy of b, with the identity by which encoders know it.
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
		default: // not an escape, and if this is a backslash it does not begin one
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

// hexRune returns the character of an escape, \u and the given number of digits.
func hexRune(escape []byte, digits int) (rune, error) {
	if len(escape) < 2+digits {
		return 0, fmt.Errorf("the escape %s is cut short", quoted(escape))
	}
	n, err := strconv.ParseUint(string(escape[2:2+digits]), 16, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, fmt.Errorf("the escape %s is not a character", quoted(escape[:2+digits]))
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

// A rawText is a str of Python 2 that is not ASCII, under the encoding ASCII. Decoding fails if it is not used as
// bytes, or if it is part of the result.
type rawText struct {
	data   []byte
	offset int64  // the offset of its opcode
	op     string // the name of its opcode
	used   bool
}

func (r *rawText) err() error {
	return &Error{r.offset, r.op, &TextError{r.data}}
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

// latin1Text returns the text with one character for each byte.
func latin1Text(b []byte) string {
	s := make([]byte, 0, 2*len(b))
	for _, c := range b {
		s = utf8.AppendRune(s, rune(c))
	}
	return string(s)
}

// latin1Bytes is the inverse of latin1Text. It returns false for a string with other characters.
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

// RawBytes returns the bytes of a value where Python expects bytes: a []byte, a [ByteArray], or a str of Python 2 in
// whichever way the [Encoding] decoded it. It returns false for other values. The bytes share the memory of the value,
// unless it is a string.
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

// simpleEscapes are pairs: the character after a backslash, and its meaning.
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

// unescapeOne returns the byte of an escape and the number of characters after its backslash; 0 if it is not an escape.
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
