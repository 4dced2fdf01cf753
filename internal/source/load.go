package source

import (
	"context"
	"reflect"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/par"
)

// Shared returns elements whose bytes are values of T once every width of them is reversed, or as they are if width is
// 1, in C order. They are read into the result, or a part of it that stays in the cache, and reversed there. T has no
// pointers, and every pattern of its bits is a value. It needs a build where bulk.Shares. The result takes the memory of
// dst if that is enough.
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
	if !ok { // the memory is aligned and whole
		panic("source: memory cannot be shared")
	}
	return data, nil
}

// swapper returns what reverses every width of bytes, nil if there is nothing to do.
func swapper(width int) func([]byte) {
	if width <= 1 {
		return nil
	}
	return func(piece []byte) { bulk.Swap(piece, piece, width) }
}

// room returns n values that can hold anything: in dst if there is enough of it.
func room[T any](dst []T, n int) []T {
	if n <= cap(dst) {
		return dst[:n]
	}
	return bulk.MakeFill[T](n)
}

// A Decode function turns the bytes of elements into values: len(dst) of them from all of src. The first is at this
// position in the file, which errors may want to tell. All of dst has to be written: it can hold anything. It is called
// by several goroutines.
type Decode[T any] func(dst []T, src []byte, first int) error

// Load returns the values that decode makes of the elements, in C order. Only a block of the file is held at a time, so
// that it stays in the cache, unless the length of the source is not known and the order has to change. The caller makes
// sure that elements of 0 bytes are not too many. The result takes the memory of dst if that is enough.
func Load[T any](s *Source, dst []T, decode Decode[T]) ([]T, error) {
	l := loader[T]{s: s, decode: decode, size: s.Header.DType.ItemSize()}
	switch n := s.Header.Size(); {
	case !s.InCOrder():
		return l.fortran(dst)
	case l.size == 0:
		data := room(dst, n)
		return data, decode(data, nil, 0)
	case s.at != nil:
		data := room(dst, n)
		return data, l.fromFile(data, 0)
	}
	return l.fromStream(s.Header.Size(), 0)
}

// A loader reads one array as Go values in C order.
type loader[T any] struct {
	s      *Source
	decode Decode[T]    // nil if the bytes are values
	work   func([]byte) // what has to be done to them; nil for nothing
	size   int          // of an element in the file
	buf    []byte       // for convert; nil if it takes its own
}

// fromFile fills data, the elements from position first on, with parts of a large file on several goroutines.
func (l loader[T]) fromFile(data []T, first int) error {
	whole, n := *l.s, int64(len(data))*int64(l.size)
	l.s.pos, l.s.read = l.s.pos+n, l.s.read+n
	l.buf = nil
	return par.Split(context.Background(), len(data), workPiece/l.size+1, len(data)*l.size, func(low, high int) error {
		part, skip := whole, int64(low)*int64(l.size)
		part.pos, part.read = part.pos+skip, part.read+skip
		return l.convert(&part, data[low:high], first+low)
	})
}

// fromStream converts the next n elements, from position first on, of what comes in sequence. The result grows with it
// if nobody knows how much there is.
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

// convert fills dst, the elements from position first on, with what comes next from s.
func (l loader[T]) convert(s *Source, dst []T, first int) error {
	buf := l.buf
	if buf == nil && (s.avail >= 0 || l.size <= workPiece) {
		buf = make([]byte, min(len(dst), max(workPiece/l.size, 1))*l.size)
	}
	for len(dst) > 0 {
		n := max(min(len(dst), len(buf)/l.size), 1)
		var err error
		if buf == nil { // one element is larger than anything that should be allocated before it has arrived
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
