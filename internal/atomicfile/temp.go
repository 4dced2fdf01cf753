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

// Temporary files of one name have numbers, so that those that were left are found without reading the folder, which may
// be large. A writer takes the first number that is free or was left, and removes the files that were left with the
// following ones: with one of the first swept numbers in any case, and from there on until a number is not in use.
//
// Who wants to remove a file takes its lock first; who makes one takes its lock and then looks whether it is still there.
// So of two processes that come to a file without a lock at the same time one has it, and the other goes on.
const (
	numbered = 64   // numbers; more writers at a time have names by chance, which nobody looks for
	swept    = 4    // numbers that are always looked at
	tries    = 1000 // names in all
)

// tempName returns a name beside path.
func tempName(path string, n int) string {
	dir, base := filepath.Split(path)
	if len(base) > 200 { // leave room for the rest of the name
		base = base[:200]
	}
	number := strconv.Itoa(n)
	if n >= numbered {
		number = strconv.FormatUint(rand.Uint64(), 36)
	}
	return dir + "." + base + ".npy-" + number + ".tmp"
}

// createTemp makes a file beside path with a name nobody else has. It is for its owner alone if it replaces another.
func createTemp(in folder, path string, old fs.FileInfo) (*File, error) {
	perm := fs.FileMode(0o666) // what the umask leaves of it, as os.Create
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

// tryTemp makes a file of a name, nil if another writer has it.
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
	if errors.Is(err, filelock.ErrLocked) { // by one who takes the file for one that was left, and removes it
		f.Close()
		return nil, nil
	}
	if err == nil && !isAt(in, temp, f) {
		f.Close()
		lock.Close()
		return nil, nil
	}
	return &File{File: f, in: in, temp: temp, lock: lock}, nil // without a lock where there are none
}

// sweep removes files that were left, from number n on.
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

// isAt reports whether f is the file of a name.
func isAt(in folder, name string, f *os.File) bool {
	there, err := in.Lstat(name)
	if err != nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(there, info)
}
