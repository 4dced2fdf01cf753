package items

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// TopBit is the sign of a number of 64 bits.
const TopBit = 1 << 63

// IsFinite reports whether x is neither NaN nor an infinity.
func IsFinite(x float64) bool { return x-x == 0 }

// HasTicks reports whether items of t are times.
func HasTicks(t dtype.Type) bool {
	return t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta
}

// TimeText returns the text of a time.
func TimeText(t dtype.Type, ticks int64) string {
	if t.Kind() == dtype.KindDatetime {
		return scalar.Datetime64{Ticks: ticks}.Format(t.Step())
	}
	return scalar.Timedelta64{Ticks: ticks}.Format(t.Step())
}

// An Int is a number that items are stored as.
type Int interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// A Reader returns items as numbers, which are valid until the next call with the same memory.
type Reader[T Int] func(s *Scratch, items []byte) []T

// View returns the reader of items that are stored as numbers, in the byte order of the machine or the other.
func View[T Int](swap bool) Reader[T] {
	return func(s *Scratch, items []byte) []T { return codec.View[T](&s.Numbers, items, swap) }
}

// SmallInts returns the reader of integers narrower than a byte.
func SmallInts(n elem.SmallInt) Reader[int8] {
	return func(s *Scratch, items []byte) []int8 {
		xs := codec.Take[int8](&s.Numbers, len(items))
		for i, x := range items {
			xs[i] = n.Value(x)
		}
		return xs
	}
}

// Bools returns bools as 0 and 1.
func Bools(s *Scratch, items []byte) []int8 {
	xs := codec.Take[int8](&s.Numbers, len(items))
	for i, x := range items {
		xs[i] = int8(min(x, 1))
	}
	return xs
}

// Int64s returns the reader of integers, bools and times as int64. The bits of uint64 stay as they are.
func Int64s(t dtype.Type) Reader[int64] {
	if n, ok := elem.SmallIntOf(t); ok {
		return widened(SmallInts(n))
	}
	swap, signed := !t.IsNative(), t.Kind() != dtype.KindUint
	switch size := t.ItemSize(); {
	case t.Kind() == dtype.KindBool:
		return func(s *Scratch, items []byte) []int64 {
			xs := codec.Grow(&s.ints, len(items))
			for i, x := range items {
				xs[i] = int64(min(x, 1))
			}
			return xs
		}
	case size == 1 && signed:
		return widened(View[int8](swap))
	case size == 1:
		return widened(View[uint8](swap))
	case size == 2 && signed:
		return widened(View[int16](swap))
	case size == 2:
		return widened(View[uint16](swap))
	case size == 4 && signed:
		return widened(View[int32](swap))
	case size == 4:
		return widened(View[uint32](swap))
	}
	return View[int64](swap)
}

func widened[T Int](read Reader[T]) Reader[int64] {
	return func(s *Scratch, items []byte) []int64 {
		xs := read(s, items)
		out := codec.Grow(&s.ints, len(xs))
		for i, x := range xs {
			out[i] = int64(x)
		}
		return out
	}
}
