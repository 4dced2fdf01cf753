package hdf5

import "github.com/npygo/npy/hdf5/internal/fault"

// An Error describes a fault of a file and its place; [errors.As] finds it. It wraps [npy.ErrLimit] if a limit was
// reached, [io/fs.ErrNotExist] if a path does not exist, [errors.ErrUnsupported] if the file is valid but needs a feature that
// this package lacks, [io.ErrUnexpectedEOF] if the file ends early, and otherwise [ErrFormat].
type Error struct {
	Path      string // of the group or dataset; "" if the error is about the file as a whole
	Structure string // of the format: "object header", "fractal heap"; "" if no structure is at fault
	Offset    int64  // in the file, in bytes; -1 if unknown
	Err       error  // the fault
}

// ErrFormat is wrapped by the error for a file that is not HDF5, or that violates the format.
var ErrFormat = fault.ErrFormat

// Error returns one line: the place and the fault.
func (e *Error) Error() string { return (*fault.Error)(e).Error() }

// Fault returns the message without the name of the package, and without the path of the array if name ends with it.
func (e *Error) Fault(name string) string { return (*fault.Error)(e).Fault(name) }

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }
