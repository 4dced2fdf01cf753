package convert

import (
	"fmt"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/elem"
)

// A Format is the name of a way to write arrays.
type Format string

// The formats of this package.
const (
	CSV    Format = "csv"
	TSV    Format = "tsv"
	JSON   Format = "json"
	NDJSON Format = "ndjson"
	TXT    Format = "txt" // numbers between spaces, as numpy.savetxt
	PNG    Format = "png"
	MD     Format = "md"  // a table of Markdown, only written
	TEX    Format = "tex" // a table of LaTeX, only written
)

// Standard returns the converters of this package. A new format needs a row here, and nothing else.
func Standard() Formats {
	return Formats{
		tableConverter(CSV, ".csv", ','),
		tableConverter(TSV, ".tsv", '\t'),
		jsonConverter(),
		ndjsonConverter(),
		savetxtConverter(),
		pngConverter(),
		markdownConverter(),
		latexConverter(),
	}
}

// ForFile returns the format for the ending of a file name, in either case: that of [Formats.ForFile] for [Standard].
func ForFile(name string) (Format, bool) { return Standard().ForFile(name) }

// Endings returns the endings that [ForFile] knows, with their dots.
func Endings() []string { return Standard().Endings() }

// WriteOptions configures [Write]. The zero value suits most.
type WriteOptions struct {
	// NoHeader leaves out the line of names above records in CSV and TSV.
	NoHeader bool

	// DType is what the elements are made before they are written, as by [npy.Array.AsType]. The zero Type leaves them as
	// they are.
	DType dtype.Type

	// Float128 takes <f16 for IEEE binary128 and <c32 for two of them, as files from other machines than x86 have them.
	Float128 bool

	// MaxDepth limits how many Python containers may be within each other. 0 stands for 128, as deep as Read reads, a negative
	// number for no limit.
	MaxDepth int

	// MaxShared limits the text, in bytes, of Python objects that were written before. What several places share is
	// written in each of them, so that small files can become any amount of text. 0 stands for 64 MiB, a negative
	// number for no limit. Objects of up to 1 KiB of text do not count; elements without bytes in arrays do.
	MaxShared int64

	// Memory is the target for the memory of the process in bytes, as in [npy.Copier]. 0 stands for 256 MiB.
	Memory int64

	// Progress is called now and then with the number of bytes of elements that are written and of all, once for all of them by each
	// pass over the elements. nil stands for no calls.
	Progress func(done, total int64)

	// Sync makes WriteFile return only when the file is on disk and would survive a power failure.
	Sync bool
}

func (o WriteOptions) texts() elem.Texts { return elem.Texts{Float128: o.Float128} }

// A Header says whether the first line of a table holds names.
type Header int

const (
	// HeaderAuto takes the first line for names if none of its cells is empty, a number, a bool or a time, while below
	// it some column is not text. Given the dtype of records, it does so if the line has just the names of the
	// columns; given another, if that is a number, a bool or a time and no cell begins as a number does. A line that
	// is the only one is data, and so is the first where all columns are text.
	HeaderAuto Header = iota
	HeaderYes
	HeaderNo
)

// ReadOptions are the knobs of [Read]. The zero value works out everything from the text.
type ReadOptions struct {
	// DType is the dtype of the elements. The zero Type stands for whatever the text says.
	DType dtype.Type

	// Header says whether the first line of a CSV or TSV text holds names.
	Header Header

	// Float128 writes <f16 and <c32 in IEEE binary128, as other machines than x86 have them.
	Float128 bool

	// MaxBytes limits the length of the text. A negative number stands for no limit, and so does 0, but for JSON that does
	// not come from a file or from memory: such a text is held as a whole and may have no end. It is limited to
	// [DefaultMaxText].
	MaxBytes int64

	// MaxRow limits the bytes of a row of a table and of a line of NDJSON, which are held in memory. Rows of up to 64 KiB
	// are always read. 0 stands for [DefaultMaxRow], a negative number for no limit.
	MaxRow int64

	// MaxColumns limits the columns of a table, which take up to 500 bytes of memory each. 0 stands for
	// [DefaultMaxColumns], a negative number for no limit.
	MaxColumns int

	// Memory is how many bytes of a text that can be read only once, from a pipe, are held for the second pass; more go
	// to a temporary file. 0 stands for 256 MiB.
	Memory int64

	// Version is that of the .npy file that CopyFrom writes. The zero Version stands for the oldest that will do.
	Version format.Version
}

// What [ReadOptions] allow if they do not say otherwise.
const (
	DefaultMaxText    = 256 << 20
	DefaultMaxRow     = 64 << 20
	DefaultMaxColumns = 1 << 20
)

// orDefault gives limits their meaning: 0 is the default, a negative number no limit.
func orDefault[T int | int64](limit, standard T) T {
	switch {
	case limit == 0:
		return standard
	case limit < 0:
		return T(math.MaxInt)
	}
	return limit
}

func (o ReadOptions) texts() elem.Texts { return elem.Texts{Float128: o.Float128} }

// A Report says what was worked out from a text.
type Report struct {
	DType    dtype.Type
	Shape    []int
	Inferred bool     // the dtype is a guess: none was given
	Header   bool     // the first line was taken for names
	Missing  int      // how many empty cells or nulls became NaN or NaT
	Lost     []string // what there was besides the array, in words
}

// String returns one line for a person.
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
	return s
}
