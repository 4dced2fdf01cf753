package npz

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/npygo/npy/internal/zipfile"
)

// An Error describes what is wrong with an archive or with one of its members. It wraps [npy.ErrLimit] if a limit was
// reached and [fs.ErrNotExist] if the member does not exist. It wraps [errors.ErrUnsupported] if the archive is valid
// but needs a feature that this package or the system lacks, and the errors of package npy about the array itself.
type Error struct {
	Member string // the name in the archive; "" if the error is about the archive as a whole
	Offset int64  // in the file, in bytes; -1 if unknown
	Err    error  // what is wrong
}

// Error returns one line: the place, the fault, and a remedy if there is one.
func (e *Error) Error() string { return (*zipfile.Error)(e).Error() }

// Fault returns the message without the name of the package, and without the member if name ends with it.
func (e *Error) Fault(name string) string { return (*zipfile.Error)(e).Fault(name) }

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// A MethodError reports a member that is compressed with a method this package does not know. It wraps
// [errors.ErrUnsupported]; [Decoder.Methods] adds methods.
type MethodError struct {
	Method Method // as the directory of the archive names it
}

// Error returns one line with the way out.
func (e *MethodError) Error() string {
	return fmt.Sprintf("compressed with %s, which needs an entry in Decoder.Methods: %v", e.Method, errors.ErrUnsupported)
}

// Unwrap returns [errors.ErrUnsupported].
func (e *MethodError) Unwrap() error { return errors.ErrUnsupported }

// ErrArchive is wrapped by the error for files that are not a ZIP archive, or not a whole one.
var ErrArchive = zipfile.ErrArchive

// errMissing is the error for a name that is not in the archive. It lists some names that are.
func (z *Reader) errMissing(name string) error {
	const some = 5
	var names []string
	for _, e := range z.dir.Entries[:min(some, z.Len())] {
		names = append(names, strings.TrimSuffix(e.Name, suffix))
	}
	text := "which is empty"
	if len(names) > 0 {
		text = fmt.Sprintf("which has %q", names)
	}
	if z.Len() > some {
		text = strings.TrimSuffix(text, "]") + fmt.Sprintf(" …] (%d in all)", z.Len())
	}
	return &Error{Member: name, Offset: -1, Err: fmt.Errorf("not in the archive, %s: %w", text, fs.ErrNotExist)}
}

// errorf returns an [Error] about a member, with the offset of its local header.
func errorf(e *zipfile.Entry, format string, args ...any) error {
	return &Error{Member: e.Name, Offset: e.HeaderOffset, Err: fmt.Errorf(format, args...)}
}

// public returns err with a [*zipfile.Error] replaced by an [*Error]. nil stays nil.
func public(err error) error {
	if located, ok := err.(*zipfile.Error); ok {
		return (*Error)(located)
	}
	return err
}

// about returns err as an [Error] about a member, unless it is one already.
func about(e *zipfile.Entry, err error) error {
	if located, ok := err.(*Error); ok && located.Member == e.Name {
		return err
	}
	return &Error{Member: e.Name, Offset: e.HeaderOffset, Err: err}
}
