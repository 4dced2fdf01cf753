package convert

import (
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// WriteOptions configures [Write]. The zero value suits most uses.
type WriteOptions struct {
	// NoHeader omits the line of names before records in CSV and TSV.
	NoHeader bool

	// EscapeFormulas writes an apostrophe before text in CSV and TSV that a spreadsheet would take for a formula: text, and
	// names of fields, that begin with =, +, -, @, a tab or a line break and are not numbers. Read returns the apostrophe as
	// part of the text.
	EscapeFormulas bool

	// Lines writes the rows of a CSV or TSV as they were read, cell for cell, with Report.Lines of the read. The records have the fields
	// of the table, then its [LineField], and then any computed columns, which are added to each line. nil means that all cells are made
	// from the elements. It excludes EscapeFormulas.
	Lines *Lines

	// DType is the dtype to which elements are converted before they are written, as by [npy.Array.AsType]. The zero
	// Type means no conversion.
	DType dtype.Type

	// Float128 reads <f16 as IEEE binary128 and <c32 as a pair of them, as in files from machines other than x86.
	Float128 bool

	// MaxDepth limits the nesting depth of Python containers. 0 means 128, the depth that Read accepts, a negative number
	// no limit.
	MaxDepth int

	// MaxShared limits the text, in bytes, of Python objects that were written before. A shared object is written in
	// each place, so that a small file can become any amount of text. 0 means 64 MiB, a negative number no limit. Objects
	// of up to 1 KiB of text do not count. Elements without bytes in arrays do.
	MaxShared int64

	// NaN tells how JSON and NDJSON write NaN and NaT, which JSON lacks.
	NaN NaN

	// Units writes durations, timedelta64, in JSON, NDJSON and tables with their unit, as str(numpy.timedelta64) does: 90 seconds. Read takes
	// this form too, and in JSON without a dtype if all durations of a value have one unit. Otherwise they are numbers of the dtype's steps.
	Units bool

	// Memory is the target for the process's total memory, in bytes, as in [npy.Copier]. 0 means 256 MiB.
	Memory int64

	// Workers is the number of goroutines that make text at once. 0 stands for the limit of [npy.SetWorkers].
	Workers int

	// Progress is called regularly with the number of bytes of elements written and their total. Each pass over the
	// elements counts all of them once. nil means no calls.
	Progress func(done, total int64)

	// Note is called at the end of a write, in words, with a loss that the elements show and not the dtype: integers that
	// .txt rounds. nil means no calls.
	Note func(text string)

	// Sync makes WriteFile return only after the file is on disk and would survive a power failure.
	Sync bool
}

// inner returns the settings for the packages that write.
func (o WriteOptions) inner() options.Write {
	return options.Write{
		NoHeader: o.NoHeader, EscapeFormulas: o.EscapeFormulas, Lines: (*options.Lines)(o.Lines), DType: o.DType, Float128: o.Float128, MaxDepth: o.MaxDepth,
		MaxShared: o.MaxShared, NaN: options.NaN(o.NaN), Units: o.Units, Memory: o.Memory, Workers: o.Workers, Progress: o.Progress, Note: o.Note, Sync: o.Sync,
	}
}

// A NaN tells how JSON writes NaN and NaT. Read takes both forms. Infinities are always strings: "Infinity".
type NaN int

const (
	NaNAuto NaN = iota // null in NDJSON, whose readers are databases, and the word in JSON
	NaNNull            // null
	NaNWord            // the strings "NaN" and "NaT"
)

// A Header tells whether the first line of a table holds names.
type Header int

const (
	// HeaderAuto decides by the cells of the first line. Without a dtype the line holds names if it has a name, no
	// number, bool or time, and some column below a name is not text. If all columns are text, it holds names unless
	// one of them recurs in its column, or a cell other than the first is missing. Two kinds of lines with numbers hold
	// names, too: the lines of a pandas.DataFrame without names (,0,1,2 above an index) and names of years
	// (country,2019,2020). The only line of a text is data.
	//
	// Given the dtype of records, the line holds names if they are exactly the names of the columns. Given a number, bool
	// or time dtype, it holds names if it has a name and no cell begins as a number does. Given a text dtype, it is data.
	HeaderAuto Header = iota
	HeaderYes         // it holds names
	HeaderNo          // it holds values
)

// ReadOptions configures [Read]. The zero value infers everything from the text.
type ReadOptions struct {
	// DType is the dtype of the elements. The zero Type means that the dtype is inferred from the text.
	DType dtype.Type

	// Header tells whether the first line of a CSV or TSV text holds names.
	Header Header

	// Table configures how tables are read: CSV, TSV and TXT.
	Table TableOptions

	// Fields chooses the columns of a table with names that are read. It is called with the names of all fields and returns the fields
	// of the records, which keep the order of the table. DType must not be set. nil means all columns, and so does a function that
	// returns none. A name that no column has is an error. A table without names is read whole, as all other formats are.
	//
	// The cells of other columns are not looked at: they have no errors and notes, and TableOptions.Columns has no effect on them. Rows
	// with another number of cells and misplaced quotes are errors all the same. With TableOptions.Lines, all columns are read if the
	// records lack the lines. A text is read once more if only a column that is not read shows whether the first line holds names.
	Fields func(names []string) []string

	// Float128 writes <f16 and <c32 as IEEE binary128, as machines other than x86 do.
	Float128 bool

	// Rows is the largest number of rows that are read of a table. What follows them is not read, and has no influence on an inferred
	// dtype, but for a block of text. 0 means all rows.
	Rows int

	// MaxBytes limits the length of the text. A negative number means no limit. 0 means no limit too, except for JSON
	// that comes neither from a file nor from memory: such a text is held as a whole and may be endless. It is limited
	// to [DefaultMaxText].
	MaxBytes int64

	// MaxRow limits the bytes of a row of a table and of a line of NDJSON, which are held in memory. Rows of up to 64 KiB
	// are always read. 0 means [DefaultMaxRow], a negative number no limit.
	MaxRow int64

	// MaxColumns limits the columns of a table, which take up to 500 bytes of memory each. 0 means [DefaultMaxColumns],
	// a negative number no limit.
	MaxColumns int

	// Memory is the number of bytes held in memory for the second pass of a text that can be read only once, such as a
	// pipe. A longer text goes to a temporary file. It is also the number of bytes for the cells of the columns that Fields chooses:
	// if they take no more, the text is not read a second time. 0 means 32 MiB.
	Memory int64

	// Workers is the number of goroutines that read a table at once. 0 stands for the limit of [npy.SetWorkers].
	Workers int

	// Progress is called regularly with the number of bytes of the text read and their total, which is -1 if it is unknown. A
	// text that is read twice counts twice. nil means no calls.
	Progress func(done, total int64)

	// Version is the format version of the .npy file that CopyFrom writes. The zero Version means the oldest possible.
	Version format.Version
}

// Default limits of [ReadOptions].
const (
	DefaultMaxText    = options.DefaultMaxText    // 256 MiB
	DefaultMaxRow     = options.DefaultMaxRow     // 64 MiB
	DefaultMaxColumns = options.DefaultMaxColumns // 2**20
)

// inner returns the settings for the packages that read.
func (o ReadOptions) inner() options.Read {
	return options.Read{
		DType: o.DType, Header: options.Header(o.Header), Table: o.Table.inner(), Fields: o.Fields, Float128: o.Float128,
		Rows: o.Rows, MaxBytes: o.MaxBytes, MaxRow: o.MaxRow, MaxColumns: o.MaxColumns, Memory: o.Memory,
		Workers: o.Workers, Progress: o.Progress, Version: o.Version,
	}
}
