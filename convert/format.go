package convert

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/elem"
)

// A Format is a way to write an array as text.
type Format string

// The formats of this package.
const (
	CSV    Format = "csv"
	TSV    Format = "tsv"
	JSON   Format = "json"
	NDJSON Format = "ndjson"
)

// A codec is one row of the table of formats.
type codec struct {
	format  Format
	endings []string
	write   func(*output, content, WriteOptions) error
	read    func(text string, o ReadOptions, report *Report) (*npy.Array, error)
}

// codecs returns all formats. A new one needs a row here, and nothing else.
func codecs() []codec {
	return []codec{
		{CSV, []string{".csv"}, tableWriter(','), tableReader(',')},
		{TSV, []string{".tsv"}, tableWriter('\t'), tableReader('\t')},
		{JSON, []string{".json"}, writeJSON, readJSON},
		{NDJSON, []string{".ndjson", ".jsonl"}, writeNDJSON, readNDJSON},
	}
}

func (f Format) codec() (codec, error) {
	var known []string
	for _, c := range codecs() {
		if c.format == f {
			return c, nil
		}
		known = append(known, string(c.format))
	}
	return codec{}, fmt.Errorf("convert: unknown format %q, want one of %s", string(f), strings.Join(known, ", "))
}

// ForFile returns the format for the ending of a file name, in either case: .csv, .tsv, .json, .ndjson or .jsonl. It
// reports false for every other.
func ForFile(name string) (Format, bool) {
	ending := strings.ToLower(filepath.Ext(name))
	for _, c := range codecs() {
		for _, e := range c.endings {
			if e == ending {
				return c.format, true
			}
		}
	}
	return "", false
}

// Endings returns the endings that [ForFile] knows, with their dots.
func Endings() []string {
	var all []string
	for _, c := range codecs() {
		all = append(all, c.endings...)
	}
	return all
}

// WriteOptions are the knobs of [Write] and [Copy]. The zero value is what most want.
type WriteOptions struct {
	// NoHeader leaves out the line of names above records in CSV and TSV.
	NoHeader bool

	// Float128 takes <f16 for IEEE binary128 and <c32 for two of them, as files from other machines than x86 have them.
	Float128 bool

	// MaxDepth limits how many Python containers may be within each other. 0 stands for 128, as deep as Read reads, a negative
	// number for no limit.
	MaxDepth int

	// MaxShared limits the text, in bytes, of Python objects that were written before. What several places share is
	// written in each of them, so that small files can become any amount of text. 0 stands for 64 MiB, a negative
	// number for no limit. Objects of up to 1 KiB of text do not count; elements without bytes in arrays do.
	MaxShared int64

	// Memory is how many bytes Copy and CopyFile may work with, as in [npy.Copier]. 0 stands for 256 MiB.
	Memory int64

	// Progress is called by Copy and CopyFile now and then, with the number of bytes of elements that are written and of
	// all. nil stands for no calls.
	Progress func(done, total int64)

	// Sync makes WriteFile and CopyFile return only when the file is on disk and would survive a power failure.
	Sync bool
}

func (o WriteOptions) texts() elem.Texts { return elem.Texts{Float128: o.Float128} }

// Write writes a to w. Nothing is written if the format cannot hold a. The error for an element without text, a str
// with a number above the last code point, names the element; what stands before it may have been written by then.
func Write(w io.Writer, f Format, a *npy.Array, o WriteOptions) error {
	return write(w, f, contentOf(a), o)
}

func write(w io.Writer, f Format, a content, o WriteOptions) error {
	c, err := f.codec()
	if err != nil {
		return err
	}
	if err := checkVolume(a); err != nil {
		return err
	}
	out := &output{w: w}
	if err := c.write(out, a, o); err != nil {
		return err
	}
	return out.flush()
}

// WriteFile writes a to a file. It writes a temporary file in the same folder and renames it at the end, so that path
// is never seen half-written and an error leaves the old file as it was.
func WriteFile(path string, f Format, a *npy.Array, o WriteOptions) error {
	if _, err := f.codec(); err != nil {
		return err
	}
	return writeFile(path, o.Sync, func(w io.Writer) error { return Write(w, f, a, o) })
}

func writeFile(path string, sync bool, write func(io.Writer) error) error {
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := write(file); err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return file.Commit(sync)
}

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

	// MaxBytes limits the length of the text. 0 and negative numbers stand for no limit.
	MaxBytes int64
}

func (o ReadOptions) texts() elem.Texts { return elem.Texts{Float128: o.Float128} }

// A Report says what was worked out from a text.
type Report struct {
	DType    dtype.Type
	Shape    []int
	Inferred bool // the dtype is a guess: none was given
	Header   bool // the first line was taken for names
	Missing  int  // how many empty cells or nulls became NaN or NaT
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

// Read reads one array from r, which it reads to the end. The text is held in memory while it works. The array is in C
// order. Errors in the text are of type [*Error].
func Read(r io.Reader, f Format, o ReadOptions) (*npy.Array, Report, error) {
	c, err := f.codec()
	if err != nil {
		return nil, Report{}, err
	}
	if err := checkDType(o.DType); err != nil {
		return nil, Report{}, err
	}
	text, err := readText(r, o.MaxBytes)
	if err != nil {
		return nil, Report{}, err
	}
	report := Report{Inferred: !o.DType.IsValid()}
	a, err := c.read(text, o, &report)
	if err != nil {
		return nil, Report{}, err
	}
	report.DType, report.Shape = a.DType(), a.Shape()
	return a, report, nil
}

// checkDType refuses what no array can have.
func checkDType(t dtype.Type) error {
	if !t.IsValid() {
		return nil
	}
	if t.HasObject() {
		return fmt.Errorf("convert: no text is read as objects, dtype %s; leave the dtype out, or give that of the values: %w", t, errors.ErrUnsupported)
	}
	_, err := npy.New(t, 0)
	return err
}
