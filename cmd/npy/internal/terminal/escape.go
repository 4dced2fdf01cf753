package terminal

import (
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/term"
)

// IsPath reports whether a path, such as /dev/tty or /dev/stdout, is a terminal.
func IsPath(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return term.IsTerminal(int(f.Fd()))
}

// An Escaper passes lines of text on to a terminal, with the escapes of Printable for hidden characters except tabs and
// line feeds.
type Escaper struct {
	w    io.Writer
	rest []byte // the beginning of an incomplete character
	buf  []byte
}

// Escape returns an Escaper. Its caller calls Flush after the last write.
func Escape(w io.Writer) *Escaper { return &Escaper{w: w} }

// Write implements io.Writer.
func (e *Escaper) Write(p []byte) (int, error) {
	if len(e.rest) == 0 && isPlain(p) {
		return e.w.Write(p)
	}
	text := append(e.rest, p...)
	e.rest = append([]byte(nil), text[e.escape(text, false):]...)
	if _, err := e.w.Write(e.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes the rest of a text that has ended.
func (e *Escaper) Flush() error {
	e.escape(e.rest, true)
	e.rest = nil
	_, err := e.w.Write(e.buf)
	return err
}

// escape puts text into buf and returns how much of it: all if the text has ended.
func (e *Escaper) escape(text []byte, ended bool) int {
	e.buf = e.buf[:0]
	at := 0
	for at < len(text) {
		rest := text[at:]
		if !ended && !utf8.FullRune(rest) {
			break
		}
		_, size := utf8.DecodeRune(rest)
		if rest[0] == '\n' || rest[0] == '\t' {
			e.buf = append(e.buf, rest[0])
		} else {
			e.buf = appendPrintable(e.buf, string(rest[:size]))
		}
		at += size
	}
	return at
}
