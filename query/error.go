package query

import "github.com/npygo/npy/query/internal/syntax"

// An Error reports an expression that is not valid, or that does not fit the dtype of the array.
type Error struct {
	Expr   string // the whole expression
	Offset int    // of the part of Expr that is wrong, in bytes
	Len    int    // of this part, in bytes; 0 at the end of Expr
	Msg    string // the fault, and the way out

	Name  string   // the name that is not known, if this is the fault
	Known []string // names that could be meant
}

// Error returns one line.
func (e *Error) Error() string { return (*syntax.Error)(e).Error() }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *Error) Fault(_ string) string { return (*syntax.Error)(e).Fault("") }

// Caret returns two lines: the part of the expression around the error, and carets below the part that is wrong.
func (e *Error) Caret() string { return (*syntax.Error)(e).Caret() }

// exported returns an error of an expression as an [*Error], and every other as it is.
func exported(err error) error {
	if e, ok := err.(*syntax.Error); ok {
		return (*Error)(e)
	}
	return err
}
