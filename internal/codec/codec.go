// Package codec turns the bytes of elements into Go values and back. Each function returns the decoder or encoder of one
// Go type for one dtype, or nil if the type cannot hold every value of the dtype.
//
//	elements.go the table of the Go types: dtype, decoder and encoder of each; named types
//	numbers.go  integers and floats, widened where the Go type is wider; complex.go the same for complex numbers
//	text.go     str and bytes
//	long.go     the long doubles of x86, and binary128
//	reals.go    real numbers rounded to float64, in the memory of a goroutine
//	times.go    time.Duration
//
// Decoders and encoders may be used by several goroutines.
package codec

import (
	"fmt"

	"github.com/npygo/npy/internal/bulk"
)

// A Decoder reads len(dst) elements from the start of src. An error names the element by its position in dst, as an
// [*ElementError].
type Decoder[T any] func(dst []T, src []byte) error

// An Encoder writes all elements of src to the start of dst. Errors are as for a [Decoder].
type Encoder[T any] func(dst []byte, src []T) error

// Chunk is the number of elements that are converted at a time through a buffer. They stay in the first-level cache.
const Chunk = 1024

// An ElementError reports an element that cannot be converted, and why.
type ElementError struct {
	Index int // in C order
	Err   error
}

func (e *ElementError) Error() string { return "npy: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *ElementError) Fault(_ string) string { return fmt.Sprintf("element %d: %v", e.Index, e.Err) }
func (e *ElementError) Unwrap() error         { return e.Err }

// Count returns err with before added to the index of its element, if err names one. It turns the error of a block
// into the error of the whole. It changes err.
func Count(err error, before int) error {
	if e, ok := err.(*ElementError); ok {
		e.Index += before
	}
	return err
}

// Exact returns the decoder of numbers that already have the Go type, but perhaps not the byte order.
func Exact[S bulk.Number](swap bool) Decoder[S] {
	return func(dst []S, src []byte) error { bulk.Decode(dst, src, swap); return nil }
}

// Each returns a decoder that reads numbers of type S and converts them one by one.
func Each[T any, S bulk.Number](swap bool, convert func(S) T) Decoder[T] {
	return viaBuffer(swap, func(dst []T, src []S) {
		for i, x := range src {
			dst[i] = convert(x)
		}
	})
}

// viaBuffer returns a decoder that reads numbers of type S, a chunk at a time, and converts the chunk.
func viaBuffer[T any, S bulk.Number](swap bool, convert func([]T, []S)) Decoder[T] {
	return func(dst []T, src []byte) error {
		buf := make([]S, min(Chunk, len(dst)))
		for len(dst) > 0 {
			n := min(len(buf), len(dst))
			size := len(src) / len(dst) * n
			bulk.Decode(buf[:n], src[:size], swap)
			convert(dst[:n], buf[:n])
			dst, src = dst[n:], src[size:]
		}
		return nil
	}
}

// words returns the decoder of structs of one number. from makes them where memory cannot be seen as numbers.
func words[E any, S bulk.Number](swap bool, from func(S) E) Decoder[E] {
	each := Each(swap, from)
	return func(dst []E, src []byte) error {
		if numbers, ok := bulk.Recast[S](dst); ok {
			bulk.Decode(numbers, src, swap)
			return nil
		}
		return each(dst, src)
	}
}

// putWords is the reverse of words.
func putWords[E any, S bulk.Number](swap bool, to func(E) S) Encoder[E] {
	each := PutEach(swap, to)
	return func(dst []byte, src []E) error {
		if numbers, ok := bulk.Recast[S](src); ok {
			bulk.Encode(dst, numbers, swap)
			return nil
		}
		return each(dst, src)
	}
}

// Put returns the encoder of numbers, which changes at most their byte order.
func Put[T bulk.Number](swap bool) Encoder[T] {
	return func(dst []byte, src []T) error { bulk.Encode(dst, src, swap); return nil }
}

// PutEach returns an encoder that converts values to numbers of type S one by one and writes these.
func PutEach[T any, S bulk.Number](swap bool, bits func(T) S) Encoder[T] {
	return func(dst []byte, src []T) error {
		buf := make([]S, min(Chunk, len(src)))
		for len(src) > 0 {
			n := min(len(buf), len(src))
			size := len(dst) / len(src) * n
			for i, x := range src[:n] {
				buf[i] = bits(x)
			}
			bulk.Encode(dst[:size], buf[:n], swap)
			dst, src = dst[size:], src[n:]
		}
		return nil
	}
}

// PutBools is the encoder of bools: one byte each, 0 or 1.
func PutBools(dst []byte, src []bool) error { bulk.PutBools(dst, src); return nil }
