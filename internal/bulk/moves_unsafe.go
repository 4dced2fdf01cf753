//go:build !purego

package bulk

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"reflect"
	"unsafe"
)

// element returns the address of the value at p in the element with this index, which the caller has checked.
func (p Place) element(s reflect.Value, first int) unsafe.Pointer {
	// The slice keeps its memory alive; the caller keeps the slice.
	return unsafe.Add(s.UnsafePointer(), first*int(p.root.Size())+p.offset)
}

func scatter[E any](s reflect.Value, first, n int, at Place, values []E) {
	if len(values) == 0 || at.root.Size() == 0 {
		return
	}
	base, step := at.element(s, first), int(at.root.Size())
	each(at.axes, 0, 0, func(offset, k, count int) {
		for i := range n {
			// A Place lies within its type and n was checked, so this is a value of E in the memory of s. The memory
			// was allocated with that type, so the garbage collector knows the pointers in E.
			*(*E)(unsafe.Add(base, i*step+offset)) = values[i*count+k]
		}
	})
}

func gather[E any](values []E, s reflect.Value, first, n int, at Place) {
	if len(values) == 0 || at.root.Size() == 0 {
		return
	}
	base, step := at.element(s, first), int(at.root.Size())
	each(at.axes, 0, 0, func(offset, k, count int) {
		for i := range n {
			values[i*count+k] = *(*E)(unsafe.Add(base, i*step+offset)) // as in scatter
		}
	})
}

// each calls f for every position along the axes, with its offset in bytes, its number in C order, and the number of
// positions.
func each(axes []axis, offset, k int, f func(offset, k, count int)) {
	count := 1
	for _, a := range axes {
		count *= a.n
	}
	var visit func(axes []axis, offset, k int)
	visit = func(axes []axis, offset, k int) {
		if len(axes) == 0 {
			f(offset, k, count)
			return
		}
		for i := range axes[0].n {
			visit(axes[1:], offset+i*axes[0].dst, k*axes[0].n+i)
		}
	}
	visit(axes, offset, k)
}

// Moves copies numbers between records of bytes and the elements of a slice of structs, and reverses their bytes if
// swap is set.
type Moves struct {
	at     Place
	start  int    // in a record
	record int    // bytes
	axes   []axis // dst in structs, src in records
	run    int    // bytes moved at a time
	swap   bool
	from   reflect.Kind // of the numbers in records if they are widened
}

// NewMoves prepares copies between a place in structs and a record of the given size. The numbers begin at start in the
// record; for arrays, strides are the steps from there in bytes. The numbers are native or, if swap is set, in the
// other byte order. It reports false if the memory of structs is not accessible; [Scatter] and [Gather] work
// everywhere.
func NewMoves(at Place, record, start int, strides []int, swap bool) (*Moves, bool) {
	size := int(at.leaf.Size())
	if len(strides) != len(at.axes) {
		panic(fmt.Sprintf("bulk: %d strides for %d arrays", len(strides), len(at.axes)))
	}
	if at.Count() == 0 {
		return &Moves{at: at, record: record}, true
	}
	end := start + size
	var axes []axis
	for i, a := range at.axes {
		a.src = strides[i]
		if end += (a.n - 1) * a.src; a.src < 0 || end > record {
			panic(fmt.Sprintf("bulk: stride %d in a record of %d bytes", a.src, record))
		}
		if a.n > 1 {
			axes = append(axes, a)
		}
	}
	if start < 0 || end > record {
		panic(fmt.Sprintf("bulk: numbers from byte %d to %d of a record of %d", start, end, record))
	}
	width := numberWidth(at.leaf)
	if swap && width != size {
		axes = append(axes, axis{size / width, width, width}) // the halves of a complex number
		size = width
	}
	axes = merge(axes)
	m := &Moves{at: at, start: start, record: record, axes: axes, run: size, swap: swap && width > 1}
	if last := len(axes) - 1; last >= 0 && !m.swap && axes[last].dst == size && axes[last].src == size {
		m.run, m.axes = size*axes[last].n, axes[:last]
	}
	return m, true
}

// numberWidth returns the number of bytes that a byte order reverses together. It panics if t is not a number.
func numberWidth(t reflect.Type) int {
	switch NumberKind(t) {
	case reflect.Invalid:
		panic(fmt.Sprintf("bulk: %v is not a number", t))
	case reflect.Complex64, reflect.Complex128:
		return int(t.Size()) / 2
	}
	return int(t.Size())
}

// Load stores the numbers of n records in n elements of s from first on.
func (m *Moves) Load(s reflect.Value, first, n int, records []byte) {
	if dst, src, ok := m.sides(s, first, n, records); ok {
		m.walk(m.axes, n, dst, src, int(m.at.root.Size()), m.record, func(a axis) (int, int) { return a.dst, a.src })
	}
}

// Store is the reverse of Load. Bytes between the numbers in the records are unchanged.
func (m *Moves) Store(records []byte, s reflect.Value, first, n int) {
	if src, dst, ok := m.sides(s, first, n, records); ok {
		m.walk(m.axes, n, dst, src, m.record, int(m.at.root.Size()), func(a axis) (int, int) { return a.src, a.dst })
	}
}

// sides returns the addresses of the first number in the structs and in the records. The place is within its type,
// start and strides are within a record, and both sides have n elements: so every number is within its memory.
func (m *Moves) sides(s reflect.Value, first, n int, records []byte) (structs, bytes unsafe.Pointer, ok bool) {
	m.at.check(s, first, n, n*m.at.Count(), m.at.leaf)
	if len(records) < n*m.record {
		panic(fmt.Sprintf("bulk: %d bytes for %d records of %d", len(records), n, m.record))
	}
	if n == 0 || m.at.Count() == 0 {
		return nil, nil, false
	}
	return m.at.element(s, first), unsafe.Pointer(&records[m.start]), true
}

// walk moves the numbers of n elements. It loops over all positions, except for the longer of the last axis and the
// elements, which it leaves to a kernel.
func (m *Moves) walk(axes []axis, n int, dst, src unsafe.Pointer, d, s int, steps func(axis) (int, int)) {
	if len(axes) == 0 {
		m.move(dst, src, n, d, s)
		return
	}
	outer, dx, sx := axes[0].n, 0, 0
	dx, sx = steps(axes[0])
	if len(axes) == 1 && outer > n {
		for i := range n {
			m.move(unsafe.Add(dst, i*d), unsafe.Add(src, i*s), outer, dx, sx)
		}
		return
	}
	for i := range outer {
		m.walk(axes[1:], n, unsafe.Add(dst, i*dx), unsafe.Add(src, i*sx), d, s, steps)
	}
}

// move is the kernel. Numbers are moved as arrays of bytes, which may lie at any address; the compiler turns them into
// single instructions where the machine can.
func (m *Moves) move(dst, src unsafe.Pointer, n, d, s int) {
	if m.from != reflect.Invalid {
		m.widen(dst, src, n, d, s)
		return
	}
	if m.swap {
		moveSwap(dst, src, n, d, s, m.run)
		return
	}
	switch m.run {
	case 1:
		moveAs[[1]byte](dst, src, n, d, s)
	case 2:
		moveAs[[2]byte](dst, src, n, d, s)
	case 4:
		moveAs[[4]byte](dst, src, n, d, s)
	case 8:
		moveAs[[8]byte](dst, src, n, d, s)
	case 16:
		moveAs[[16]byte](dst, src, n, d, s)
	default:
		for i := range n {
			// sides has checked that both runs lie within their memory.
			copy(unsafe.Slice((*byte)(unsafe.Add(dst, i*d)), m.run), unsafe.Slice((*byte)(unsafe.Add(src, i*s)), m.run))
		}
	}
}

// moveAs copies n values, d and s bytes apart. The callers have checked that they lie within the memory of both sides.
func moveAs[B any](dst, src unsafe.Pointer, n, d, s int) {
	to, from := 0, 0
	for range n {
		*(*B)(unsafe.Add(dst, to)) = *(*B)(unsafe.Add(src, from))
		to, from = to+d, from+s
	}
}

// moveSwap reverses the bytes of each number. Every access lies within the memory that sides checked.
func moveSwap(dst, src unsafe.Pointer, n, d, s, width int) {
	switch width {
	case 2:
		for i := range n {
			x := binary.NativeEndian.Uint16((*[2]byte)(unsafe.Add(src, i*s))[:])
			binary.NativeEndian.PutUint16((*[2]byte)(unsafe.Add(dst, i*d))[:], bits.ReverseBytes16(x))
		}
	case 4:
		for i := range n {
			x := binary.NativeEndian.Uint32((*[4]byte)(unsafe.Add(src, i*s))[:])
			binary.NativeEndian.PutUint32((*[4]byte)(unsafe.Add(dst, i*d))[:], bits.ReverseBytes32(x))
		}
	case 8:
		for i := range n {
			x := binary.NativeEndian.Uint64((*[8]byte)(unsafe.Add(src, i*s))[:])
			binary.NativeEndian.PutUint64((*[8]byte)(unsafe.Add(dst, i*d))[:], bits.ReverseBytes64(x))
		}
	}
}
