package repr

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/npygo/npy/internal/pylit"
)

// A Text is text whose length is limited. It is checked from time to time, so that the text may grow longer for a while;
// Done cuts it.
type Text struct {
	Bytes       []byte
	base, limit int
}

// Ellipsis stands for truncated text.
const Ellipsis = "…"

// unlimited is the result of Left for a text without a limit.
const unlimited = 1 << 20

// NewText returns a text that is appended to dst, of at most limit bytes; a negative limit is none.
func NewText(dst []byte, limit int) Text { return Text{Bytes: dst, base: len(dst), limit: limit} }

// Full reports whether the limit is exceeded, so that all further text will be cut.
func (t *Text) Full() bool { return t.limit >= 0 && len(t.Bytes)-t.base > t.limit }

// Left returns the number of bytes that may still be appended.
func (t *Text) Left() int {
	if t.limit < 0 {
		return unlimited
	}
	return max(t.limit-(len(t.Bytes)-t.base), 0)
}

// Done returns the text, cut to its limit.
func (t *Text) Done() []byte {
	if !t.Full() {
		return t.Bytes
	}
	end := t.base + t.limit
	for end > t.base && !utf8.RuneStart(t.Bytes[end]) {
		end--
	}
	return append(t.Bytes[:end], Ellipsis...)
}

// Add appends text as it is.
func (t *Text) Add(s string) { t.Bytes = append(t.Bytes, s...) }

// Prefix returns the part of a text that can be printed: each byte of it takes at least one byte.
func Prefix[T string | []byte](t *Text, s T) T {
	if left := max(0, t.limit-(len(t.Bytes)-t.base)); t.limit >= 0 && left < len(s)-utf8.UTFMax {
		return s[:left+utf8.UTFMax]
	}
	return s
}

// Atom appends the repr of a value without parts, and reports whether v is one: None, a bool, a number, a str or bytes.
func (t *Text) Atom(v any) (ok bool) {
	switch s := v.(type) {
	case string:
		v = Prefix(t, s)
	case []byte:
		v = Prefix(t, s)
	}
	t.Bytes, ok = AppendAtom(t.Bytes, v)
	return ok
}

// ByteArray appends the repr of a bytearray.
func (t *Text) ByteArray(b []byte) { t.Bytes = AppendByteArray(t.Bytes, Prefix(t, b)) }

// Numbers appends numbers with commas between, each after open or a comma.
func (t *Text) Numbers(open string, numbers ...int) {
	for _, n := range numbers {
		t.Add(open)
		t.Bytes = strconv.AppendInt(t.Bytes, int64(n), 10)
		open = ", "
	}
}

// Name appends a name as it is, or quoted if it has anything but printable characters.
func (t *Text) Name(s string) {
	if s = Prefix(t, s); strings.IndexFunc(s, notPrintable) >= 0 {
		t.Bytes = pylit.AppendRepr(t.Bytes, s)
		return
	}
	t.Add(s)
}

// Lines appends lines with their unprintable characters escaped.
func (t *Text) Lines(s string) {
	for _, c := range Prefix(t, s) {
		switch {
		case c == '\n':
			t.Add("\n")
		case notPrintable(c):
			quoted := pylit.AppendRepr(nil, string(c))
			t.Bytes = append(t.Bytes, quoted[1:len(quoted)-1]...)
		default:
			t.Bytes = utf8.AppendRune(t.Bytes, c)
		}
	}
}

func notPrintable(c rune) bool { return c == utf8.RuneError || !unicode.IsPrint(c) }
