package convert

import (
	"fmt"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/readonly"
)

// A Format is the name of an array format.
type Format string

// The formats of this package.
const (
	CSV    Format = "csv"
	TSV    Format = "tsv"
	JSON   Format = "json"
	NDJSON Format = "ndjson"
	TXT    Format = "txt" // numbers separated by spaces, as numpy.savetxt writes them
	PNG    Format = "png"
	MD     Format = "md"  // a Markdown table, write only
	TEX    Format = "tex" // a LaTeX table, write only
)

// Standard returns the converters of this package. To add a format to the package, add a row here.
func Standard() Formats {
	tables := Formats{tableConverter(CSV, ".csv", ','), tableConverter(TSV, ".tsv", '\t')}
	if readonly.Build {
		return tables
	}
	return append(tables,
		jsonConverter(),
		ndjsonConverter(),
		savetxtConverter(),
		pngConverter(),
		markdownConverter(),
		latexConverter(),
	)
}

// ForFile returns the format for the extension of a file name, in either case: [Formats.ForFile] of [Standard].
func ForFile(name string) (Format, bool) { return Standard().ForFile(name) }

// Endings returns the extensions that [ForFile] accepts, with their dots.
func Endings() []string { return Standard().Endings() }

// WriteOptions configures [Write]. The zero value suits most uses.
type WriteOptions struct {
	// NoHeader omits the line of names before records in CSV and TSV.
	NoHeader bool

	// EscapeFormulas writes an apostrophe before text in CSV and TSV that a spreadsheet would take for a formula: text, and
	// names of fields, that begin with =, +, -, @, a tab or a line break and are not numbers. Read returns the apostrophe as
	// part of the text.
	EscapeFormulas bool

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

	// Memory is the target for the process's total memory, in bytes, as in [npy.Copier]. 0 means 256 MiB.
	Memory int64

	// Progress is called regularly with the number of bytes of elements written and their total. Each pass over the
	// elements counts all of them once. nil means no calls.
	Progress func(done, total int64)

	// Note is called at the end of a write, in words, with a loss that the elements show and not the dtype: integers that
	// .txt rounds. nil means no calls.
	Note func(text string)

	// Sync makes WriteFile return only after the file is on disk and would survive a power failure.
	Sync bool
}

func (o WriteOptions) texts() elem.Texts { return elem.Texts{Float128: o.Float128} }

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
	HeaderYes
	HeaderNo
)

// ReadOptions configures [Read]. The zero value infers everything from the text.
type ReadOptions struct {
	// DType is the dtype of the elements. The zero Type means that the dtype is inferred from the text.
	DType dtype.Type

	// Header tells whether the first line of a CSV or TSV text holds names.
	Header Header

	// Table configures how tables are read: CSV, TSV and TXT.
	Table TableOptions

	// Float128 writes <f16 and <c32 as IEEE binary128, as machines other than x86 do.
	Float128 bool

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
	// pipe. A longer text goes to a temporary file. 0 means 32 MiB.
	Memory int64

	// Version is the format version of the .npy file that CopyFrom writes. The zero Version means the oldest possible.
	Version format.Version
}

// Default limits of [ReadOptions].
const (
	DefaultMaxText    = 256 << 20
	DefaultMaxRow     = 64 << 20
	DefaultMaxColumns = 1 << 20
)

// orDefault returns the effective limit: 0 is the default, a negative number no limit.
func orDefault[T int | int64](limit, standard T) T {
	switch {
	case limit == 0:
		return standard
	case limit < 0:
		return T(math.MaxInt)
	}
	return limit
}

// texts returns how elements are read. Integers may be written as floats with a whole value, as numpy.savetxt does, and as
// a column with missing values does. Numbers too large for a float are infinite, as Python, NumPy and pandas read them.
func (o ReadOptions) texts() elem.Texts {
	return elem.Texts{Float128: o.Float128, Decimals: true, Infinite: true}
}

// A Report describes what was inferred from a text.
type Report struct {
	DType    dtype.Type
	Shape    []int
	Inferred bool     // the dtype was inferred, since none was given
	Header   bool     // the first line was used as names
	Missing  int      // cells or nulls that became NaN or NaT
	Skipped  int      // rows that were dropped, as RaggedSkip allows
	Notes    []string // surprises, in words: columns that were renamed, numbers that remain text
	Lost     []string // input besides the array that was ignored, in words
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
