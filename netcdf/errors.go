package netcdf

import (
	"errors"
	"fmt"

	"github.com/npygo/npy/internal/diag"
)

// An Error reports what is wrong with a netCDF file, and where.
type Error struct {
	Path   string // of the variable, "" for the header
	Offset int64  // in bytes from the start of the file
	Err    error  // the fault, without the place
}

// Error returns one line: the variable, the byte, and the fault.
func (e *Error) Error() string { return "netcdf: " + e.Fault("") }

// Fault returns the message without the name of the package, and without the path of the array if name ends with it.
func (e *Error) Fault(name string) string {
	if e.Path == "" || diag.Names(name, e.Path) {
		return fmt.Sprintf("byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("%s: byte %d: %v", e.Path, e.Offset, e.Err)
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// unsupported returns an error that wraps [errors.ErrUnsupported].
func unsupported(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, errors.ErrUnsupported)...)
}
