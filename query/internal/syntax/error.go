package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Error reports a part of an expression that is wrong.
type Error struct {
	Expr   string // the whole expression
	Offset int    // of the part of Expr that is wrong, in bytes
	Len    int    // of this part, in bytes; 0 at the end of Expr
	Msg    string // the fault, and the way out

	Name  string   // the name that is not known, if this is the fault
	Known []string // names that could be meant
}

// Error returns one line.
func (e *Error) Error() string { return "query: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *Error) Fault(_ string) string {
	return fmt.Sprintf("%s, in %q at character %d", e.Msg, e.Expr, utf8.RuneCountInString(e.Expr[:e.Offset])+1)
}

// ErrorAt returns the error of a part of an expression.
func ErrorAt(expr string, pos, n int, format string, args ...any) *Error {
	return &Error{Expr: expr, Offset: pos, Len: n, Msg: strings.Map(printable, fmt.Sprintf(format, args...))}
}

// Caret returns two lines: the part of the expression around the error, and carets below the part that is wrong.
func (e *Error) Caret() string {
	const before, most = 40, 76
	text := []rune(strings.Map(printable, e.Expr[:e.Offset]))
	lead := ""
	if len(text) > before {
		text, lead = text[len(text)-before:], "…"
	}
	rest := []rune(strings.Map(printable, e.Expr[e.Offset:]))
	tail := ""
	if n := most - len(text); len(rest) > n {
		rest, tail = rest[:n], "…"
	}
	wrong := utf8.RuneCountInString(e.Expr[e.Offset : e.Offset+e.Len])
	carets := strings.Repeat("^", max(min(wrong, len(rest)), 1))
	indent := strings.Repeat(" ", len([]rune(lead))+len(text))
	return lead + string(text) + string(rest) + tail + "\n" + indent + carets
}

// printable replaces characters that have no place of their own on a line.
func printable(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case !unicode.IsPrint(r) || unicode.Is(unicode.Mn, r):
		return '?'
	}
	return r
}

// A failure is the value of a panic with an error of an expression.
type failure struct{ error }

// Fail ends the work on an expression by a panic with an error, which [Recover] returns.
func Fail(err error) { panic(failure{err}) }

// Recover ends a panic of [Fail], and sets err to its error. Defer it.
func Recover(err *error) {
	if r := recover(); r != nil {
		f, ok := r.(failure)
		if !ok {
			panic(r)
		}
		*err = f.error
	}
}
