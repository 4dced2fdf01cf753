package zipfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy/internal/diag"
)

// ErrArchive is wrapped by the error for a file that is not a zip archive, or not a complete one.
var ErrArchive = errors.New("not a zip archive")

// An Error reports a fault in an archive or one of its members, and where it is.
type Error struct {
	Member string // the name in the archive; "" if the error concerns the whole archive
	Offset int64  // in the file, in bytes; -1 if unknown
	Err    error  // what is wrong
}

// Error returns one line: the place, the fault, and a remedy if there is one.
func (e *Error) Error() string { return "npz: " + e.Fault("") }

// Fault returns the message without the name of the package, and without the member if name ends with it.
func (e *Error) Fault(name string) string {
	switch {
	case e.Member == "":
		return fmt.Sprintf("invalid archive at byte %d: %v", e.Offset, e.Err)
	case diag.Names(name, e.Member) || diag.Names(name, strings.TrimSuffix(e.Member, ".npy")):
		return e.Err.Error()
	case e.Offset < 0:
		return fmt.Sprintf("member %q: %v", e.Member, e.Err)
	}
	return fmt.Sprintf("member %q at byte %d: %v", e.Member, e.Offset, e.Err)
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// invalid returns an Error about the whole archive.
func invalid(offset int64, format string, args ...any) error {
	return &Error{Offset: offset, Err: fmt.Errorf(format, args...)}
}

// Errorf returns an Error about a member, with the offset of its header.
func (e *Entry) Errorf(format string, args ...any) error {
	return e.wrap(fmt.Errorf(format, args...))
}

// wrap returns err as an Error about a member, with the place of its header.
func (e *Entry) wrap(err error) error {
	return &Error{Member: e.Name, Offset: e.HeaderOffset, Err: err}
}
