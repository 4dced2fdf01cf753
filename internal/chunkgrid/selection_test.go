package chunkgrid

import (
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// The chunks that a selection touches have each of its elements once, at the place in the chunk where it is.
func FuzzSelection(f *testing.F) {
	f.Add(uint16(20), uint16(7), uint8(3), uint8(2), int8(3), int8(-2), uint8(1), uint8(0), uint8(19), uint8(7))
	f.Add(uint16(1), uint16(9), uint8(1), uint8(30), int8(1), int8(-9), uint8(0), uint8(0), uint8(1), uint8(9))
	f.Fuzz(func(t *testing.T, n0, n1 uint16, c0, c1 uint8, s0, s1 int8, a0, a1, b0, b1 uint8) {
		dims := []int{int(n0%300) + 1, int(n1%300) + 1}
		chunk := []int{int(c0) + 1, int(c1) + 1}
		index := func(n int, step int8, a, b uint8) npy.Index {
			if step == 0 {
				return npy.At(int(a) % n)
			}
			if step < 0 {
				return npy.Span(max(int(a), int(b))%n, min(int(a), int(b))%n).By(int(step))
			}
			return npy.Span(min(int(a), int(b)), max(int(a), int(b))).By(int(step))
		}
		const item = 2
		h := format.Header{DType: dtype.Uint16, Shape: dims}
		p, err := npy.SelectionOf(h, index(dims[0], s0, a0, b0), index(dims[1], s1, a1, b1))
		if err != nil {
			t.Fatal(err)
		}
		size := format.Header{DType: p.DType(), Shape: p.Shape()}.Size()
		if size == 0 {
			return
		}
		s := selectionOf(p, dims, chunk, item)
		counts := []int{s.axes[0].count(), s.axes[1].count()}
		strides, chunkStrides := make([]int, len(s.shape)), []int{chunk[1] * item, item}
		for i, step := len(strides)-1, item; i >= 0; i-- {
			strides[i], step = step, step*s.shape[i]
		}
		found := make([]int, size) // the number of the element in the dataset, plus 1
		x := inChunk{make([]int, 2), make([]int, 2), make([]int, 2)}
		for i := range counts[0] * counts[1] {
			s.touched(i, counts, &x)
			y := inChunk{slices.Clone(x.grid), make([]int, 2), make([]int, 2)}
			if !s.inGrid(&y) || !slices.Equal(x.low, y.low) || !slices.Equal(x.high, y.high) || s.ordinal(&x) != i {
				t.Fatalf("chunk %d of %+v is %+v and %+v, and number %d", i, s, x, y, s.ordinal(&x))
			}
			from, to := s.places(&x, chunkStrides, strides)
			walk(from.Shape, func(at []int) {
				a, b := from.Offset, to.Offset
				for k, v := range at {
					a, b = a+v*from.Strides[k], b+v*to.Strides[k]
				}
				row, col := x.grid[0]*chunk[0]+a/chunkStrides[0], x.grid[1]*chunk[1]+a%chunkStrides[0]/item
				if a < 0 || a >= chunk[0]*chunkStrides[0] || row >= dims[0] || col >= dims[1] || found[b/item] != 0 {
					t.Fatalf("an element at byte %d of chunk %v goes to byte %d", a, x.grid, b)
				}
				found[b/item] = row*dims[1] + col + 1
			})
		}
		i := 0
		walk(p.Shape(), func(at []int) {
			place := int(p.Offset())
			for k, v := range at {
				place += v * p.Strides()[k]
			}
			if found[i] != place/item+1 {
				t.Fatalf("element %v of the selection is number %d, want %d", at, found[i]-1, place/item)
			}
			i++
		})
	})
}

// walk visits all positions of a shape in C order.
func walk(shape []int, visit func(at []int)) {
	at := make([]int, len(shape))
	for {
		visit(at)
		i := len(shape) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < shape[i] {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return
		}
	}
}
