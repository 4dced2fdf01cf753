package elem

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/jsontext"
	"github.com/npygo/npy/scalar"
)

// An Error reports that a text is not a value of a dtype.
type Error struct {
	Text  string // the whole text
	DType dtype.Type
	Err   error // why: scalar.ErrSyntax, scalar.ErrRange, …
}

// Error returns one line: the text, shortened if it is long, the dtype and the reason.
func (e *Error) Error() string {
	if e.Text == "" {
		return "missing value, want " + withArticle(e.DType)
	}
	s := Quote(e.Text) + " is not " + withArticle(e.DType)
	if e.Err == scalar.ErrSyntax {
		return s
	}
	return s + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// withArticle returns the name of t with an article: an int8, a float64, a <U3.
func withArticle(t dtype.Type) string {
	name := t.Name()
	if IsText(t) || t.Kind() == dtype.KindVoid && strings.HasPrefix(name, "void") {
		name = t.Descr() // the name counts bits
	}
	if strings.HasPrefix(name, "int") {
		return "an " + name
	}
	return "a " + name
}

// Quote quotes s for a message and cuts it after 40 bytes.
func Quote(s string) string { return jsontext.Quote(s) }

// Refuse makes an Error from the error of a parsing function of strconv or scalar. It returns nil for nil.
func Refuse(t dtype.Type, text string, err error) error {
	var e *scalar.ParseError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		err = e.Err
	case errors.Is(err, strconv.ErrRange):
		err = scalar.ErrRange
	case errors.Is(err, strconv.ErrSyntax):
		err = scalar.ErrSyntax
	}
	return &Error{Text: text, DType: t, Err: err}
}

var errTrailingNUL = errors.New("NumPy drops NULs at the end of str and bytes, so the value would change")

func errTooLong(n, room int, unit string) error {
	return fmt.Errorf("%d %s are too long for %d", n, unit, room)
}
