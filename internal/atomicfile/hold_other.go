//go:build !unix && !windows

package atomicfile

import (
	"errors"
	"io"
	"os"
)

// hold returns an error: the system has no locks.
func hold(folder, string, *os.File) (io.Closer, error) { return nil, errors.ErrUnsupported }

// openLeft returns an error, so no file is removed: a process may be writing to it.
func openLeft(folder, string) (*os.File, error) { return nil, errors.ErrUnsupported }
