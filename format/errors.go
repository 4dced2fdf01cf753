package format

import (
	"errors"
	"fmt"
	"io"

	"github.com/npygo/npy/internal/bounded"
)

// ErrLimit is wrapped by the error of every limit. It is the ErrLimit of package npy, by whose LimitError errors.As
// finds which limit it is.
var ErrLimit = bounded.ErrLimit

// ErrMagic is wrapped by the error for data that does not start with [Magic] and therefore is not an .npy file.
var ErrMagic = errors.New("not an npy file")

// An Error reports how a file violates the format, and where.
type Error struct {
	Offset int64  // in bytes from the first byte of the magic string
	Path   string // the part of the header, as Python would index it: "descr[2].shape"; "" if no part is at fault
	Err    error  // the fault; wraps io.ErrUnexpectedEOF if data is missing, [ErrLimit] if a limit is exceeded
}

// Error returns one line: the place, the fault, and a remedy if there is one.
func (e *Error) Error() string { return "npy: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *Error) Fault(_ string) string {
	if e.Path == "" {
		return fmt.Sprintf("invalid format at byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("invalid format at byte %d (%s): %v", e.Offset, e.Path, e.Err)
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// A ShortError reports that the data ends before the last element. It wraps io.ErrUnexpectedEOF.
type ShortError struct {
	Have, Want int64 // bytes of elements
	ItemSize   int   // of an element, or 0 to say nothing of them
}

// Error returns one line with both numbers of bytes and the element in which the data ends.
func (e *ShortError) Error() string {
	within := ""
	if size := int64(e.ItemSize); size > 0 {
		within = fmt.Sprintf(", within element %d of %d", e.Have/size, e.Want/size)
	}
	return fmt.Sprintf("the data ends after %d of %d bytes%s: %v", e.Have, e.Want, within, io.ErrUnexpectedEOF)
}

// Unwrap returns io.ErrUnexpectedEOF.
func (e *ShortError) Unwrap() error { return io.ErrUnexpectedEOF }

// invalid returns an Error with a formatted text.
func invalid(offset int64, path, format string, args ...any) *Error {
	return &Error{Offset: offset, Path: path, Err: fmt.Errorf(format, args...)}
}

// echo is the most bytes of its input that an error repeats.
const echo = 60
