package pylit

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ellipsis marks a cut.
const ellipsis = "…"

// AppendRepr appends Python's repr of a str that is given in generalized UTF-8. It quotes with ' unless the text has
// that and no ". Characters that do not print according to unicode.IsPrint are escaped, and so are lone surrogates. A
// byte that does not belong to a character is printed as Python decodes it with errors='surrogateescape': the byte 0xFF
// as \udcff.
func AppendRepr(dst []byte, s string) []byte {
	return appendStr(dst, s, quoteFor(s))
}

// AppendInts appends a tuple of integers as Python prints it: (), (3,), (3, 4).
func AppendInts(dst []byte, tuple []int) []byte {
	dst = append(dst, '(')
	for i, n := range tuple {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	if len(tuple) == 1 {
		dst = append(dst, ',')
	}
	return append(dst, ')')
}

// Repr returns Python's repr of v, cut to limit bytes: a longer one ends within them, never inside a character, and is
// followed by "…". If limit is not positive, nothing is cut.
func (v Value) Repr(limit int) string {
	return string(v.AppendRepr(nil, limit))
}

// AppendRepr appends the result of [Value.Repr]. Its work is in proportion to the printed part.
func (v Value) AppendRepr(dst []byte, limit int) []byte {
	if limit <= 0 {
		limit = math.MaxInt
	}
	w := reprWriter{dst: dst, base: len(dst), limit: limit}
	w.value(&v)
	if !w.full() {
		return w.dst
	}
	end := w.base + w.limit
	for end > w.base && !utf8.RuneStart(w.dst[end]) {
		end--
	}
	return append(w.dst[:end], ellipsis...)
}

// A reprWriter prints a value and stops soon after limit bytes.
type reprWriter struct {
	dst         []byte
	base, limit int
}

// full reports whether more than limit bytes are written.
func (w *reprWriter) full() bool { return len(w.dst)-w.base > w.limit }

func (w *reprWriter) text(s string) { w.dst = append(w.dst, s...) }

// value prints v. Its depth is the depth of the text that it was parsed from.
func (w *reprWriter) value(v *Value) {
	switch v.Kind {
	case None:
		w.text("None")
	case Bool:
		w.bool(v.Bool)
	case Int:
		w.int(v)
	case Float:
		w.dst = AppendFloat(w.dst, v.Float)
	case Complex:
		w.dst = AppendComplex(w.dst, v.Complex())
	case String:
		w.dst = appendStr(w.dst, w.prefix(v.Str), quoteFor(v.Str))
	case Bytes:
		w.dst = appendBytes(w.dst, w.prefix(v.Str), quoteFor(v.Str))
	case Ellipsis:
		w.text("Ellipsis")
	default:
		w.container(v)
	}
}

// prefix returns the part of s that can be printed: every byte of it takes at least one byte.
func (w *reprWriter) prefix(s string) string {
	if room := max(0, w.limit-(len(w.dst)-w.base)); room < len(s)-utf8.UTFMax {
		return s[:room+utf8.UTFMax]
	}
	return s
}

func (w *reprWriter) bool(b bool) {
	if b {
		w.text("True")
	} else {
		w.text("False")
	}
}

func (w *reprWriter) int(v *Value) {
	if v.Big != nil {
		w.dst = v.Big.Append(w.dst, 10)
	} else {
		w.dst = strconv.AppendInt(w.dst, v.Int, 10)
	}
}

// AppendFloat appends Python's repr of a float: the shortest digits that read back
// as f, in Python's choice of notation.
func AppendFloat(dst []byte, f float64) []byte {
	dst = appendDigits(dst, f)
	if abs := math.Abs(f); f == math.Trunc(f) && abs < 1e16 {
		dst = append(dst, ".0"...)
	}
	return dst
}

// appendDigits is AppendFloat without the ".0" after integers.
func appendDigits(dst []byte, f float64) []byte {
	switch abs := math.Abs(f); {
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case abs >= 1e16 || abs < 1e-4 && abs > 0:
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

// AppendComplex appends Python's repr of a complex.
func AppendComplex(dst []byte, c complex128) []byte {
	if real(c) == 0 && !math.Signbit(real(c)) {
		return append(appendDigits(dst, imag(c)), 'j')
	}
	dst = appendDigits(append(dst, '('), real(c))
	if !math.Signbit(imag(c)) || math.IsNaN(imag(c)) {
		dst = append(dst, '+')
	}
	return append(appendDigits(dst, imag(c)), "j)"...)
}

// AppendBytesRepr appends Python's repr of bytes.
func AppendBytesRepr(dst []byte, s string) []byte { return appendBytes(dst, s, quoteFor(s)) }

// container prints a value with items.
func (w *reprWriter) container(v *Value) {
	open, end := "(", ")"
	switch v.Kind {
	case List:
		open, end = "[", "]"
	case Set, Dict:
		open, end = "{", "}"
	}
	if v.Kind == Set && len(v.Items) == 0 {
		open, end = "set(", ")"
	}
	w.text(open)
	for i := range v.Items {
		if w.full() {
			return
		}
		switch {
		case v.Kind == Dict && i%2 == 1:
			w.text(": ")
		case i > 0:
			w.text(", ")
		}
		w.value(&v.Items[i])
	}
	if v.Kind == Tuple && len(v.Items) == 1 {
		end = ",)"
	}
	w.text(end)
}

// quoteFor returns the quote that Python puts around s.
func quoteFor(s string) byte {
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		return '"'
	}
	return '\''
}

// appendStr prints the characters of s between quotes.
func appendStr(dst []byte, s string, quote byte) []byte {
	dst = append(dst, quote)
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			dst = appendASCII(dst, c, quote)
			i++
			continue
		}
		r, n := decodeChar(s[i:])
		if unicode.IsPrint(r) {
			dst = append(dst, s[i:i+n]...)
		} else {
			dst = appendEscape(dst, r)
		}
		i += n
	}
	return append(dst, quote)
}

// decodeChar decodes the first character of s. At an invalid byte it returns the surrogate that Python puts in its
// place, and a length of one byte.
func decodeChar(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || n > 1 {
		return r, n
	}
	if len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return 0xDC00 | rune(s[0]), 1
}

// appendEscape prints a character that is not ASCII by its number.
func appendEscape(dst []byte, r rune) []byte {
	switch {
	case r < 0x100:
		return appendHex(append(dst, `\x`...), r, 2)
	case r < 0x10000:
		return appendHex(append(dst, `\u`...), r, 4)
	}
	return appendHex(append(dst, `\U`...), r, 8)
}

func appendHex(dst []byte, r rune, digits int) []byte {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[r>>shift&0xF])
	}
	return dst
}

// appendBytes prints bytes as a bytes literal.
func appendBytes(dst []byte, s string, quote byte) []byte {
	dst = append(dst, 'b', quote)
	for i := range len(s) {
		dst = appendASCII(dst, s[i], quote)
	}
	return append(dst, quote)
}

// appendASCII prints one byte of a str below 0x80, or of bytes.
func appendASCII(dst []byte, c, quote byte) []byte {
	switch {
	case c == quote || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, `\n`...)
	case c == '\r':
		return append(dst, `\r`...)
	case c == '\t':
		return append(dst, `\t`...)
	case c < ' ' || c >= 0x7F:
		return appendHex(append(dst, `\x`...), rune(c), 2)
	}
	return append(dst, c)
}
