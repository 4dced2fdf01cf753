package hdf5

import (
	"errors"
	"fmt"
)

// MarshalJSON returns an error: a Writer is an open file.
func (w *Writer) MarshalJSON() ([]byte, error) {
	return nil, fmt.Errorf("hdf5: a Writer is not data and has no JSON; marshal the arrays that are written: %w", errors.ErrUnsupported)
}

// MarshalJSON returns an error: an Appender is an open file.
func (a *Appender) MarshalJSON() ([]byte, error) {
	return nil, fmt.Errorf("hdf5: an Appender is not data and has no JSON; marshal the rows that are appended: %w", errors.ErrUnsupported)
}
