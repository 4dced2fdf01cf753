package format

import (
	"errors"
	"fmt"

	"github.com/npygo/npy/internal/bounded"
)

// ErrLimit is wrapped by the error for a limit that was exceeded. The text of the error names the limit and the value.
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
func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("npy: invalid format at byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("npy: invalid format at byte %d (%s): %v", e.Offset, e.Path, e.Err)
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// invalid returns an Error with a formatted text.
func invalid(offset int64, path, format string, args ...any) *Error {
	return &Error{Offset: offset, Path: path, Err: fmt.Errorf(format, args...)}
}

// echo is the most bytes of its input that an error repeats.
const echo = 60
