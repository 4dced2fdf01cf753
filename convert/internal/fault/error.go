// Package fault has the error of texts and images, and the words that errors share.
package fault

import (
	"fmt"
	"strings"
)

// An Error reports what is wrong in a text or an image, and where. It has the fields of convert.Error, which documents them.
type Error struct {
	Line   int
	Column int
	Offset int
	Path   string
	Err    error
}

// Error returns one line: the position and the cause.
func (e *Error) Error() string {
	place := fmt.Sprintf("line %d", e.Line)
	switch {
	case e.Line == 0:
		place = fmt.Sprintf("byte %d", e.Offset)
	case e.Column > 0:
		place += fmt.Sprintf(", column %d", e.Column)
	case e.Offset > 0:
		place += fmt.Sprintf(", byte %d", e.Offset)
	}
	if e.Path != "" {
		place += " (" + e.Path + ")"
	}
	return place + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// LineAt returns the line of byte i, from 1, in a text with "\n" line ends.
func LineAt(text string, i int) int { return 1 + strings.Count(text[:i], "\n") }

// GiveDType ends every message about a dtype that could not be inferred.
const GiveDType = "give a dtype"

// GiveDates ends every message about dates in an unknown order.
const GiveDates = "give the order of dates"

// GiveEncoding ends every message about a text that is not UTF-8.
const GiveEncoding = "give an encoding such as latin-1 or windows-1252"

// Count returns a number of things: 1 cell, 2 cells.
func Count(n int, noun string) string { return fmt.Sprintf("%d %s", n, Plural(n, noun)) }

// Plural returns a noun for n things.
func Plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
