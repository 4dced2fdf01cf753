package atomicfile

import (
	"io"
	"os"
	"path/filepath"

	"github.com/npygo/npy/internal/filelock"
)

// hold takes the lock of f, which is called temp, until what it returns is closed: f may be closed and renamed before.
func hold(in folder, temp string, _ *os.File) (io.Closer, error) {
	f, err := openLeft(in, temp)
	if err != nil {
		return nil, err
	}
	if err := filelock.TryLock(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// openLeft opens a file for its lock, by a handle of the kind that lets it be renamed and removed: that of a Root.
func openLeft(in folder, temp string) (*os.File, error) {
	if root, ok := in.(*os.Root); ok {
		return root.OpenFile(temp, os.O_RDWR, 0)
	}
	root, err := os.OpenRoot(filepath.Dir(temp))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.OpenFile(filepath.Base(temp), os.O_RDWR, 0)
}
