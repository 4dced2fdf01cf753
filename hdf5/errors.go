package hdf5

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// An Error describes what is wrong with a file, and where. It wraps [npy.ErrLimit] if a limit was reached,
// [fs.ErrNotExist] if a path does not exist, [errors.ErrUnsupported] if the file is valid but needs a feature that this
// package lacks, [io.ErrUnexpectedEOF] if the file ends early, and otherwise [ErrFormat].
type Error struct {
	Path      string // of the group or dataset; "" if the error is about the file as a whole
	Structure string // of the format: "object header", "fractal heap"; "" if no structure is at fault
	Offset    int64  // in the file, in bytes; -1 if unknown
	Err       error  // what is wrong
}

// ErrFormat is wrapped by the error for a file that is not HDF5, or that violates the format.
var ErrFormat = errors.New("invalid HDF5")

// Error returns one line: the place and the fault.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("hdf5: ")
	if e.Path != "" {
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

// invalid returns an Error that wraps [ErrFormat]: a structure violates the format at a byte.
func invalid(structure string, at int64, format string, args ...any) *Error {
	return &Error{Structure: structure, Offset: at, Err: fault{fmt.Errorf(format, args...)}}
}

// A fault is an error that also is an [ErrFormat].
type fault struct{ error }

// Is reports whether target is [ErrFormat].
func (f fault) Is(target error) bool { return target == ErrFormat }

// Unwrap returns the error.
func (f fault) Unwrap() error { return f.error }

// unsupported returns an Error that wraps [errors.ErrUnsupported].
func unsupported(structure string, at int64, format string, args ...any) *Error {
	return &Error{Structure: structure, Offset: at, Err: fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), errors.ErrUnsupported)}
}

// about returns err with the path of what was read, unless it has one. nil stays nil.
func about(path string, err error) error {
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

// missing returns the error for a path that does not exist.
func missing(path string, format string, args ...any) error {
	return &Error{Path: path, Offset: -1, Err: fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), fs.ErrNotExist)}
}
