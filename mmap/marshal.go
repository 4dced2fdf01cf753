package mmap

import (
	"errors"
	"fmt"
)

// MarshalJSON returns an error: a File is mapped memory. Its Array has JSON.
func (f *File) MarshalJSON() ([]byte, error) {
	return nil, fmt.Errorf("mmap: a File is not data and has no JSON; marshal its Array: %w", errors.ErrUnsupported)
}
