package convert

import "github.com/npygo/npy/convert/internal/fault"

// An Error reports what is wrong in a text or an image, and where.
type Error struct {
	Line   int    // from 1; 0 in an image
	Column int    // the cell in its line, from 1; 0 if the whole line is at fault, and in JSON
	Offset int    // bytes from the start of the text, without a byte order mark; only in JSON and images
	Path   string // the position in the array, in Python's notation: [3][1].x; only in JSON
	Err    error  // the cause
}

// Error returns one line: the position and the cause.
func (e *Error) Error() string { return (*fault.Error)(e).Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// exported returns an error in a text or an image as an [*Error], and every other as it is.
func exported(err error) error {
	if e, ok := err.(*fault.Error); ok {
		return (*Error)(e)
	}
	return err
}
