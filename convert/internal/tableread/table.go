package tableread

import (
	"context"

	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/input"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// A table is the text of a table and its properties known so far.
type table struct {
	*input.Rules
	cells   *infer.Cells
	in      *input.Spool
	ctx     context.Context
	options options.Read
	report  *options.Report
	sniffs  bool // rules are not known yet
	loadtxt bool // the text of numpy.savetxt

	first   []firstCell // the first row
	second  []string    // the second row, or nil
	start   input.Block // the block with the first row
	line    string      // the text of the first row
	rest    input.Block // the part of start after the first row
	implied bool        // the first row has no name for the first column: it is the index
	guesses []infer.Guess
	fields
	kept    *kept // the cells of the survey; nil for none
	longest []int // for a dtype without lengths: the longest text of each plain value
	widest  int   // the bytes of the longest row below the first
	rows    int   // without the header; -1 if unknown
	bytes   int   // of the text read by a survey so far
}

// A firstCell is a cell of the first row.
type firstCell struct {
	text   string
	quoted bool
	line   int
}

// isNumeric reports whether a name is never valid text for t.
func isNumeric(t dtype.Type) bool {
	return !elem.IsText(t) && (t.Kind() != dtype.KindVoid || elem.IsNamedNumber(t))
}

// name returns the name in a cell of the header. Spaces at its ends count only within quotes, as Write quotes such
// names.
func (c firstCell) name() string {
	if c.quoted {
		return c.text
	}
	return infer.Trim(c.text)
}
