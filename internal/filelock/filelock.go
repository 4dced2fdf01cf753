// Package filelock keeps two processes from writing to one file at the same time.
package filelock

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// ErrLocked is the error for a lock that another writer holds.
var ErrLocked = errors.New("the file is locked by another writer")

// TryLock locks f until f is closed or the process ends. If another writer holds the lock, the error wraps ErrLocked.
// If the system has no locks, it wraps errors.ErrUnsupported.
func TryLock(f *os.File) error { return tryLock(f) }

// Open opens the file at path for a writer that replaces it, and locks it until the result is closed. While another writer has the
// lock, it waits, and then opens the file that is at path by now. On a system without locks the file is only opened.
func Open(path string) (*os.File, error) {
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		f, err := open(path)
		if err != nil {
			return nil, err
		}
		err = TryLock(f)
		if err == nil && isAt(path, f) || err != nil && !errors.Is(err, ErrLocked) {
			return f, nil
		}
		f.Close()
		if err != nil {
			time.Sleep(wait) // systems with locks that wait cannot all be interrupted
		}
	}
}

// open opens a file for writing, which some network file systems demand of who locks it, or for reading if that is not allowed.
func open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) {
		return os.Open(path)
	}
	return f, err
}

// isAt reports whether path still leads to f.
func isAt(path string, f *os.File) bool {
	there, err := os.Stat(path)
	if err != nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(there, info)
}
