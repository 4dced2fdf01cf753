// Package escape converts bytes and str to text: UTF-8, with escapes for invalid UTF-8. The text is read back as the
// same value, and almost every text stands for itself.
//
// The escapes are \x and two hexadecimal digits in bytes, \ud800 to \udfff in str. A backslash in the value is written
// unchanged unless the text after it would make it an escape; then it is written \x5c in bytes and \u005c in str.
package escape

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// ErrUTF8 says that a str is neither UTF-8 nor UTF-8 with surrogates of three bytes.
var ErrUTF8 = errors.New("invalid UTF-8")

// The two kinds of text follow one scheme. Writing and reading must agree on escapes, so byteEscape and strEscape
// decide for both; FuzzText in package elem checks that every value survives.

const hexDigits = "0123456789abcdef"

func hexValue(c byte) (int, bool) {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0'), true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10, true
	}
	return 0, false
}

// byteEscape reads \xNN at the start of s.
func byteEscape[T string | []byte](s T) (byte, bool) {
	if len(s) < 4 || s[0] != '\\' || s[1] != 'x' {
		return 0, false
	}
	hi, ok := hexValue(s[2])
	lo, ok2 := hexValue(s[3])
	return byte(hi<<4 | lo), ok && ok2
}

// strEscape reads \uNNNN of a surrogate or a backslash at the start of s.
func strEscape[T string | []byte](s T) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	r := rune(0)
	for i := 2; i < 6; i++ {
		digit, ok := hexValue(s[i])
		if !ok {
			return 0, false
		}
		r = r<<4 | rune(digit)
	}
	return r, r == '\\' || isSurrogate(r)
}

func isSurrogate(r rune) bool { return 0xd800 <= r && r <= 0xdfff }

// AppendBytes appends the text of the bytes b.
func AppendBytes(dst, b []byte) []byte {
	for i := 0; i < len(b); {
		c := b[i]
		size := 1
		switch {
		case c == '\\':
			if _, ok := byteEscape(b[i:]); ok {
				dst = append(dst, `\x5c`...)
			} else {
				dst = append(dst, c)
			}
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			var r rune
			if r, size = utf8.DecodeRune(b[i:]); r == utf8.RuneError && size == 1 {
				dst = append(dst, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
			} else {
				dst = append(dst, b[i:i+size]...)
			}
		}
		i += size
	}
	return dst
}

// BytesLen returns the number of bytes that text stands for in a dtype of bytes.
func BytesLen(text string) int {
	n := len(text)
	for i := strings.IndexByte(text, '\\'); i >= 0 && i < len(text); i++ {
		if _, ok := byteEscape(text[i:]); ok {
			n -= 3
			i += 3
		}
	}
	return n
}

// PutBytes writes the bytes text stands for to item, which must be long enough for them.
func PutBytes(item []byte, text string) {
	for text != "" {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			copy(item, text)
			return
		}
		item = item[copy(item, text[:i]):]
		text = text[i:]
		c, ok := byteEscape(text)
		if ok {
			text = text[4:]
		} else {
			c, text = '\\', text[1:]
		}
		item[0] = c
		item = item[1:]
	}
}

// AppendStr appends the text of s, which is UTF-8 except for three-byte surrogates. The error is [ErrUTF8]; dst is
// then returned as it was.
func AppendStr(dst []byte, s string) ([]byte, error) {
	if strings.IndexByte(s, '\\') < 0 && utf8.ValidString(s) {
		return append(dst, s...), nil
	}
	start := len(dst)
	for s != "" {
		size := 1
		switch _, isEscape := strEscape(s); {
		case isEscape:
			dst = append(dst, `\u005c`...)
		case s[0] < utf8.RuneSelf:
			dst = append(dst, s[0])
		case len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80: // a surrogate
			size = 3
			dst = append(dst, '\\', 'u', 'd', hexDigits[s[1]>>2&15], hexDigits[s[1]<<2&12|s[2]>>4&3], hexDigits[s[2]&15])
		default:
			var r rune
			if r, size = utf8.DecodeRuneInString(s); r == utf8.RuneError && size == 1 {
				return dst[:start], ErrUTF8
			}
			dst = append(dst, s[:size]...)
		}
		s = s[size:]
	}
	return dst, nil
}

// NextRune reads one code point of a str text and returns its width; -1 if the text is not UTF-8.
func NextRune(text string) (rune, int) {
	c := text[0]
	if c == '\\' {
		if r, ok := strEscape(text); ok {
			return r, 6
		}
	}
	if c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 {
		return -1, 1
	}
	return r, size
}

// isPlain reports whether a byte is a code point by itself.
func isPlain(c byte) bool { return c < utf8.RuneSelf && c != '\\' }

// PlainLen returns the length of the beginning of text whose bytes are code points.
func PlainLen(text string) int {
	n := 0
	for n < len(text) && isPlain(text[n]) {
		n++
	}
	return n
}

// StrLen returns the number of code points that text stands for in a str dtype.
func StrLen(text string) int {
	n := PlainLen(text)
	for text = text[n:]; text != ""; n++ {
		_, size := NextRune(text)
		text = text[size:]
	}
	return n
}

// Bytes returns the bytes that text stands for.
func Bytes(text string) []byte {
	b := make([]byte, BytesLen(text))
	PutBytes(b, text)
	return b
}

// Str returns the str that text stands for: UTF-8, with surrogates of three bytes.
func Str(text string) (string, error) {
	if strings.IndexByte(text, '\\') < 0 && utf8.ValidString(text) {
		return text, nil
	}
	var b []byte
	for text != "" {
		r, size := NextRune(text)
		switch {
		case r < 0:
			return "", ErrUTF8
		case isSurrogate(r):
			b = append(b, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
		default:
			b = utf8.AppendRune(b, r)
		}
		text = text[size:]
	}
	return string(b), nil
}
