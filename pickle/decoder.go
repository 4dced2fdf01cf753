package pickle

import (
	"math"

	"github.com/npygo/npy/internal/bounded"
)

// A Decoder reads pickles with hooks and limits. The zero Decoder has no hooks and the default limits, and is safe for
// untrusted pickles. In each limit, 0 means the default and a negative number means no limit. Several goroutines may
// use a Decoder if its hooks allow it.
type Decoder struct {
	// Encoding is the encoding of a str of Python 2, or Bytes. Python 3 does not write such strs.
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

	// MaxNodes limits the number of values, 67,108,864 by default. A value taken from the memo counts each time, and a
	// mark counts as a value.
	MaxNodes int

	// Compressed, if not nil, returns the number of compressed bytes that have been read, of a pickle that is decompressed.
	// A few kilobytes decompress to many millions of values, so the defaults of MaxNodes and MaxMemo become 8 values for
	// each compressed byte, and 4,194,304 for a short pickle.
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

// An Encoding says how a str of Python 2, which is bytes that may be text, is decoded.
type Encoding uint8

const (
	// ASCII makes it a string. Other characters are an error, as in Python, unless the str is used as bytes: by a class
	// that this package or [Decoder.Construct] knows, through [RawBytes].
	ASCII Encoding = iota
	// Latin1 makes it a string, one character for each byte.
	Latin1
	// Bytes makes it a []byte.
	Bytes
)

// A StateSetter is a value made by [Decoder.Construct] that takes a state, as objects with __setstate__ do.
type StateSetter interface {
	// SetState is called with the state of the object. It may keep it.
	SetState(state any) error
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

// maxDigits returns the limit of MaxDigits.
func (d *Decoder) maxDigits() int { return limitOr(d.MaxDigits, 100_000) }

// limitOr is limit64 for an int.
func limitOr(field, standard int) int {
	return int(min(limit64(int64(field), int64(standard)), math.MaxInt))
}

// maxValues is the default of MaxNodes and MaxMemo.
const maxValues = 64 << 20

// most returns the limit that MaxNodes or MaxMemo sets, as far as is known by now.
func (d *Decoder) most(field int) int {
	if field == 0 && d.Compressed != nil {
		return bounded.Values(d.Compressed(), maxValues)
	}
	return limitOr(field, maxValues)
}
