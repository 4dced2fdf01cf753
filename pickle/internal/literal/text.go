package literal

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// ValidText reports whether b is UTF-8 where surrogates may be encoded as themselves, Python's "surrogatepass".
func ValidText(b []byte) bool {
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

// RawUnicode is UNICODE: Python's codec raw-unicode-escape, which is Latin-1 with \uXXXX and \UXXXXXXXX.
func RawUnicode(line []byte) ([]byte, error) {
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
			return nil, err
		}
		s = appendRune(s, r)
		i += digits
	}
	return s, nil
}

// hexRune returns the character of an escape, \u and the given number of digits.
func hexRune(escape []byte, digits int) (rune, error) {
	if len(escape) < 2+digits {
		return 0, fmt.Errorf("the escape %s is cut short", Quoted(escape))
	}
	n, err := strconv.ParseUint(string(escape[2:2+digits]), 16, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, fmt.Errorf("the escape %s is not a character", Quoted(escape[:2+digits]))
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

// AppendRawUnicode appends text in the codec raw-unicode-escape, with escapes for the characters that would end a line.
// The text has passed ValidText.
func AppendRawUnicode(line []byte, s string) []byte {
	for len(s) > 0 {
		c, size := decodeRune(s)
		s = s[size:]
		switch {
		case c >= 0x10000:
			line = fmt.Appendf(line, `\U%08x`, c)
		case c >= 256 || c == '\\' || c == 0 || c == '\n' || c == '\r' || c == 0x1a:
			line = fmt.Appendf(line, `\u%04x`, c)
		default:
			line = append(line, byte(c))
		}
	}
	return line
}

// decodeRune returns the first character of text that has passed ValidText, where surrogates are encoded as themselves.
func decodeRune(s string) (rune, int) {
	c, size := utf8.DecodeRuneInString(s)
	if c == utf8.RuneError && size == 1 {
		return rune(s[0]&0x0f)<<12 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return c, size
}

// IsASCII reports whether b is ASCII.
func IsASCII(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c >= 0x80 })
}

// Latin1Text returns the text with one character for each byte.
func Latin1Text(b []byte) string {
	s := make([]byte, 0, 2*len(b))
	for _, c := range b {
		s = utf8.AppendRune(s, rune(c))
	}
	return string(s)
}

// Latin1Bytes is the inverse of Latin1Text. It returns false for a string with other characters.
func Latin1Bytes(s string) ([]byte, bool) {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return nil, false
		}
		b = append(b, byte(r))
	}
	return b, true
}

var errEscape = errors.New(`\x without two digits after it`)

// Unquote is STRING: the repr of a str of Python 2.
func Unquote(line []byte) ([]byte, error) {
	n := len(line)
	if n < 2 || line[0] != line[n-1] || line[0] != '\'' && line[0] != '"' {
		return nil, fmt.Errorf("%s is not in quotes", Quoted(line))
	}
	return Unescape(line[1 : n-1])
}

// simpleEscapes are pairs: the character after a backslash, and its meaning.
const simpleEscapes = "\\\\''\"\"b\bf\ft\tn\nr\rv\va\a"

// Unescape undoes the escapes of a str of Python 2. As in Python, an unknown one stands for itself.
func Unescape(line []byte) ([]byte, error) {
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
