package pickle

import (
	"fmt"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/pickle/internal/literal"
)

// ErrLimit is wrapped by the error of every limit. It is the ErrLimit of package npy, by whose LimitError errors.As finds the
// name of the field of [Decoder] that raises the limit.
var ErrLimit = bounded.ErrLimit

// An Error says where a pickle could not be read, and why.
type Error struct {
	Offset int64  // offset of the opcode from the first byte of the pickle
	Op     string // the opcode's name in Python's pickletools; "" outside of opcodes
	Err    error  // the reason: ErrLimit, or what is wrong with the pickle
}

// Error returns one line with the offset, the opcode and the reason.
func (e *Error) Error() string { return "pickle: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *Error) Fault(_ string) string {
	if e.Op == "" {
		return fmt.Sprintf("byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("byte %d (%s): %v", e.Offset, e.Op, e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// A TextError reports a str of Python 2 that is not ASCII, where [Decoder.Encoding] is ASCII.
type TextError struct {
	Data []byte // the bytes of the str, not to be changed
}

// Error returns one line with the way out.
func (e *TextError) Error() string {
	return fmt.Sprintf("a str of Python 2 is not ASCII: %s: choose the Decoder's Encoding, Latin1 for text of its single bytes or Bytes", literal.Quoted(e.Data))
}

// A KeyError says that a value cannot be the key of a dict or the element of a set.
type KeyError struct {
	Kind string // of the value, by the name of its type in Python: "list"
}

// Error returns one line with the way out.
func (e *KeyError) Error() string {
	return fmt.Sprintf("a %s cannot be a key of a dict or an element of a set: Python has no hash for it", e.Kind)
}

// An EncodeError says which value cannot be written, and why.
type EncodeError struct {
	Path   string // the place in Python's notation: [3]['x']; empty for the value itself
	GoType string // its type in Go
	Err    error  // the reason
}

// Error returns one line with the place, the type and the way out.
func (e *EncodeError) Error() string { return "pickle: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *EncodeError) Fault(_ string) string {
	if e.Path == "" {
		return fmt.Sprintf("cannot write %s: %v", e.GoType, e.Err)
	}
	return fmt.Sprintf("cannot write %s at %s: %v", e.GoType, e.Path, e.Err)
}

// Unwrap returns the reason.
func (e *EncodeError) Unwrap() error { return e.Err }
