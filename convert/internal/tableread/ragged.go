package tableread

import (
	"errors"
	"fmt"

	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/input"
)

// errSkip marks a row that was skipped.
var errSkip = errors.New("skip")

// skips reports whether a row has another number of cells than the first row. If it has, the row is skipped.
func (t *table) skips(cells *input.Scanner) (bool, error) {
	ahead := *cells
	n := 0
	for last := false; !last; n++ {
		cell, end, err := ahead.Next()
		if err != nil {
			return false, &fault.Error{Line: ahead.Line, Column: n + 1, Err: err}
		}
		if end && t.isExtra(n, cell) {
			return false, nil
		}
		last = end
	}
	if n == len(t.first) {
		return false, nil
	}
	*cells = ahead
	return true, nil
}

// isExtra reports whether the last cell of a row, of number n from 0 on, is one more than the first row has, and isTrailing.
func (t *table) isExtra(n int, cell string) bool { return n == len(t.first) && t.isTrailing(cell) }

// isTrailing reports whether the last cell of a row, one more than the first row has, is only the empty text after a
// delimiter at the end of the line.
func (t *table) isTrailing(cell string) bool { return !t.Spaces && cell == "" }

// ragged returns the error for a row whose length differs from the first row.
func (t *table) ragged(line, n int) error {
	way := "; RaggedSkip drops such rows"
	if n < len(t.first) {
		way = "; RaggedFill fills such rows with missing values, RaggedSkip drops them"
	}
	return &fault.Error{Line: line, Err: fmt.Errorf("%s, want %d as in line %d%s", fault.Count(n, "cell"), len(t.first), t.first[0].line, way)}
}
