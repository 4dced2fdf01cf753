// Package filelock keeps two processes from writing to one file.
package filelock

import (
	"errors"
	"os"
)

// ErrLocked says that somebody else holds the lock.
var ErrLocked = errors.New("the file is locked by another writer")

// TryLock takes the lock of f until f is closed, or the process ends in whatever way. If somebody else has it the error
// wraps ErrLocked. Where the system has no locks it wraps errors.ErrUnsupported.
func TryLock(f *os.File) error { return tryLock(f) }
