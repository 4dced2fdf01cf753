package atomicfile

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/npygo/npy/internal/par"
)

// largeFile is the size from which freeing a file takes longer than starting a goroutine: 12 ms for 256 MB on ext4.
const largeFile = 16 << 20

// freeing is held while large files are freed.
var freeing sync.RWMutex

// awaitFreed waits until the space of files that were replaced earlier is free.
func awaitFreed() {
	freeing.Lock()
	defer freeing.Unlock()
}

// moveNew moves temp to path, unless path exists.
func moveNew(temp, path string) error {
	err := unix.Renameat2(unix.AT_FDCWD, temp, unix.AT_FDCWD, path, unix.RENAME_NOREPLACE)
	switch err {
	case nil:
		return nil
	case unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP: // an old kernel, or a file system without support
		return linkNew(system{}, temp, path)
	}
	return &os.LinkError{Op: "rename", Old: temp, New: path, Err: err}
}

// replace moves temp to path. A large old file is freed when its last handle is closed. Another goroutine closes it, so
// that the caller need not wait.
func replace(temp, path string) error {
	old, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0) // O_NONBLOCK: do not block if it is not a regular file by now
	if err != nil {
		return os.Rename(temp, path)
	}
	if info, err := old.Stat(); err != nil || info.Size() < largeFile {
		old.Close()
		return os.Rename(temp, path)
	}
	err = os.Rename(temp, path)
	freeing.RLock()
	par.Go(func() error {
		defer freeing.RUnlock()
		return old.Close()
	})
	return err
}
