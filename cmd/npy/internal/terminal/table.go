package terminal

import (
	"bytes"
	"io"
	"text/tabwriter"
)

// alignedMax is the largest length in bytes of a line that is aligned with others. Otherwise one long name would make
// all lines as long.
const alignedMax = 400

// A Table aligns the cells of lines. Cells end in tabs. Each line must be written by one call of Write.
type Table struct {
	*tabwriter.Writer
	w io.Writer
}

// NewTable returns a table with a number of spaces between its columns.
func NewTable(w io.Writer, padding int, flags uint) *Table {
	return &Table{tabwriter.NewWriter(w, 0, 0, padding, ' ', flags), w}
}

// Write implements io.Writer.
func (t *Table) Write(line []byte) (int, error) {
	if len(line) <= alignedMax {
		return t.Writer.Write(line)
	}
	if err := t.Flush(); err != nil {
		return 0, err
	}
	return t.w.Write(bytes.ReplaceAll(line, []byte("\t"), []byte("  ")))
}
