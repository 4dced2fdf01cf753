//go:build !unix && !windows

package atomicfile

import (
	"errors"
	"io"
	"os"
)

// hold has no locks to take.
func hold(folder, string, *os.File) (io.Closer, error) { return nil, errors.ErrUnsupported }

// openLeft leaves every file alone: a process may be writing to it.
func openLeft(folder, string) (*os.File, error) { return nil, errors.ErrUnsupported }
