package dtype

import "fmt"

// An Error says where in its text a dtype is wrong.
type Error struct {
	Offset int    // in bytes from the start of the text that was parsed
	Path   string // the part of the descr, as Python would index it: "[2].shape"; "" for the whole
	Err    error  // what is wrong
}

// Error returns one line: the place and what is wrong there.
func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("dtype: invalid at byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("dtype: invalid at byte %d (%s): %v", e.Offset, e.Path, e.Err)
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// invalid makes an Error with the text of a format string.
func invalid(offset int, path, format string, args ...any) *Error {
	return &Error{Offset: offset, Path: path, Err: fmt.Errorf(format, args...)}
}

// moved returns err for a text that starts offset bytes into a larger one, under path.
func moved(err error, offset int, path string) error {
	e := err.(*Error)
	return &Error{Offset: e.Offset + offset, Path: path + e.Path, Err: e.Err}
}

// echo is how much of its input an error repeats, in bytes.
const echo = 60

// quote shortens what an error repeats of its input.
func quote(s string) string {
	if len(s) > echo {
		return fmt.Sprintf("%.*q…", echo, s)
	}
	return fmt.Sprintf("%q", s)
}
