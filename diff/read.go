package diff

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// raw returns items as numbers: their own memory where possible, else a copy that is valid until the next call.
func raw[T bulk.Number](m *memory, items []byte, size int, swap bool) []T {
	if !swap {
		if xs, ok := bulk.View[T](items); ok {
			return xs
		}
	}
	xs := room[T](m, len(items)/size)
	bulk.Decode(xs, items, swap)
	return xs
}

func room[T any](m *memory, n int) []T {
	xs, _ := m.raw.([]T)
	if len(xs) < n {
		xs = make([]T, max(n, chunkItems))
		m.raw = xs
	}
	return xs[:n]
}

// grow returns a buffer of n numbers and enlarges it if necessary.
func grow[T any](buf *[]T, n int) []T {
	if len(*buf) < n {
		*buf = make([]T, max(n, chunkItems))
	}
	return (*buf)[:n]
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
		return widenAs[uint16](size, swap)
	case size == 2:
		return widenAs[int16](size, swap)
	case size == 4 && unsigned:
		return widenAs[uint32](size, swap)
	case size == 4:
		return widenAs[int32](size, swap)
	}
	return func(m *memory, items []byte) []int64 { return raw[int64](m, items, 8, swap) }
}

func widenAs[T int16 | uint16 | int32 | uint32](size int, swap bool) func(m *memory, items []byte) []int64 {
	return func(m *memory, items []byte) []int64 {
		return widen(m, raw[T](m, items, size, swap), func(x T) int64 { return int64(x) })
	}
}

func widen[T any](m *memory, xs []T, value func(T) int64) []int64 {
	out := grow(&m.ints, len(xs))
	for i, x := range xs {
		out[i] = value(x)
	}
	return out
}

// floatsOf returns the function that reads real numbers that are exact in float64.
func floatsOf(t dtype.Type) func(m *memory, items []byte) []float64 {
	if isInteger(elem.KindOf(t)) {
		read := intsOf(t)
		return func(m *memory, items []byte) []float64 {
			return float(m, read(m, items), func(x int64) float64 { return float64(x) })
		}
	}
	return partsOf(t, t.ItemSize())
}

// partsOf returns the function that reads floats of size bytes. A complex number counts as two floats.
func partsOf(t dtype.Type, size int) func(m *memory, items []byte) []float64 {
	swap := !t.IsNative()
	switch {
	case size == 8:
		return func(m *memory, items []byte) []float64 { return raw[float64](m, items, size, swap) }
	case size == 4:
		return func(m *memory, items []byte) []float64 {
			return float(m, raw[float32](m, items, size, swap), func(x float32) float64 { return float64(x) })
		}
	case size == 2:
		value := half(t)
		return func(m *memory, items []byte) []float64 { return float(m, raw[uint16](m, items, size, swap), value) }
	}
	f, _ := elem.SmallFloatOf(t)
	return func(m *memory, items []byte) []float64 {
		return float(m, items, func(x uint8) float64 { return float64(f.Value(x)) })
	}
}

// half returns the function that converts a 16-bit float of t, or one part of a complex t.
func half(t dtype.Type) func(x uint16) float64 {
	if t.Kind() == dtype.KindVoid {
		return func(x uint16) float64 { return scalar.BFloat16(x).Float64() }
	}
	return func(x uint16) float64 { return scalar.Float16(x).Float64() }
}

func float[T any](m *memory, xs []T, value func(T) float64) []float64 {
	out := grow(&m.floats, len(xs))
	for i, x := range xs {
		out[i] = value(x)
	}
	return out
}

// complexesOf returns the function that reads complex numbers as alternating parts, or real numbers as they are.
func complexesOf(t dtype.Type) func(m *memory, items []byte) []float64 {
	if elem.KindOf(t) == dtype.KindComplex {
		return partsOf(t, t.ItemSize()/2)
	}
	read := floatsOf(t)
	return func(m *memory, items []byte) []float64 {
		xs := read(m, items)
		out := grow(&m.complex, 2*len(xs))
		for i, x := range xs {
			out[2*i], out[2*i+1] = x, 0
		}
		return out
	}
}
