package mmap

import (
	"io/fs"

	"github.com/npygo/npy/internal/mapping"
)

// A FaultError says which byte of the elements could not be read or written, and wraps one of [ErrTruncated],
// [ErrReadOnly] and [ErrNoSpace].
type FaultError = mapping.FaultError

// What a [*FaultError] wraps, and the error after Close.
var (
	ErrTruncated = mapping.ErrTruncated // another process cut the file short, or the device fails
	ErrReadOnly  = mapping.ErrReadOnly  // written to a file of Open
	ErrNoSpace   = mapping.ErrNoSpace   // a sparse file could not grow: the disk is full. On tmpfs reading takes room, too
	ErrClosed    = fs.ErrClosed
)
