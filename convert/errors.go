package convert

import (
	"fmt"
	"strings"
)

// An Error reports what is wrong in a text or an image, and where.
type Error struct {
	Line   int    // from 1; 0 in an image
	Column int    // the cell in its line, from 1; 0 if the whole line is at fault, and in JSON
	Offset int    // bytes from the start of the text, without a byte order mark; only in JSON and images
	Path   string // the position in the array, in Python's notation: [3][1].x; only in JSON
	Err    error  // the cause
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

// lineAt returns the line of byte i, from 1, in a text with "\n" line ends.
func lineAt(text string, i int) int { return 1 + strings.Count(text[:i], "\n") }

// giveDType ends every message about a dtype that could not be inferred.
const giveDType = "give a dtype"

// giveEncoding ends every message about a text that is not UTF-8.
const giveEncoding = "give an encoding such as latin-1 or windows-1252"
