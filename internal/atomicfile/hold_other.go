//go:build !unix && !windows

package atomicfile

import (
	"errors"
	"io"
	"os"
)

// hold has no locks to take.
func hold(folder, string, *os.File) (io.Closer, error) { return nil, errors.ErrUnsupported }

// openLeft leaves every file alone: somebody may write to it.
func openLeft(folder, string) (*os.File, error) { return nil, errors.ErrUnsupported }
