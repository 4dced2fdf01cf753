package pickle

import (
	"io"
	"math"
)

// A Decoder reads pickles with hooks and limits of the caller's choice. The zero Decoder has none of the hooks and the
// limits named below, and is safe for pickles from strangers. In each limit 0 stands for the default and a negative
// number for no limit. A Decoder may be used by several goroutines if its hooks may.
type Decoder struct {
	// Encoding says what the str of Python 2 become. Pickles written by Python 3 do not have them.
	Encoding Encoding

	// Construct, if not nil, is asked for each call of a class or function which this package does not know. It returns
	// the value and true, or false to have the Object kept as the value. If the value is a [StateSetter] it is given the
	// state that follows. The Object has no items, pairs or state yet.
	Construct func(o *Object) (v any, ok bool, err error)

	// SetState, if not nil, is called with a state for a value that Construct made and that is no StateSetter, so that
	// Construct can make values of types which have no such method.
	SetState func(v, state any) error

	// Begin, if not nil, is called before the first opcode. Construct and SetState call charge with the bytes that they copy,
	// and the work that they do, for values which a pickle can use again for a few bytes, and return its error: that of
	// MaxShared.
	Begin func(charge func(n int64) error)

	// PersistentLoad, if not nil, returns the value for the id of an object that the pickle's writer kept elsewhere, as
	// Python's Unpickler.persistent_load. Without it such an id is an error.
	PersistentLoad func(id any) (any, error)

	// NextBuffer, if not nil, returns the buffers that protocol 5 keeps outside of the pickle, one after the other. The
	// values share their memory. Without it such a buffer is an error.
	NextBuffer func() ([]byte, error)

	// SizeHint is how many items the first list will have, if that is known. Memory for as many is taken at once, and for
	// as many ints, strings and the like when there are more than a few, so it is to be no more than the bytes of the
	// pickle.
	SizeHint int

	// MaxBytes limits the length of the pickle, 1 GiB by default. Memory for values is in proportion to it: usually two
	// or three times as much, at most some hundred times for pickles made to be bad.
	MaxBytes int64

	// MaxNodes limits the number of values, each one taken from the memo included: 67,108,864 by default.
	MaxNodes int

	// MaxMemo limits the number of values that are memoised: 67,108,864 by default.
	MaxMemo int

	// MaxDepth limits how many containers may be inside each other, 10,000 by default, so that code which walks values
	// by calling itself is safe. A container that contains itself is not deep for that.
	MaxDepth int

	// MaxDigits limits the decimal digits of an int that is written as text, whose conversion takes more than linear
	// time, and the bytes of one that is written in binary: 100,000 by default.
	MaxDigits int

	// MaxShared limits the bytes that values cost when they are used again: as keys, as arguments of a call, as the
	// elements of an array. A pickle uses a value from its memo for a few bytes, however large it is. The default is
	// 64 MiB. Each byte of the pickle allows for 64 more, so that the limit matters for short pickles.
	MaxShared int64
}

// A StateSetter is a value that [Decoder.Construct] made and that takes a state, as objects with __setstate__ do.
type StateSetter interface {
	// SetState is called with what follows the object in the pickle. It may keep the state.
	SetState(state any) error
}

// Decode returns the value of a pickle in memory. What comes after the pickle is ignored, as Python's pickle.loads
// does. The value shares no memory with data. Numbers and strings share blocks of memory with each other: who keeps a few
// of very many for long should copy them, with strings.Clone.
func Decode(data []byte) (any, error) {
	v, _, err := Decoder{}.DecodeBytes(data)
	return v, err
}

// Decode reads one pickle from r and returns its value, as Python's pickle.load does. Not one byte after the pickle is
// taken from r, so that it can be called again for the next one; at the end of r it returns io.EOF. A *bufio.Reader, or
// what else has its methods Peek, Discard and Buffered, is read through these. From any other reader a pickle below
// protocol 4 is read in very small pieces, so that a file is better wrapped in a bufio.Reader.
//
// The error is an [*Error]. It wraps io.ErrUnexpectedEOF if the pickle is cut short, [ErrLimit] if a limit of d is
// exceeded, a [*KeyError] for a key that cannot be one, and the errors of r and of the hooks.
func (d Decoder) Decode(r io.Reader) (any, error) {
	in := newInput(r, limit64(d.MaxBytes, 1<<30))
	if _, err := in.src.Peek(1); err == io.EOF {
		return nil, io.EOF
	}
	v, err := newMachine(&d, in).decode()
	if err != nil {
		return nil, err
	}
	return v, in.close()
}

// DecodeBytes is Decode for pickles in memory: it returns the value of the first one and the bytes after it, which share
// the memory of data. The value shares no memory with data. If there are no bytes at all the error is io.EOF.
func (d Decoder) DecodeBytes(data []byte) (v any, rest []byte, err error) {
	if len(data) == 0 {
		return nil, nil, io.EOF
	}
	in := bytesInput(data, limit64(d.MaxBytes, 1<<30))
	v, err = newMachine(&d, in).decode()
	if err != nil {
		return nil, nil, err
	}
	return v, data[in.pos:], nil
}

// limit64 returns what a field for a limit stands for.
func limit64(field, standard int64) int64 {
	switch {
	case field == 0:
		return standard
	case field < 0:
		return math.MaxInt64
	}
	return field
}

// limit is limit64 for an int.
func limit(field, standard int) int {
	return int(min(limit64(int64(field), int64(standard)), math.MaxInt))
}
