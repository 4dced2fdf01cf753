package atomicfile

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/npygo/npy/internal/par"
)

// largeFile is the size from which on freeing a file takes longer than a goroutine: 12 ms for 256 MB on ext4.
const largeFile = 16 << 20

// freeing is held by those who free large files.
var freeing sync.RWMutex

// awaitFreed waits for the space of files that were replaced before. It reports false if there is none to wait for.
func awaitFreed() bool {
	if freeing.TryLock() {
		freeing.Unlock()
		return false
	}
	freeing.Lock()
	defer freeing.Unlock()
	return true
}

// moveNew moves temp to path, where there is no file.
func moveNew(temp, path string) error {
	err := unix.Renameat2(unix.AT_FDCWD, temp, unix.AT_FDCWD, path, unix.RENAME_NOREPLACE)
	switch err {
	case nil:
		return nil
	case unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP: // an old kernel, or a file system that does not know how
		return linkNew(system{}, temp, path)
	}
	return &os.LinkError{Op: "rename", Old: temp, New: path, Err: err}
}

// replace moves temp to path. A large file that was there is freed when its last handle is closed, which another
// goroutine does, so that the caller need not wait for it.
func replace(temp, path string) error {
	old, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0) // which does not wait for what is no file by now
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
