// Package filelock keeps two processes from writing to one file at the same time.
package filelock

import (
	"errors"
	"os"
)

// ErrLocked is the error for a lock that another writer holds.
var ErrLocked = errors.New("the file is locked by another writer")

// TryLock locks f until f is closed or the process ends. If another writer holds the lock, the error wraps ErrLocked.
// If the system has no locks, it wraps errors.ErrUnsupported.
func TryLock(f *os.File) error { return tryLock(f) }
