package npz

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/npygo/npy/internal/zipfile"
)

// An Error says what is wrong with an archive or one of its members, and where: Member is the name in the archive ("" if
// it is about the archive as a whole), Offset counts bytes of the file (-1 if there is no place), Err is what is wrong. It
// wraps [npy.ErrLimit] where a limit was reached, [fs.ErrNotExist] where there is no such member,
// [errors.ErrUnsupported] where the archive is fine but needs what is not here, and the errors of package npy about the
// array itself.
type Error = zipfile.Error

// ErrArchive is wrapped by the error for files that are no zip archive, or not a whole one.
var ErrArchive = zipfile.ErrArchive

// errMissing reports a name that is not in the archive, and some that are.
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

// about adds the member to an error that says what is wrong with its data, unless it is there.
func about(e *zipfile.Entry, err error) error {
	if located, ok := err.(*Error); ok && located.Member == e.Name {
		return err
	}
	return &Error{Member: e.Name, Offset: e.HeaderOffset, Err: err}
}
