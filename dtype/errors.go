package dtype

import "fmt"

// An Error reports what is wrong with the text of a dtype, and where.
type Error struct {
	Offset int    // in bytes from the start of the text that was parsed
	Path   string // the part of the descr, as Python would index it: "[2].shape"; "" for the whole
	Err    error  // what is wrong
}

// Error returns one line: the place and the fault.
func (e *Error) Error() string { return "dtype: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *Error) Fault(_ string) string {
	if e.Path == "" {
		return fmt.Sprintf("invalid at byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("invalid at byte %d (%s): %v", e.Offset, e.Path, e.Err)
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// invalid returns an Error with a formatted text.
func invalid(offset int, path, format string, args ...any) *Error {
	return &Error{Offset: offset, Path: path, Err: fmt.Errorf(format, args...)}
}

// moved returns err for a text that starts offset bytes into a larger text, under path.
func moved(err error, offset int, path string) error {
	e := err.(*Error)
	return &Error{Offset: e.Offset + offset, Path: path + e.Path, Err: e.Err}
}

// echo is the most bytes of its input that an error repeats.
const echo = 60

// quote returns s in quotes, cut to echo bytes.
func quote(s string) string {
	if len(s) > echo {
		return fmt.Sprintf("%.*q…", echo, s)
	}
	return fmt.Sprintf("%q", s)
}
