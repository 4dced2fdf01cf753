package source

import (
	"reflect"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
)

// Shared returns the elements in C order as values of T, after reversing each group of width bytes; width 1 means no
// reversal. The elements are read directly into the result, or into a buffer that stays in the cache, and reversed
// there. T must not contain pointers, and every bit pattern must be a valid value. The build must have bulk.Shares. The
// result uses the memory of dst if its capacity suffices.
func Shared[T any](s *Source, dst []T, width int) ([]T, error) {
	work := swapper(width)
	if !s.InCOrder() {
		l := loader[T]{s: s, work: work, size: s.Header.DType.ItemSize()}
		return l.fortran(dst)
	}
	if n := s.Header.Size(); s.avail >= 0 && n <= cap(dst) {
		raw, _ := bulk.Bytes(dst[:n])
		return dst[:n], s.fill(raw, work)
	}
	raw, err := s.bytes(int(s.Header.NBytes()), work)
	if err != nil {
		return nil, err
	}
	data, ok := bulk.View[T](raw)
	if !ok { // cannot happen: the memory is aligned, and its length a multiple of the item size
		panic("source: memory cannot be shared")
	}
	return data, nil
}

// swapper returns a function that reverses each group of width bytes, nil for width 1.
func swapper(width int) func([]byte) {
	if width <= 1 {
		return nil
	}
	return func(piece []byte) { bulk.Swap(piece, piece, width) }
}

// A Decode function converts src to the values dst. src has the bytes of exactly len(dst) elements; first is the
// position of the first element in the file, for errors. The function must set every value of dst, whose contents are
// undefined. Several goroutines call it.
type Decode[T any] func(dst []T, src []byte, first int) error

// Load returns the elements in C order, converted by decode. It buffers only a block of the file at a time, so that the
// block stays in the cache, unless the length of the source is unknown and the order must change. The caller must limit
// the number of elements of 0 bytes. The result uses the memory of dst if its capacity suffices.
func Load[T any](s *Source, dst []T, decode Decode[T]) ([]T, error) {
	l := loader[T]{s: s, decode: decode, size: s.Header.DType.ItemSize()}
	switch n := s.Header.Size(); {
	case !s.InCOrder():
		return l.fortran(dst)
	case l.size == 0:
		data := bulk.Reuse(dst, n)
		return data, decode(data, nil, 0)
	case s.at != nil:
		data := bulk.Reuse(dst, n)
		return data, l.fromFile(data, 0)
	}
	return l.fromStream(s.Header.Size(), 0)
}

// A loader reads one array as Go values in C order.
type loader[T any] struct {
	s      *Source
	decode Decode[T]    // nil if the bytes are the values
	work   func([]byte) // applied to the bytes; nil for none
	size   int          // of an element in the file
	buf    []byte       // for convert; nil if it allocates its own
}

// fromFile fills data with the elements from position first on. It reads parts of a large file on several goroutines.
func (l loader[T]) fromFile(data []T, first int) error {
	whole, n := *l.s, int64(len(data))*int64(l.size)
	l.s.pos, l.s.read = l.s.pos+n, l.s.read+n
	l.buf = nil
	return l.s.split(len(data), workPiece/l.size+1, len(data)*l.size, func(low, high int) error {
		part, skip := whole, int64(low)*int64(l.size)
		part.pos, part.read = part.pos+skip, part.read+skip
		return l.convert(&part, data[low:high], first+low)
	})
}

// fromStream converts the next n elements of a sequential source, from position first on. If the length of the source
// is unknown, the result grows with the data that arrives.
func (l loader[T]) fromStream(n, first int) ([]T, error) {
	sizes := []int{n}
	if l.s.avail < 0 {
		largest := max(l.size, int(reflect.TypeFor[T]().Size()), 64)
		sizes = bounded.Sizes(n, max(bounded.First/largest, 1))
	}
	var data []T
	have := 0
	for _, size := range sizes {
		grown := bulk.MakeFill[T](size)
		copy(grown, data[:have])
		data = grown
		if err := l.convert(l.s, data[have:], first+have); err != nil {
			return nil, err
		}
		have = size
	}
	return data, nil
}

// convert fills dst with the next elements of s, from position first on.
func (l loader[T]) convert(s *Source, dst []T, first int) error {
	buf := l.buf
	if buf == nil && (s.avail >= 0 || l.size <= workPiece) {
		buf = make([]byte, min(len(dst), max(workPiece/l.size, 1))*l.size)
	}
	for len(dst) > 0 {
		n := max(min(len(dst), len(buf)/l.size), 1)
		var err error
		if buf == nil { // one element is larger than may be allocated before its data has arrived
			buf, err = s.bytes(l.size, nil)
		} else {
			err = s.fill(buf[:n*l.size], nil)
		}
		if err != nil {
			return err
		}
		if err := l.decode(dst[:n], buf[:n*l.size], first); err != nil {
			return err
		}
		dst, first = dst[n:], first+n
	}
	return nil
}
