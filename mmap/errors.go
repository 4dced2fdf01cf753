package mmap

import (
	"errors"
	"io/fs"

	"github.com/npygo/npy/internal/mapping"
)

// A FaultError reports an access to mapped memory that failed.
type FaultError struct {
	Path   string // of the file
	Offset int64  // of the byte, from the first element; on some machines of its page
	Err    error  // wraps ErrTruncated, ErrReadOnly or ErrNoSpace
}

// Error returns one line with the path and the offset.
func (e *FaultError) Error() string { return (*mapping.FaultError)(e).Error() }

// Unwrap returns e.Err.
func (e *FaultError) Unwrap() error { return e.Err }

// guard calls m.Do and returns its faults as [*FaultError].
func guard(m *mapping.Mapping, work func() error) error {
	err := m.Do(work)
	var fault *mapping.FaultError
	if errors.As(err, &fault) {
		return (*FaultError)(fault)
	}
	return err
}

// The errors that a [*FaultError] wraps, and the error after Close.
var (
	ErrTruncated = mapping.ErrTruncated // another process truncated the file, or the device failed
	ErrReadOnly  = mapping.ErrReadOnly  // a write to a file of Open
	ErrNoSpace   = mapping.ErrNoSpace   // a sparse file could not grow because the disk is full; on tmpfs reading takes space too
	ErrClosed    = fs.ErrClosed
)
