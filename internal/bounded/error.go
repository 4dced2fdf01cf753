package bounded

import (
	"errors"
	"fmt"
)

// ErrLimit is wrapped by every [Error]. Packages npy, format and pickle export it.
var ErrLimit = errors.New("limit exceeded")

// An Error reports that a limit was reached. Programs find it by errors.As as a *npy.LimitError, which has the same fields.
type Error struct {
	Name  string
	Limit int64
	Got   int64
	What  string
}

// Error returns one line with the limit and its value.
func (e *Error) Error() string {
	what := e.What
	switch {
	case what != "":
	case e.Got != 0:
		what = fmt.Sprintf("%d is over %s %d", e.Got, e.Name, e.Limit)
	default:
		what = fmt.Sprintf("over %s %d", e.Name, e.Limit)
	}
	return what + ": " + ErrLimit.Error()
}

// Unwrap returns [ErrLimit].
func (e *Error) Unwrap() error { return ErrLimit }

// Exported sets target to e if target is a **npy.LimitError. Package npy sets the function, because package bounded cannot
// import npy. A program without package npy has no such target.
var Exported = func(e *Error, target any) bool { return false }

// As lets errors.As find e as a *npy.LimitError.
func (e *Error) As(target any) bool { return Exported(e, target) }
