package mmap

import (
	"errors"

	"github.com/npygo/npy/internal/diag"
)

// MarshalJSON returns an error: a File is mapped memory. Its Array has JSON.
func (f *File) MarshalJSON() ([]byte, error) {
	return nil, diag.Errorf("mmap", "a File is not data and has no JSON; marshal its Array: %w", errors.ErrUnsupported)
}
