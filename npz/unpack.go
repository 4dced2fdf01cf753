package npz

import (
	"io"
	"os"

	"github.com/npygo/npy/internal/atomicfile"
)

// UnpackFile writes the bytes of r to the file name within root; no name leads out of root. The file appears after r
// has ended without an error; a reader of [Reader.Open] has then verified size and checksum. The folders in name must
// exist. If the file exists it is replaced if replace is set, otherwise the error wraps [fs.ErrExist].
//
// The name is used as it is: [Entry.CheckName] and [Entry.CheckPortable] check the name of a member.
func UnpackFile(root *os.Root, name string, r io.Reader, replace bool) error {
	f, err := atomicfile.CreateIn(root, name)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := io.Copy(f, r); err != nil {
		return err
	}
	if replace {
		return f.Commit(false)
	}
	return f.CommitNew(false)
}
