package convert

import (
	"fmt"
	"strings"
)

// An Error says what is wrong in a text or an image, and where.
type Error struct {
	Line   int    // from 1; 0 in an image
	Column int    // the cell in its line, from 1; 0 if the line as a whole is at fault, and in JSON
	Offset int    // in bytes from the start of the text, a byte order mark not counted; in JSON and images
	Path   string // what it is in the array, as Python would index it: [3][1].x; only in JSON
	Err    error  // what is wrong
}

// Error returns one line: the place and what is wrong there.
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

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// lineAt returns the line, from 1, on which byte i of a text with "\n" line ends stands.
func lineAt(text string, i int) int { return 1 + strings.Count(text[:i], "\n") }

// giveDType ends every message about a guess that could go wrong.
const giveDType = "give a dtype"
