// Package limit has the error that all packages of this module return when a limit is reached.
//
// Files come from strangers: their cost in memory and time is limited, and most limits are fields of an options struct,
// such as MaxHeader of [npy.Decoder]. An [Error] says which limit was reached:
//
//	var over *limit.Error
//	if errors.As(err, &over) && over.Name == "MaxHeader" {
//		decoder.MaxHeader = int(over.Got)
//	}
//
// [npy.Decoder]: https://pkg.go.dev/github.com/npygo/npy#Decoder
package limit

import (
	"errors"
	"fmt"
)

// ErrLimit is wrapped by every [Error], for errors.Is.
var ErrLimit = errors.New("limit exceeded")

// An Error reports that a limit was reached. Programs find it by errors.As; npy.LimitError is another name for it.
type Error struct {
	Name  string // the field that sets the limit, such as "MaxHeader"; "" if nothing sets it
	Limit int64  // its value; 0 if it is not a single number
	Got   int64  // the value that was refused; 0 if counting stopped at the limit
	What  string // the excess, as a sentence; "" for one made of the other fields
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
