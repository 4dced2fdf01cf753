//go:build !purego

package bulk

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"unsafe"
)

// NewWidening is [NewMoves] for records whose numbers are of another kind than the numbers in the structs. The caller
// must make sure that the structs hold all of them exactly. They can only be loaded.
func NewWidening(at Place, from reflect.Kind, record, start int, strides []int, swap bool) (*Moves, bool) {
	size := kindSize(from)
	m := &Moves{at: at, start: start, record: record, run: size, swap: swap, from: from}
	end := start + size
	if size == 0 {
		panic(fmt.Sprintf("bulk: %v cannot be widened", from))
	}
	for i, a := range at.axes {
		a.src = strides[i]
		if end += (a.n - 1) * a.src; a.n == 0 || a.src < 0 || end > record {
			panic(fmt.Sprintf("bulk: stride %d in a record of %d bytes", a.src, record))
		}
		m.axes = append(m.axes, a)
	}
	if start < 0 || end > record {
		panic(fmt.Sprintf("bulk: numbers from byte %d to %d of a record of %d", start, end, record))
	}
	m.axes = merge(m.axes)
	return m, true
}

// kindSize returns the size in bytes of a number that can be widened, 0 for other kinds.
func kindSize(k reflect.Kind) int {
	switch k {
	case reflect.Int8, reflect.Uint8:
		return 1
	case reflect.Int16, reflect.Uint16:
		return 2
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return 4
	}
	return 0
}

// widen is the kernel for numbers that change their type.
func (m *Moves) widen(dst, src unsafe.Pointer, n, d, s int) {
	switch m.at.leaf.Kind() {
	case reflect.Int16:
		widenTo[int16](m, dst, src, n, d, s)
	case reflect.Int32:
		widenTo[int32](m, dst, src, n, d, s)
	case reflect.Int64:
		widenTo[int64](m, dst, src, n, d, s)
	case reflect.Int:
		widenTo[int](m, dst, src, n, d, s)
	case reflect.Uint:
		widenTo[uint](m, dst, src, n, d, s)
	case reflect.Uint16:
		widenTo[uint16](m, dst, src, n, d, s)
	case reflect.Uint32:
		widenTo[uint32](m, dst, src, n, d, s)
	case reflect.Uint64:
		widenTo[uint64](m, dst, src, n, d, s)
	case reflect.Float32:
		widenTo[float32](m, dst, src, n, d, s)
	case reflect.Float64:
		widenTo[float64](m, dst, src, n, d, s)
	default:
		panic(fmt.Sprintf("bulk: no kind can be widened to %v", m.at.leaf))
	}
}

// widenTo loops over the numbers of one kind in the records. Every access lies within the memory that sides checked.
// Access to D is aligned, because it is a field of a Go struct.
func widenTo[D Real](m *Moves, dst, src unsafe.Pointer, n, d, s int) {
	put := func(i int) *D { return (*D)(unsafe.Add(dst, i*d)) }
	switch m.from {
	case reflect.Int8:
		for i := range n {
			*put(i) = D(*(*int8)(unsafe.Add(src, i*s)))
		}
	case reflect.Uint8:
		for i := range n {
			*put(i) = D(*(*uint8)(unsafe.Add(src, i*s)))
		}
	case reflect.Int16:
		for i := range n {
			*put(i) = D(int16(load16(unsafe.Add(src, i*s), m.swap)))
		}
	case reflect.Uint16:
		for i := range n {
			*put(i) = D(load16(unsafe.Add(src, i*s), m.swap))
		}
	case reflect.Int32:
		for i := range n {
			*put(i) = D(int32(load32(unsafe.Add(src, i*s), m.swap)))
		}
	case reflect.Uint32:
		for i := range n {
			*put(i) = D(load32(unsafe.Add(src, i*s), m.swap))
		}
	case reflect.Float32:
		for i := range n {
			*put(i) = D(math.Float32frombits(load32(unsafe.Add(src, i*s), m.swap)))
		}
	}
}

func load16(p unsafe.Pointer, swap bool) uint16 {
	x := binary.NativeEndian.Uint16((*[2]byte)(p)[:])
	if swap {
		x = bits.ReverseBytes16(x)
	}
	return x
}

func load32(p unsafe.Pointer, swap bool) uint32 {
	x := binary.NativeEndian.Uint32((*[4]byte)(p)[:])
	if swap {
		x = bits.ReverseBytes32(x)
	}
	return x
}
