package codec

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// A Buffer holds the numbers that one goroutine works on. Its contents are valid until the next read.
type Buffer struct {
	numbers any // a slice of the type that was read last
	floats  []float64
}

// bufferMin is the least number of items that a buffer has memory for.
const bufferMin = 2048

// Reals reads items as float64. The result is valid until the next read with the same Buffer.
type Reals func(b *Buffer, items []byte) []float64

// View returns items as numbers: their own memory where possible, else a copy.
func View[T bulk.Number](b *Buffer, items []byte, swap bool) []T {
	if !swap {
		if xs, ok := bulk.View[T](items); ok {
			return xs
		}
	}
	xs := Take[T](b, len(items)/sizeOf[T]())
	bulk.Decode(xs, items, swap)
	return xs
}

// Take returns the memory of b for n numbers.
func Take[T any](b *Buffer, n int) []T {
	xs, _ := b.numbers.([]T)
	if len(xs) < n {
		xs = make([]T, max(n, bufferMin))
		b.numbers = xs
	}
	return xs[:n]
}

// Grow returns the first n elements of buf, which it enlarges if necessary.
func Grow[T any](buf *[]T, n int) []T {
	if len(*buf) < n {
		*buf = make([]T, max(n, bufferMin))
	}
	return (*buf)[:n]
}

func sizeOf[T bulk.Number]() int {
	switch any(*new(T)).(type) {
	case int8, uint8:
		return 1
	case int16, uint16:
		return 2
	case int32, uint32, float32:
		return 4
	}
	return 8
}

// convert converts xs into the floats of b.
func convert[T any](b *Buffer, xs []T, float func(T) float64) []float64 {
	out := Grow(&b.floats, len(xs))
	for i, x := range xs {
		out[i] = float(x)
	}
	return out
}

// RealsOf returns the reader of items of t, rounded to float64, or nil if they are not real numbers or bools.
func RealsOf(t dtype.Type) Reals {
	swap := !t.IsNative()
	if n, ok := elem.SmallIntOf(t); ok {
		return func(b *Buffer, items []byte) []float64 {
			return convert(b, items, func(x uint8) float64 { return float64(n.Value(x)) })
		}
	}
	switch elem.KindOf(t) {
	case dtype.KindFloat:
		return FloatsOf(t, t.ItemSize())
	case dtype.KindBool:
		return func(b *Buffer, items []byte) []float64 {
			return convert(b, items, func(x uint8) float64 { return float64(min(x, 1)) })
		}
	case dtype.KindInt:
		switch t.ItemSize() {
		case 1:
			return intReals[int8](swap)
		case 2:
			return intReals[int16](swap)
		case 4:
			return intReals[int32](swap)
		}
		return intReals[int64](swap)
	case dtype.KindUint:
		switch t.ItemSize() {
		case 1:
			return intReals[uint8](swap)
		case 2:
			return intReals[uint16](swap)
		case 4:
			return intReals[uint32](swap)
		}
		return intReals[uint64](swap)
	}
	return nil
}

func intReals[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](swap bool) Reals {
	return func(b *Buffer, items []byte) []float64 {
		return convert(b, View[T](b, items, swap), func(x T) float64 { return float64(x) })
	}
}

// FloatsOf returns the reader of the floats of size bytes in items of t, rounded to float64. A complex number is two.
func FloatsOf(t dtype.Type, size int) Reals {
	swap, big := !t.IsNative(), t.ByteOrder() == dtype.BigEndian
	switch {
	case size == 8:
		return func(b *Buffer, items []byte) []float64 { return View[float64](b, items, swap) }
	case size == 4:
		return func(b *Buffer, items []byte) []float64 {
			return convert(b, View[float32](b, items, swap), func(x float32) float64 { return float64(x) })
		}
	case size == 2 && t.Kind() == dtype.KindVoid:
		return func(b *Buffer, items []byte) []float64 {
			return convert(b, View[uint16](b, items, swap), func(x uint16) float64 { return float64(math.Float32frombits(uint32(x) << 16)) })
		}
	case size == 2:
		return func(b *Buffer, items []byte) []float64 { return convert(b, View[uint16](b, items, swap), float16) }
	case size == 1:
		f, _ := elem.SmallFloatOf(t)
		return func(b *Buffer, items []byte) []float64 {
			return convert(b, items, func(x uint8) float64 { return float64(f.Value(x)) })
		}
	}
	return func(b *Buffer, items []byte) []float64 { return longDoubles(b, items, size, big) }
}

// float16 is scalar.Float16.Float64, but fast for finite numbers: the bits of a float16, moved to their place in a
// float32, are the same number times 2**-112, subnormal numbers included.
func float16(x uint16) float64 {
	const infinity = 0x7c00
	if x&infinity == infinity {
		return scalar.Float16{Bits: x}.Float64()
	}
	return float64(math.Float32frombits(uint32(x&0x8000)<<16|uint32(x&0x7fff)<<13)) * 0x1p112
}

func longDoubles(b *Buffer, items []byte, size int, big bool) []float64 {
	out := Grow(&b.floats, len(items)/size)
	for i := range out {
		x, err := scalar.LongDoubleFromBytes(items[i*size:(i+1)*size], big)
		if err != nil {
			out[i] = math.NaN() // unreachable: dtype and scalar use the same sizes
			continue
		}
		out[i], _ = x.Float64()
	}
	return out
}
