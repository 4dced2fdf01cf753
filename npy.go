// Package npy reads and writes NumPy's array files (.npy): every dtype, byte for byte as NumPy does.
//
//	data, shape, err := npy.Load[float64]("a.npy") // C order, native byte order, whatever the file has
//	err = npy.Save("b.npy", data, shape...)
//
// # Which function
//
// [Load] and [Save] are for files whose element type the program knows. The element type T must hold every value of
// the file exactly: a float32 file loads as float32, float64 or a complex type. Any other type is a [*TypeError].
// [LoadFrom] and [SaveTo] are for streams.
//
// [ReadFile] gives an [Array] of whatever dtype the file has, for programs that inspect the array first. An Array
// knows its dtype, shape and strides; [Array.Slice], [Array.T], [Array.Field] and [Array.Reshape] give views of the
// same memory, and [As] gives the elements as Go values. [WriteFile] writes any Array, views included, as np.save
// would. [Read] and [Write] are for streams.
//
// [Open] is for files of any size: a [File] reads parts, [File.Slice], or everything block by block, [File.Blocks].
// [OpenReaderAt] does so over a network. A [Copier] changes dtype and order of files larger than memory.
//
// [Decoder] and [Encoder] have the options. The functions above use their zero values, which are safe for untrusted
// input.
//
// [LoadTimes] and [LoadDurations] read datetime64 and timedelta64 as time.Time and time.Duration, and report the
// NaTs.
//
// Package format reads headers alone, package dtype describes dtypes, and package scalar has Go types for elements
// that Go lacks (float16, long double, datetime64).
//
// # Untrusted input
//
// No input makes this package panic. Memory stays within a small multiple of the bytes that are present, whatever a
// header claims. Errors say what is wrong and where: [*format.Error] for a file that breaks the format, [*TypeError]
// for a Go type that cannot hold the elements, [*LimitError] for a limit that is reached. Object arrays, which NumPy
// stores as pickles, are refused with [ErrObjects]; nothing in a file is ever executed.
//
// # Memory and concurrency
//
// An Array is a description of memory, like a Go slice: copies of an Array and views share the elements. Reading from
// several goroutines is safe, writing is not. Built with the tag purego the module does not use unsafe. Functions
// that are documented to share memory "where it can" then copy it.
package npy

// Reading the source. Load (decoder.go) opens a file through internal/source, which parses the header and compares it
// with the size of the file before memory is allocated. internal/codec has the decoder of each Go type and dtype;
// element.go makes its refusal a TypeError, and times.go adds the Go types that need the unit of a dtype. RowReader
// (rows.go) does the same a few rows at a time, RowWriter the reverse. An Array is an nd.Array (internal/nd): array.go
// forwards to it, and view.go gives its elements as Go values.
//
// A Source (source.go) is any array that can be read: five methods, and optional ones that each have one function
// which asks for them (HeaderOf, StoredOrder, DataOf, RegionsOf). A File (file.go) is one; an index makes a Selection of it
// (part.go), whose strides are places in the file. stream.go, concat.go, lazy.go and transposed.go have other Sources.
// A Copier (copier.go) runs jobs of internal/blockwise.
//
// regions.go, runs.go and copierholes.go are for arrays with large parts of one value: chunks that an HDF5 file lacks, and
// holes of a sparse file (sparsefile.go). Dense arrays are never divided, so they cost no more.
//
// An element of dtype |O is a number into a table of Go values that all views of an array share (object.go). Strides,
// fields and copies need to know nothing of objects, and the numbers never leave the package as bytes. Decoder.Objects
// is an interface, so that a program has no decoder of pickles in it unless it imports package objects.
//
// Encoder (encoder.go) writes the header and the elements into a temporary file of internal/atomicfile. Appender
// (append.go) writes data first, the shape in the header last, and RepairFile (repair.go) saves the rows of a file
// that was damaged.

import (
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// SetWorkers limits the goroutines of one call of this module, in all of its packages, to n: a service that answers many
// requests at once may want 1. 0 and negative numbers mean the default, [runtime.GOMAXPROCS]. SetWorkers returns the
// previous limit, 0 if that was the default.
//
// Only work on several megabytes is divided. Work that mostly reads or moves memory uses at most four goroutines. Results
// are the same for any number. SetWorkers may be called at any time, and applies to calls that begin afterwards.
func SetWorkers(n int) (before int) { return par.SetWorkers(n) }

// ReplaceFile creates or replaces the file at path with the bytes that write writes to w. It writes a temporary file
// in the same folder and renames it at the end: path is never seen half-written. If write returns an error, or the
// program is killed, the old file stays unchanged. A file that is replaced keeps its permissions; a pipe or device is
// written to directly.
//
// All functions of this module that write files replace them in this way. [AbortWrites] removes the temporary files.
func ReplaceFile(path string, write func(w io.Writer) error) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit(false)
}

// AbortWrites ends every write of a file by a function of this module in the process, in all of its packages. It
// removes the temporary files; the files to be replaced stay unchanged. The functions fail, and so does every call
// that begins afterwards. AbortWrites is for programs that end at once, at a signal: otherwise the temporary files
// would stay, under a name such as .a.npy.npy-0.tmp, until the same file is written again. An [Appender] has no
// temporary file, and its appended elements stay.
func AbortWrites() { atomicfile.AbortAll() }

// ErrLimit is wrapped by every [LimitError], in all packages of this module.
var ErrLimit = bounded.ErrLimit

// A LimitError reports that a limit was reached. Files come from strangers: their cost in memory and time is limited, and most
// limits are fields of an options struct, such as MaxHeader of [Decoder]. errors.As finds the LimitError in the errors of all
// packages of this module:
//
//	var over *npy.LimitError
//	if errors.As(err, &over) && over.Name == "MaxHeader" {
//		decoder.MaxHeader = int(over.Got)
//	}
type LimitError struct {
	Name  string // the field that sets the limit, such as "MaxHeader"; "" if nothing sets it
	Limit int64  // its value; 0 if it is not a single number
	Got   int64  // the value that was refused; 0 if counting stopped at the limit
	What  string // the excess, as a sentence; "" for one made of the other fields
}

// Error returns one line with the limit and its value.
func (e *LimitError) Error() string { return (*bounded.Error)(e).Error() }

// Unwrap returns [ErrLimit].
func (e *LimitError) Unwrap() error { return ErrLimit }

// An IndexError reports an index that is out of bounds for an axis, NumPy's IndexError.
type IndexError struct {
	Index int // as given; negative indices count from the end
	Axis  int // from 0
	Size  int // of the axis
}

// Error returns one line with the index, the axis and its size.
func (e *IndexError) Error() string { return (*nd.IndexError)(e).Error() }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *IndexError) Fault(_ string) string { return (*nd.IndexError)(e).Fault("") }

// ErrObjects is wrapped by the error for arrays of Python objects without a decoder. Their elements are a
// pickle, which this package does not decode by itself: see [Decoder.Objects]. Package format reads their header.
var ErrObjects = errors.New("array of Python objects, stored as a pickle, which is not decoded")

// A TypeError reports that a Go type cannot hold the elements of an array, or a dtype the values of a Go type: values
// could change.
type TypeError struct {
	DType  dtype.Type   // invalid where no dtype can hold the Go type
	GoType reflect.Type // the element type requested or given
	Path   string       // the field, dotted, where the array is a struct; "" for the elements themselves
	Hint   string       // the way out
}

// Error returns one line with both types and the way out.
func (e *TypeError) Error() string { return "npy: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *TypeError) Fault(_ string) string {
	path := ""
	if e.Path != "" {
		path = " of field " + e.Path
	}
	text := fmt.Sprintf("dtype %s%s and Go type %s do not fit", e.DType, path, e.GoType)
	if !e.DType.IsValid() {
		text = fmt.Sprintf("no dtype%s for Go type %s", path, e.GoType)
	}
	if e.Hint != "" {
		text += ": " + e.Hint
	}
	return text
}

func typeError[T any](t dtype.Type, hint string) error {
	return &TypeError{DType: t, GoType: reflect.TypeFor[T](), Hint: hint}
}

// A FieldError reports that the elements of an array have no field of the given name.
type FieldError struct {
	DType dtype.Type // of the elements
	Path  string     // the name, dotted if it is in structs within structs
	Hint  string     // the way out, or ""
}

// Error returns one line with the names of the fields.
func (e *FieldError) Error() string { return "npy: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *FieldError) Fault(_ string) string {
	if !e.DType.IsStruct() {
		return withHint(fmt.Sprintf("no field %q: dtype %s has no fields", e.Path, e.DType), e.Hint)
	}
	names := make([]string, e.DType.NumField())
	for i, f := range e.DType.Fields() {
		names[i] = f.Name
	}
	if len(names) > 20 {
		names = append(names[:20], "…")
	}
	return withHint(fmt.Sprintf("no field %q, want one of %q", e.Path, names), e.Hint)
}

// withHint adds the way out to the text of an error.
func withHint(text, hint string) string {
	if hint == "" {
		return text
	}
	return text + "; " + hint
}
