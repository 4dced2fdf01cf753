package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"

	"github.com/npygo/npy/internal/diag"
)

// An Error is an error at a place of a file. It has the fields of hdf5.Error.
type Error struct {
	Path      string // of the group or dataset; "" if the error is about the file as a whole
	Structure string // of the format: "object header", "fractal heap"; "" if no structure is at fault
	Offset    int64  // in the file, in bytes; -1 if unknown
	Err       error  // the fault
}

// ErrFormat is wrapped by the error for a file that is not HDF5, or that violates the format.
var ErrFormat = errors.New("invalid HDF5")

// ErrShortChunk is the error for a chunk, or a block of a heap, that the filters make too little of.
var ErrShortChunk = errors.New("a chunk has too few bytes for its elements")

// Error returns one line: the place and the fault.
func (e *Error) Error() string { return "hdf5: " + e.Fault("") }

// Fault returns the message without the name of the package, and without the path of the array if name ends with it.
func (e *Error) Fault(name string) string {
	var b strings.Builder
	if e.Path != "" && !diag.Names(name, e.Path) {
		fmt.Fprintf(&b, "%.200q: ", e.Path)
	}
	switch {
	case e.Structure != "" && e.Offset >= 0:
		fmt.Fprintf(&b, "%s at byte %d: ", e.Structure, e.Offset)
	case e.Structure != "":
		b.WriteString(e.Structure + ": ")
	case e.Offset >= 0:
		fmt.Fprintf(&b, "byte %d: ", e.Offset)
	}
	return b.String() + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// As sets target, a pointer to a pointer to a struct with the fields of an Error, to e. With it [errors.As] finds e as an
// hdf5.Error, which this package cannot name.
func (e *Error) As(target any) bool {
	to, from := reflect.ValueOf(target).Elem(), reflect.ValueOf(e)
	if to.Kind() != reflect.Pointer || !from.CanConvert(to.Type()) {
		return false
	}
	to.Set(from.Convert(to.Type()))
	return true
}

// Malformed returns err as an error that also is an [ErrFormat].
func Malformed(err error) error { return malformed{err} }

type malformed struct{ error }

// Is reports whether target is [ErrFormat].
func (m malformed) Is(target error) bool { return target == ErrFormat }

// Unwrap returns the error.
func (m malformed) Unwrap() error { return m.error }

// Invalid returns an Error that wraps [ErrFormat]: a structure violates the format at a byte.
func Invalid(structure string, at int64, format string, args ...any) *Error {
	return &Error{Structure: structure, Offset: at, Err: Malformed(fmt.Errorf(format, args...))}
}

// Unsupported returns an Error that wraps [errors.ErrUnsupported].
func Unsupported(structure string, at int64, format string, args ...any) *Error {
	return &Error{Structure: structure, Offset: at, Err: fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), errors.ErrUnsupported)}
}

// About returns err with the path of the object that was read, unless it has one. nil stays nil.
func About(path string, err error) error {
	if err == nil {
		return nil
	}
	var located *Error
	if !errors.As(err, &located) {
		return &Error{Path: path, Offset: -1, Err: err}
	}
	if located.Path != "" || error(located) != err {
		return err
	}
	e := *located
	e.Path = path
	return &e
}

// Missing returns the error for a path that does not exist.
func Missing(path string, format string, args ...any) error {
	return &Error{Path: path, Offset: -1, Err: fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), fs.ErrNotExist)}
}
