package record

import (
	"errors"

	"github.com/npygo/npy/internal/diag"
)

// noJSON returns the error for a type that is not data. Without the method, package encoding/json would write {}.
func noJSON(name, instead string) error {
	return diag.Errorf("record", "%s is not data and has no JSON; %s: %w", name, instead, errors.ErrUnsupported)
}

// MarshalJSON returns an error: a Plan is not data.
func (p *Plan[T]) MarshalJSON() ([]byte, error) { return nil, noJSON("a Plan", "marshal the dtype") }

// MarshalJSON returns an error: a RowReader is an open file.
func (r *RowReader[T]) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a RowReader", "marshal the rows that it reads")
}

// MarshalJSON returns an error: a RowWriter is an unfinished file.
func (w *RowWriter[T]) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a RowWriter", "marshal the rows that are written")
}
