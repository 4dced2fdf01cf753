package convert

import (
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/dtype"
)

// TableOptions configures how tables are read: CSV, TSV and the text of numpy.savetxt. The zero value suits most tables.
type TableOptions struct {
	// Delimiter separates the cells of a row. A space means any number of spaces and tabs. 0 means a tab in TSV, spaces
	// in TXT, and in CSV whichever of comma, tab, semicolon, vertical bar and spaces divides the first rows evenly.
	Delimiter byte

	// Skip is the number of lines to drop before the table.
	Skip int

	// Comment begins a comment, which ends with the line, except within quotes. 0 means # in TXT and none in others.
	Comment byte

	// Decimal separates the fraction of a number. 0 means a point.
	Decimal byte

	// Thousands separates groups of digits: 1,234,567. 0 means none.
	Thousands byte

	// Missing lists the texts of missing values. nil means [DefaultMissing]. An empty cell is always missing.
	Missing []string

	// Encoding is the encoding of the text. "" means UTF-8, or UTF-16 if the text begins with its byte order mark.
	Encoding Encoding

	// Ragged tells what happens to rows whose number of cells differs from the first row.
	Ragged Ragged

	// Columns gives the dtypes of columns, by the name of the field they become. DType must not be set. Columns that are
	// not listed are inferred. The result is records.
	Columns map[string]dtype.Type

	// Records gives each column a field, even where all columns are numbers. A table without names is otherwise a 2-D array
	// if all of its cells are numbers or missing, or if all columns have one dtype.
	Records bool

	// Dates is the order of the numbers in dates such as 31.12.2024 and 12/31/2024.
	Dates Dates

	// True and False list words that are bools besides true and false: yes and no, t and f. Upper and lower case do not matter.
	True, False []string

	// KeepZones leaves times with a zone, Z or an offset, as text. Otherwise they are converted to UTC.
	KeepZones bool

	// Lines gives records one more field, [LineField], for the text of each row, so that [WriteOptions] can write chosen or sorted rows as
	// they are. Report.Lines is nil where the records lack it: with a dtype, with RaggedFill, in a TXT, or if the longest line is so long that
	// the lines would take more than 4 times the text.
	Lines bool
}

// A Dates is the order of day and month in dates that are not ISO 8601: two numbers and a year of four digits, between points,
// slashes or hyphens, perhaps with a time of day. Dates that begin with the year need no order.
type Dates int

const (
	DatesAuto  Dates = iota // for each column, the order that a number over 12 in it shows; columns without remain text
	DayFirst                // 31.12.2024
	MonthFirst              // 12/31/2024
)

// inner returns the settings for the package that reads tables.
func (o TableOptions) inner() options.Table {
	return options.Table{
		Delimiter: o.Delimiter, Skip: o.Skip, Comment: o.Comment, Decimal: o.Decimal, Thousands: o.Thousands,
		Missing: o.Missing, Encoding: options.Encoding(o.Encoding), Ragged: options.Ragged(o.Ragged), Columns: o.Columns,
		Records: o.Records, Dates: options.Dates(o.Dates), True: o.True, False: o.False, KeepZones: o.KeepZones, Lines: o.Lines,
	}
}

// DefaultMissing returns the texts that mean a missing value among numbers, bools and times unless others are given:
// the texts of pandas.read_csv, and a hyphen.
func DefaultMissing() []string { return options.DefaultMissing() }

// A Ragged is a treatment of rows whose number of cells differs from the first row. One more cell that is empty, after
// a delimiter at the end of the line, is never a difference.
type Ragged int

const (
	RaggedError Ragged = iota // they are an error
	RaggedFill                // short rows end in missing values, long rows are an error
	RaggedSkip                // they are dropped, and Report.Skipped counts them
)

// An Encoding is the character encoding of a text.
type Encoding string

// The encodings of [TableOptions].
const (
	UTF8        Encoding = "utf-8"
	Latin1      Encoding = "latin-1"
	Windows1252 Encoding = "windows-1252"
	UTF16       Encoding = "utf-16" // little-endian unless a byte order mark says otherwise
	UTF16LE     Encoding = "utf-16le"
	UTF16BE     Encoding = "utf-16be"
)

// ParseEncoding returns the encoding of a name as Python's codecs spell it: utf-8, latin-1, iso-8859-1, cp1252,
// windows-1252, utf-16, utf-16-le, in either case.
func ParseEncoding(name string) (Encoding, error) {
	e, err := options.ParseEncoding(name)
	return Encoding(e), err
}
