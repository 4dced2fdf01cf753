package pickle

import (
	"errors"
	"fmt"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/limit"
)

// ErrLimit is wrapped by the error of every limit, a [*limit.Error], which names the field of [Decoder] that raises it. It is
// the ErrLimit of package npy.
var ErrLimit = limit.ErrLimit

// An Error says where a pickle could not be read, and why.
type Error struct {
	Offset int64  // offset of the opcode from the first byte of the pickle
	Op     string // the opcode's name in Python's pickletools; "" outside of opcodes
	Err    error
}

// Error returns one line with the offset, the opcode and the reason.
func (e *Error) Error() string {
	if e.Op == "" {
		return fmt.Sprintf("pickle: byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("pickle: byte %d (%s): %v", e.Offset, e.Op, e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// A TextError reports a str of Python 2 that is not ASCII, where [Decoder.Encoding] does not say what it is.
type TextError struct{ Data []byte }

// Error returns one line with the way out.
func (e *TextError) Error() string {
	return fmt.Sprintf("a str of Python 2 is not ASCII: %s: choose the Decoder's Encoding, Latin1 for text of its single bytes or Bytes", quoted(e.Data))
}

// A KeyError says that a value cannot be the key of a dict or the element of a set.
type KeyError struct{ Kind string }

// Error returns one line with the way out.
func (e *KeyError) Error() string {
	return fmt.Sprintf("a %s cannot be a key of a dict or an element of a set: Python has no hash for it", e.Kind)
}

var (
	errUnderflow = errors.New("the stack has too few values")
	errNoMark    = errors.New("no MARK is on the stack")
)

// over returns the error of a limit.
func over(what string, limit int64, field string) error {
	return bounded.Over(field, limit, 0, "%s over %s %d", what, field, limit)
}

// kindOf names a value in errors.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case *rawText:
		return "Python 2 str"
	case *Global:
		return "global " + quoted([]byte(v.Module+"."+v.Name))
	case *Object:
		return "object of an unknown class"
	}
	return TypeName(v)
}
