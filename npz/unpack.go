package npz

import (
	"io"
	"os"

	"github.com/npygo/npy/internal/atomicfile"
)

// UnpackFile writes what r gives to a file of a folder, by a name within it: nothing leads out of root. The file appears
// when r has ended without an error; what [Reader.Open] gives has been checked against its size and checksum then. The
// folders in name must be there. A file that is there is replaced with replace set, and else an error that wraps
// [fs.ErrExist].
//
// The name is used as it is: [Entry.CheckName] and [Entry.CheckPortable] say what is wrong with that of a member.
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
