package atomicfile

import (
	"io"
	"os"
	"path/filepath"

	"github.com/npygo/npy/internal/filelock"
)

// hold locks f, whose path is temp, until the result is closed. f itself may be closed and renamed earlier.
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

// openLeft opens a file to lock it, through a Root: that handle lets the file be renamed and removed.
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
