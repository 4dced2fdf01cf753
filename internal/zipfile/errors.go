package zipfile

import (
	"errors"
	"fmt"
)

// ErrArchive is wrapped by the error for files that are no zip archive, or not a whole one.
var ErrArchive = errors.New("not a zip archive")

// An Error says what is wrong with an archive or one of its members, and where.
type Error struct {
	Member string // the name in the archive; "" if it is about the archive as a whole
	Offset int64  // in the file, in bytes; -1 if it has no place there
	Err    error  // what is wrong
}

// Error returns one line: the place, what is wrong, and the way out where there is one.
func (e *Error) Error() string {
	switch {
	case e.Member == "":
		return fmt.Sprintf("npz: invalid archive at byte %d: %v", e.Offset, e.Err)
	case e.Offset < 0:
		return fmt.Sprintf("npz: member %q: %v", e.Member, e.Err)
	}
	return fmt.Sprintf("npz: member %q at byte %d: %v", e.Member, e.Offset, e.Err)
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// invalid makes an Error about the archive as a whole.
func invalid(offset int64, format string, args ...any) error {
	return &Error{Offset: offset, Err: fmt.Errorf(format, args...)}
}

// Errorf makes an Error about a member, with the place of its header.
func (e *Entry) Errorf(format string, args ...any) error {
	return &Error{Member: e.Name, Offset: e.HeaderOffset, Err: fmt.Errorf(format, args...)}
}
