package pickle

import (
	"io"
	"math"
)

// A Decoder reads pickles with hooks and limits. The zero Decoder has no hooks and the default limits, and is safe for
// untrusted pickles. In each limit, 0 means the default and a negative number means no limit. Several goroutines may
// use a Decoder if its hooks allow it.
type Decoder struct {
	// Encoding says what a str of Python 2 becomes. Python 3 does not write them.
	Encoding Encoding

	// Construct, if not nil, is called for each call of a class or function that this package does not know. It returns
	// the value and true, or false to keep the call as an Object. If the value is a [StateSetter], it is given the
	// state that follows in the pickle. The Object has no items, pairs or state yet.
	Construct func(o *Object) (v any, ok bool, err error)

	// SetState, if not nil, is called with the state of a value that Construct made and that is not a StateSetter. With
	// it, Construct can return values of types without that method.
	SetState func(v, state any) error

	// Begin, if not nil, is called before the first opcode. A pickle can refer to a large value again and again in a
	// few bytes, so Construct and SetState must call charge with the bytes that they copy for such a value, and the
	// work that they do, and must return its error: MaxShared is exceeded.
	Begin func(charge func(n int64) error)

	// PersistentLoad, if not nil, returns the value for a persistent id: an object that the writer kept outside of the
	// pickle, as Python's Unpickler.persistent_load. Without it a persistent id is an error.
	PersistentLoad func(id any) (any, error)

	// NextBuffer, if not nil, returns the out-of-band buffers of protocol 5, in order. The values share their memory.
	// Without it an out-of-band buffer is an error.
	NextBuffer func() ([]byte, error)

	// SizeHint is the number of items of the first list, if it is known. Memory for all of them is allocated at once,
	// and memory for as many ints, strings and other values once more than a few occur, so SizeHint must not exceed the
	// length of the pickle in bytes.
	SizeHint int

	// MaxBytes limits the length of the pickle, 1 GiB by default. Memory for values is in proportion to it: usually two
	// or three times as much, at most some hundred times for hostile pickles.
	MaxBytes int64

	// MaxNodes limits the number of values, 67,108,864 by default. A value taken from the memo
	// counts each time, and a mark as a value.
	MaxNodes int

	// Compressed, if not nil, returns the number of compressed bytes that have been read, of a pickle that is decompressed.
	// A few kilobytes decompress to many millions of values, so the defaults of MaxNodes and MaxMemo become 8 values for
	// each of those bytes, and 4,194,304 for a short pickle.
	Compressed func() int64

	// MaxMemo limits the number of values that are memoised: 67,108,864 by default.
	MaxMemo int

	// MaxDepth limits the nesting of containers, 10,000 by default, so that recursive code can walk the values. A
	// container that contains itself is not deep for that reason.
	MaxDepth int

	// MaxDigits limits the length of an int: its decimal digits in text, because the conversion takes more than linear
	// time, and its bytes in binary. The default is 100,000.
	MaxDigits int

	// MaxShared limits the cost in bytes of values that are used again: as keys, as arguments of a call, as elements of
	// an array. A pickle can use a value from its memo again in a few bytes, however large it is. The default is 64
	// MiB. Each byte of the pickle adds 64 to the limit, so that it matters for short pickles only.
	MaxShared int64
}

// A StateSetter is a value made by [Decoder.Construct] that takes a state, as objects with __setstate__ do.
type StateSetter interface {
	// SetState is called with the state of the object. It may keep it.
	SetState(state any) error
}

// Decode returns the value of a pickle in memory. Bytes after the pickle are ignored, as by Python's pickle.loads. The
// value shares no memory with data. Numbers and strings share blocks of memory with each other: to keep a few of very
// many for long, copy them with strings.Clone.
func Decode(data []byte) (any, error) {
	v, _, err := Decoder{}.DecodeBytes(data)
	return v, err
}

// Decode reads one pickle from r and returns its value, as Python's pickle.load does. It takes no byte after the pickle
// from r, so it can be called again for the next pickle; at the end of r it returns io.EOF. If r is a *bufio.Reader, or
// has its methods Peek, Discard and Buffered, it is read through them. From any other reader, a pickle below protocol 4
// is read in very small pieces: wrap a file in a bufio.Reader.
//
// The error is an [*Error]. It wraps io.ErrUnexpectedEOF for a truncated pickle, [ErrLimit] if a limit of d is
// exceeded, a [*KeyError] for a value that cannot be a key, and the errors of r and of the hooks.
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

// DecodeBytes decodes the first pickle in data. It returns its value and the bytes after it, which share the memory of
// data. The value shares no memory with data. If data is empty the error is io.EOF.
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

// limit64 returns the limit that a field sets.
func limit64(field, standard int64) int64 {
	switch {
	case field == 0:
		return standard
	case field < 0:
		return math.MaxInt64
	}
	return field
}

// limitOr is limit64 for an int.
func limitOr(field, standard int) int {
	return int(min(limit64(int64(field), int64(standard)), math.MaxInt))
}
