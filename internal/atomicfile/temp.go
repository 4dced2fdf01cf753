package atomicfile

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/npygo/npy/internal/filelock"
)

// Temporary files of one path are numbered, so that abandoned files are found without listing the folder, which may be
// large. A writer takes the first number that is free or abandoned. It then removes abandoned files with the following
// numbers: it checks the first swept numbers in any case, and continues until a number is not in use.
//
// A process locks a temporary file before it removes it. A process that creates one locks it and then checks that the
// file still exists. So if two processes meet an unlocked file at the same time, one gets it and the other goes on.
const (
	numbered = 64   // the number of numbered names; further writers at a time use random names, which are not cleaned up
	swept    = 8    // numbers that are always checked: eight writers at a time can leave these
	tries    = 1000 // the most names tried
)

// tempName returns the name of the n-th temporary file for path, in the same folder.
func tempName(path string, n int) string {
	dir, base := filepath.Split(path)
	if len(base) > 200 { // leave space for the rest of the name
		base = base[:200]
	}
	number := strconv.Itoa(n)
	if n >= numbered {
		number = strconv.FormatUint(rand.Uint64(), 36)
	}
	return dir + "." + base + ".npy-" + number + ".tmp"
}

// createTemp creates a temporary file for path with a name that is not in use. If it replaces a file, only the owner
// may read it.
func createTemp(in folder, path string, old fs.FileInfo) (*File, error) {
	perm := fs.FileMode(0o666) // reduced by the umask, as in os.Create
	if old != nil {
		perm = 0o600
	}
	making.Lock()
	defer making.Unlock()
	if making.ended {
		return nil, errEnded
	}
	for n := range tries {
		f, err := tryTemp(in, tempName(path, n), perm)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		f.path, f.old = path, old
		making.files[f] = true
		sweep(in, path, n+1)
		return f, nil
	}
	return nil, errors.New("no free temporary name")
}

// tryTemp creates the temporary file temp. It returns nil if another writer has it.
func tryTemp(in folder, temp string, perm fs.FileMode) (*File, error) {
	const flag = os.O_RDWR | os.O_CREATE | os.O_EXCL
	f, err := in.OpenFile(temp, flag, perm)
	if errors.Is(err, fs.ErrExist) && removeLeft(in, temp) {
		f, err = in.OpenFile(temp, flag, perm)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lock, err := hold(in, temp, f)
	if errors.Is(err, filelock.ErrLocked) { // another process considers the file abandoned and removes it
		f.Close()
		return nil, nil
	}
	if err == nil && !isAt(in, temp, f) {
		f.Close()
		lock.Close()
		return nil, nil
	}
	return &File{File: f, in: in, temp: temp, lock: lock}, nil // without a lock if the system has none
}

// sweep removes abandoned files, from number n on.
func sweep(in folder, path string, n int) {
	for ; n < numbered; n++ {
		temp := tempName(path, n)
		if _, err := in.Lstat(temp); err == nil {
			removeLeft(in, temp)
		} else if n >= swept {
			return
		}
	}
}

// removeLeft removes a temporary file that no process writes to, and reports whether it is gone.
func removeLeft(in folder, temp string) bool {
	info, err := in.Lstat(temp)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	if !info.Mode().IsRegular() {
		return false
	}
	f, err := openLeft(in, temp)
	if err != nil {
		return false
	}
	defer f.Close()
	return filelock.TryLock(f) == nil && isAt(in, temp, f) && in.Remove(temp) == nil
}

// isAt reports whether name still refers to f.
func isAt(in folder, name string, f *os.File) bool {
	there, err := in.Lstat(name)
	if err != nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(there, info)
}
