package convert

import (
	"fmt"

	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// A Report describes what was inferred from a text.
type Report struct {
	DType    dtype.Type // of the array
	Shape    []int      // of the array
	Inferred bool       // the dtype was inferred, since none was given
	Header   bool       // the first line was used as names
	Missing  int        // cells or nulls that became NaN or NaT
	Skipped  int        // rows that were dropped, as RaggedSkip allows
	Unread   []string   // the names of the columns that ReadOptions.Fields left out
	Notes    []string   // surprises, in words: columns that were renamed, numbers that remain text
	Lost     []string   // input besides the array that was ignored, in words
	Lines    *Lines     // where the records have a [LineField], as TableOptions.Lines asks
}

// LineField is the name of the last field of the records of a table that was read with TableOptions.Lines. It holds each row as it was
// written, with its line end, in bytes.
const LineField = options.LineField

// Lines describes the lines of a table that was read with TableOptions.Lines, so that [WriteOptions] can write them again.
type Lines struct {
	Header    string   // the line of names, with its line end; "" without one
	Names     []string // of the fields before LineField
	Delimiter byte     // between two cells
	Localized bool     // numbers have other separators than 1234.5, which columns that are added have not
}

// reported returns the report of a package that reads.
func reported(r options.Report) Report {
	return Report{
		DType: r.DType, Shape: r.Shape, Inferred: r.Inferred, Header: r.Header, Missing: r.Missing, Skipped: r.Skipped, Unread: r.Unread,
		Notes: r.Notes, Lost: r.Lost, Lines: (*Lines)(r.Lines),
	}
}

// String returns one line for people to read.
func (r Report) String() string {
	s := "dtype " + r.DType.String() + ", shape " + format.ShapeString(r.Shape)
	if r.Inferred {
		s = "inferred " + s
	}
	if r.Header {
		s += ", first line taken for names"
	}
	switch n := len(r.Unread); {
	case n == 1:
		s += ", 1 column not read"
	case n > 1:
		s += fmt.Sprintf(", %d columns not read", n)
	}
	if r.Missing > 0 {
		s += fmt.Sprintf(", missing values: %d", r.Missing)
	}
	if r.Skipped > 0 {
		s += fmt.Sprintf(", rows dropped: %d", r.Skipped)
	}
	return s
}
