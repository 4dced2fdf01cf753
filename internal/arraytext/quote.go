package arraytext

import (
	"bytes"
	"encoding/binary"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
)

const hexDigits = "0123456789abcdef"

// appendHex appends raw bytes as NumPy prints void: b'\x01\xFF'.
func appendHex(dst, item []byte) []byte {
	const digits = "0123456789ABCDEF"
	dst = append(dst, "b'"...)
	for _, c := range item {
		dst = append(dst, '\\', 'x', digits[c>>4], digits[c&15])
	}
	return append(dst, '\'')
}

// appendBytesItem appends the bytes of an S element, without the NULs at its end, as Python's repr(bytes).
func appendBytesItem(dst, item []byte) []byte {
	item = bytes.TrimRight(item, "\x00")
	quote := pythonQuote(bytes.IndexByte(item, '\'') >= 0, bytes.IndexByte(item, '"') >= 0)
	dst = append(dst, 'b', quote)
	for _, c := range item {
		if c < utf8.RuneSelf {
			dst = appendRune(dst, uint32(c), quote)
		} else {
			dst = appendEscape(dst, 'x', uint32(c), 2)
		}
	}
	return append(dst, quote)
}

// strText returns the function that appends a U element as Python's repr(str).
func strText(t dtype.Type) textFunc {
	big := isBig(t)
	return func(dst, item []byte) []byte {
		single, double := false, false
		for c := range codePoints(item, big) {
			single = single || c == '\''
			double = double || c == '"'
		}
		quote := pythonQuote(single, double)
		dst = appendEscaped(append(dst, quote), codePoints(item, big), quote)
		return append(dst, quote)
	}
}

// pythonQuote returns the quote of repr for a text that has single or double quotes.
func pythonQuote(single, double bool) byte {
	if single && !double {
		return '"'
	}
	return '\''
}

// codePoints visits the code points of a U element up to its trailing NULs. Each may be any 32 bits, not only Unicode.
func codePoints(item []byte, big bool) iter.Seq[uint32] {
	for len(item) > 0 && binary.NativeEndian.Uint32(item[len(item)-4:]) == 0 {
		item = item[:len(item)-4]
	}
	return func(yield func(uint32) bool) {
		for i := 0; i < len(item); i += 4 {
			if !yield(uint32(bulk.Uint(item[i:i+4], big))) {
				return
			}
		}
	}
}

// appendEscaped appends text with the escapes of Python's repr. With quote 0 backslashes are not escaped.
func appendEscaped(dst []byte, text iter.Seq[uint32], quote byte) []byte {
	for c := range text {
		dst = appendRune(dst, c, quote)
	}
	return dst
}

func appendRune(dst []byte, c uint32, quote byte) []byte {
	switch {
	case quote != 0 && (c == uint32(quote) || c == '\\'):
		return append(dst, '\\', byte(c))
	case c == '\t':
		return append(dst, `\t`...)
	case c == '\n':
		return append(dst, `\n`...)
	case c == '\r':
		return append(dst, `\r`...)
	case c <= unicode.MaxRune && unicode.IsPrint(rune(c)): // str.isprintable
		return utf8.AppendRune(dst, rune(c))
	case c <= 0xff:
		return appendEscape(dst, 'x', c, 2)
	case c <= 0xffff:
		return appendEscape(dst, 'u', c, 4)
	}
	return appendEscape(dst, 'U', c, 8)
}

func appendEscape(dst []byte, letter byte, c uint32, digits int) []byte {
	dst = append(dst, '\\', letter)
	for i := digits - 1; i >= 0; i-- {
		dst = append(dst, hexDigits[c>>(4*i)&15])
	}
	return dst
}

// printable returns a name with escapes for characters that must not reach a terminal. Bytes that are not UTF-8 become \x
// escapes.
func printable(name string) string {
	if strings.IndexFunc(name, func(c rune) bool { return c == utf8.RuneError || !unicode.IsPrint(c) }) < 0 {
		return name
	}
	var dst []byte
	for name != "" {
		c, size := utf8.DecodeRuneInString(name)
		if c == utf8.RuneError && size == 1 {
			dst = appendEscape(dst, 'x', uint32(name[0]), 2)
		} else {
			dst = appendRune(dst, uint32(c), 0)
		}
		name = name[size:]
	}
	return string(dst)
}
