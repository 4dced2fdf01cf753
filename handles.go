package npy

import (
	"errors"
	"fmt"
)

// noJSON returns the error for a type that is not data. Without a method, package encoding/json would write {}.
func noJSON(name, instead string) error {
	return fmt.Errorf("npy: %s is not data and has no JSON; %s: %w", name, instead, errors.ErrUnsupported)
}

// MarshalJSON returns an error: a File is an open file.
func (f *File) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a File", "marshal the Array that its methods return")
}

// MarshalJSON returns an error: the elements of a Stream have not been read.
func (s *Stream) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a Stream", "marshal the Array that its methods return")
}

// MarshalJSON returns an error: an Index is a step of a slice.
func (i Index) MarshalJSON() ([]byte, error) {
	return nil, noJSON("an Index", "keep the text that ParseIndex reads")
}

// MarshalJSON returns an error: an Appender is an open file.
func (a *Appender) MarshalJSON() ([]byte, error) {
	return nil, noJSON("an Appender", "marshal the arrays that are appended")
}

// MarshalJSON returns an error: a RowReader is an open file.
func (r *RowReader[T]) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a RowReader", "marshal the rows that it reads")
}

// MarshalJSON returns an error: a RowWriter is a file that is being written.
func (w *RowWriter[T]) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a RowWriter", "marshal the rows that are written")
}

// MarshalText returns NumPy's word for the casting. A value that is none of the constants is an error.
func (c Casting) MarshalText() ([]byte, error) {
	if _, err := ParseCasting(c.String()); err != nil {
		return nil, fmt.Errorf("npy: casting %d is none", int(c))
	}
	return []byte(c.String()), nil
}

// UnmarshalText reads the same words as [ParseCasting]. An error leaves c unchanged.
func (c *Casting) UnmarshalText(text []byte) error {
	parsed, err := ParseCasting(string(text))
	if err == nil {
		*c = parsed
	}
	return err
}
