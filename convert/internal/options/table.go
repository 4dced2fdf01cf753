package options

import (
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
)

// Table has the fields of convert.TableOptions, which documents them.
type Table struct {
	Delimiter byte
	Skip      int
	Comment   byte
	Decimal   byte
	Thousands byte
	Missing   []string
	Encoding  Encoding
	Ragged    Ragged
	Columns   map[string]dtype.Type
	Records   bool
	Dates     Dates
	True      []string
	False     []string
	KeepZones bool
	Lines     bool
}

// A Dates is the order of day and month in dates that are not ISO 8601.
type Dates int

// The values of a Dates, in the order of the package convert.
const (
	DatesAuto Dates = iota
	DayFirst
	MonthFirst
)

// DefaultMissing returns the texts that mean a missing value among numbers, bools and times unless others are given:
// the texts of pandas.read_csv, and a hyphen.
func DefaultMissing() []string {
	return []string{"NA", "N/A", "n/a", "<NA>", "#N/A", "#N/A N/A", "#NA", "NULL", "null", "None", "NaN", "nan", "-NaN", "-nan",
		"1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN", "-"}
}

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

// The encodings of a [Table].
const (
	UTF8        Encoding = "utf-8"
	Latin1      Encoding = "latin-1"
	Windows1252 Encoding = "windows-1252"
	UTF16       Encoding = "utf-16" // little-endian unless a byte order mark says otherwise
	UTF16LE     Encoding = "utf-16le"
	UTF16BE     Encoding = "utf-16be"
)

// encodingNames maps the names of encodings, in lower case and without punctuation, as Python knows them.
var encodingNames = map[string]Encoding{
	"utf8": UTF8, "utf8sig": UTF8, "ascii": UTF8,
	"latin1": Latin1, "iso88591": Latin1,
	"windows1252": Windows1252, "cp1252": Windows1252,
	"utf16": UTF16, "utf16le": UTF16LE, "utf16be": UTF16BE,
}

// ParseEncoding returns the encoding of a name as Python's codecs spell it: utf-8, latin-1, iso-8859-1, cp1252,
// windows-1252, utf-16, utf-16-le, in either case.
func ParseEncoding(name string) (Encoding, error) {
	e, ok := encodingNames[strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))]
	if !ok {
		return "", diag.Errorf("convert", "unknown encoding %q, want utf-8, latin-1, windows-1252, utf-16, utf-16le or utf-16be", name)
	}
	return e, nil
}

// Check returns an error for options that contradict each other.
func (o Table) Check(t dtype.Type) error {
	switch {
	case o.Skip < 0:
		return diag.Errorf("convert", "Skip is negative: %d", o.Skip)
	case len(o.Columns) > 0 && t.IsValid():
		return diag.Errorf("convert", "both DType and Columns are set")
	case o.Encoding != "":
		if _, err := ParseEncoding(string(o.Encoding)); err != nil {
			return err
		}
	}
	special := []struct {
		name string
		c    byte
	}{{"delimiter", o.Delimiter}, {"comment character", o.Comment}, {"decimal separator", o.Decimal}, {"thousands separator", o.Thousands}}
	for i, s := range special {
		isDigit := s.c >= '0' && s.c <= '9'
		if s.c == '\n' || s.c == '\r' || s.c == '"' || s.c >= 0x80 || isDigit || i > 1 && strings.IndexByte("+-eEjJ", s.c) >= 0 {
			return diag.Errorf("convert", "%q cannot be the %s", rune(s.c), s.name)
		}
		for _, other := range special[:i] {
			quoted := i >= 2 && other.name == "delimiter" // numbers within quotes: "1,5"
			if s.c != 0 && s.c == other.c && !quoted {
				return diag.Errorf("convert", "%q cannot be both the %s and the %s", rune(s.c), other.name, s.name)
			}
		}
	}
	if o.Thousands == '.' && o.Decimal == 0 {
		return diag.Errorf("convert", "%q cannot be both the decimal separator and the thousands separator", '.')
	}
	for _, word := range o.True {
		if slices.ContainsFunc(o.False, func(w string) bool { return strings.EqualFold(w, word) }) {
			return diag.Errorf("convert", "%q cannot be both true and false", word)
		}
	}
	for name, t := range o.Columns {
		if !t.IsValid() || t.IsStruct() || t.IsSubarray() || t.HasObject() {
			return diag.Errorf("convert", "column %q: dtype %s is not that of one cell", name, t)
		}
	}
	return nil
}

// UnknownColumn returns the first name in Columns, in alphabetical order, that is not the name of a column.
func (o Table) UnknownColumn(names []string) (string, bool) {
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[name] = true
	}
	var unknown []string
	for name := range o.Columns {
		if !known[name] {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return "", false
	}
	return slices.Min(unknown), true
}
