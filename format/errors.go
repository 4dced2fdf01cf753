package format

import (
	"errors"
	"fmt"

	"github.com/npygo/npy/internal/bounded"
)

// ErrLimit is wrapped by every error of a guard that said stop. Its text names the limit and the value.
var ErrLimit = bounded.ErrLimit

// ErrMagic is wrapped by the error for data that does not start with [Magic]: it is not an .npy file.
var ErrMagic = errors.New("not an npy file")

// An Error says where and how a file breaks the format.
type Error struct {
	Offset int64  // in bytes from the first byte of the magic string
	Path   string // the part of the header, as Python would index it: "descr[2].shape"; "" if it is none
	Err    error  // what is wrong; wraps io.ErrUnexpectedEOF where data is missing, [ErrLimit] where a limit is
}

// Error returns one line: the place, what is wrong, and the way out where there is one.
func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("npy: invalid format at byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("npy: invalid format at byte %d (%s): %v", e.Offset, e.Path, e.Err)
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// invalid makes an Error with the text of a format string.
func invalid(offset int64, path, format string, args ...any) *Error {
	return &Error{Offset: offset, Path: path, Err: fmt.Errorf(format, args...)}
}

// echo is how much of its input an error repeats, in bytes.
const echo = 60
