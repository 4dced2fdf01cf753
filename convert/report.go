package convert

import (
	"fmt"

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
	Notes    []string   // surprises, in words: columns that were renamed, numbers that remain text
	Lost     []string   // input besides the array that was ignored, in words
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
	if r.Missing > 0 {
		s += fmt.Sprintf(", missing values: %d", r.Missing)
	}
	if r.Skipped > 0 {
		s += fmt.Sprintf(", rows dropped: %d", r.Skipped)
	}
	return s
}
