package diff

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
)

func isInteger(k dtype.Kind) bool {
	return k == dtype.KindBool || k == dtype.KindInt || k == dtype.KindUint
}

func isNumber(k dtype.Kind) bool {
	return isInteger(k) || k == dtype.KindFloat || k == dtype.KindComplex
}

// A memory holds the buffers of a goroutine for one of the two arrays.
type memory struct {
	items   []byte // of a field, contiguous
	numbers codec.Buffer
	text    []byte // text in native byte order
	ints    []int64
	complex []float64 // alternating real and imaginary parts
}

// intsOf returns the function that reads integers or bools. uint64 values keep their bits.
func intsOf(t dtype.Type) func(m *memory, items []byte) []int64 {
	swap, unsigned := !t.IsNative(), t.Kind() == dtype.KindUint
	if n, ok := elem.SmallIntOf(t); ok {
		return func(m *memory, items []byte) []int64 {
			return widen(m, items, func(x uint8) int64 { return int64(n.Value(x)) })
		}
	}
	switch size := t.ItemSize(); {
	case t.Kind() == dtype.KindBool:
		return func(m *memory, items []byte) []int64 {
			return widen(m, items, func(x uint8) int64 { return int64(min(x, 1)) })
		}
	case size == 1 && unsigned:
		return func(m *memory, items []byte) []int64 { return widen(m, items, func(x uint8) int64 { return int64(x) }) }
	case size == 1:
		return func(m *memory, items []byte) []int64 {
			return widen(m, items, func(x uint8) int64 { return int64(int8(x)) })
		}
	case size == 2 && unsigned:
		return widenAs[uint16](swap)
	case size == 2:
		return widenAs[int16](swap)
	case size == 4 && unsigned:
		return widenAs[uint32](swap)
	case size == 4:
		return widenAs[int32](swap)
	}
	return func(m *memory, items []byte) []int64 { return codec.View[int64](&m.numbers, items, swap) }
}

func widenAs[T int16 | uint16 | int32 | uint32](swap bool) func(m *memory, items []byte) []int64 {
	return func(m *memory, items []byte) []int64 {
		return widen(m, codec.View[T](&m.numbers, items, swap), func(x T) int64 { return int64(x) })
	}
}

func widen[T any](m *memory, xs []T, value func(T) int64) []int64 {
	out := codec.Grow(&m.ints, len(xs))
	for i, x := range xs {
		out[i] = value(x)
	}
	return out
}

// complexesOf returns the function that reads complex numbers as alternating parts, or real numbers as they are.
func complexesOf(t dtype.Type) func(m *memory, items []byte) []float64 {
	if elem.KindOf(t) == dtype.KindComplex {
		read := codec.FloatsOf(t, t.ItemSize()/2)
		return func(m *memory, items []byte) []float64 { return read(&m.numbers, items) }
	}
	read := codec.RealsOf(t)
	return func(m *memory, items []byte) []float64 {
		xs := read(&m.numbers, items)
		out := codec.Grow(&m.complex, 2*len(xs))
		for i, x := range xs {
			out[2*i], out[2*i+1] = x, 0
		}
		return out
	}
}
