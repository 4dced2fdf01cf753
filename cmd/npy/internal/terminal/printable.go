// Package terminal prints for people: text without control characters, aligned tables, colours, progress, and a pager
// for output that is longer than the screen.
package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A terminal obeys some characters and does not show others. Names, values and errors come from untrusted files, so
// all output for people must go through Printable or through Python's repr, which escapes the same characters, and
// all --json output through NewJSON. Formats that programs read, such as CSV on standard output, are not changed, unless
// standard output is a terminal: then they go through Escape. TestHostileText of the command runs every subcommand over files
// that have these characters wherever a file can have text, and TestHostileTerminal does in a terminal.

// isHidden reports whether a character must not reach a terminal: controls (C0, DEL, C1), format characters (marks
// and overrides of bidirectional text, zero-width characters, tags), and separators of lines and paragraphs.
func isHidden(r rune) bool {
	return r < ' ' || r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Printable returns s with the escapes of Python for hidden characters, and \x for bytes that are not UTF-8. The text is
// on one line.
func Printable(s string) string {
	hidden := false
	for i, r := range s {
		if isHidden(r) || r == utf8.RuneError && isBroken(s[i:]) {
			hidden = true
			break
		}
	}
	if !hidden {
		return s
	}
	dst := make([]byte, 0, len(s)+16)
	for s != "" {
		_, size := utf8.DecodeRuneInString(s)
		dst = appendPrintable(dst, s[:size])
		s = s[size:]
	}
	return string(dst)
}

// appendPrintable appends a character, or a byte that is not UTF-8, or its escape.
func appendPrintable(dst []byte, char string) []byte {
	r, size := utf8.DecodeRuneInString(char)
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Appendf(dst, `\x%02x`, char[0])
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case !isHidden(r):
		return append(dst, char...)
	case r <= 0xff:
		return fmt.Appendf(dst, `\x%02x`, r)
	case r <= 0xffff:
		return fmt.Appendf(dst, `\u%04x`, r)
	}
	return fmt.Appendf(dst, `\U%08x`, r)
}

// isBroken reports whether s, which is not empty, begins with a byte that is not UTF-8.
func isBroken(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return r == utf8.RuneError && size == 1
}

// NewJSON returns an encoder of results for scripts: each object is on a line of its own.
func NewJSON(w io.Writer) *json.Encoder {
	e := json.NewEncoder(&jsonText{w: w})
	e.SetEscapeHTML(false)
	return e
}

// EscapeJSON returns a writer that passes JSON on to w with escapes for hidden characters.
func EscapeJSON(w io.Writer) io.Writer { return &jsonText{w: w} }

// A jsonText passes JSON on as UTF-8, with \u escapes for hidden characters. Except for white space these characters
// are valid in strings only, so the value stays the same. Bytes that are not UTF-8 become U+FFFD. The text must end
// with a whole character.
type jsonText struct {
	w    io.Writer
	rest []byte // the beginning of an incomplete character
	buf  []byte
}

// Write implements io.Writer.
func (j *jsonText) Write(p []byte) (int, error) {
	if len(j.rest) == 0 && isPlain(p) {
		return j.w.Write(p)
	}
	text := append(j.rest, p...)
	j.buf = j.buf[:0]
	for utf8.FullRune(text) {
		r, size := utf8.DecodeRune(text)
		switch {
		case !isHidden(r), r == '\n', r == '\r', r == '\t':
			j.buf = utf8.AppendRune(j.buf, r)
		case r <= 0xffff:
			j.buf = fmt.Appendf(j.buf, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			j.buf = fmt.Appendf(j.buf, `\u%04x\u%04x`, high, low)
		}
		text = text[size:]
	}
	j.rest = append(j.rest[:0], text...)
	if _, err := j.w.Write(j.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// isPlain reports whether p is printable ASCII and line feeds, as nearly all JSON is.
func isPlain(p []byte) bool {
	for _, c := range p {
		if (c < ' ' || c >= 0x7f) && c != '\n' {
			return false
		}
	}
	return true
}
