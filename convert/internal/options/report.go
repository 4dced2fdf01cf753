package options

import "github.com/npygo/npy/dtype"

// A Report has the fields of convert.Report, which documents them.
type Report struct {
	DType    dtype.Type
	Shape    []int
	Inferred bool     // the dtype was inferred, since none was given
	Header   bool     // the first line was used as names
	Missing  int      // cells or nulls that became NaN or NaT
	Skipped  int      // rows that were dropped, as RaggedSkip allows
	Unread   []string // the columns that Fields left out
	Notes    []string // surprises, in words: columns that were renamed, numbers that remain text
	Lost     []string // input besides the array that was ignored, in words
	Lines    *Lines   // of records with the text of each row
}
