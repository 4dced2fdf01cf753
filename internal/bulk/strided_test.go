package bulk

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A layout is one side of a strided copy: where the elements of an array lie in a slice of n elements.
type layout struct {
	n, start int
	strides  []int
}

// randomLayout places an array of the given shape in memory: axes in any order, gaps, steps back and, where repeat is
// set, steps of 0.
func randomLayout(r *rand.Rand, shape []int, repeat bool) layout {
	l := layout{strides: make([]int, len(shape)), start: r.IntN(3)}
	step := 1 + r.IntN(2)
	reach := 0
	for _, axis := range r.Perm(len(shape)) {
		stride := step
		step = step*max(shape[axis], 1) + r.IntN(2)*r.IntN(3)
		switch {
		case repeat && r.IntN(6) == 0:
			stride = 0
		case r.IntN(4) == 0:
			l.start += stride * max(shape[axis]-1, 0)
			stride = -stride
		}
		l.strides[axis] = stride
		reach += max(stride, -stride) * max(shape[axis]-1, 0)
	}
	l.n = l.start + reach + 1 + r.IntN(3)
	return l
}

// copyNaive is Copy one element at a time, and its oracle.
func copyNaive[T any](dst []T, d layout, src []T, s layout, shape []int) {
	index := make([]int, len(shape))
	if slices.Contains(shape, 0) {
		return
	}
	for {
		x, y := d.start, s.start
		for axis, i := range index {
			x, y = x+i*d.strides[axis], y+i*s.strides[axis]
		}
		dst[x] = src[y]
		axis := len(shape) - 1
		for ; axis >= 0; axis-- {
			if index[axis]++; index[axis] < shape[axis] {
				break
			}
			index[axis] = 0
		}
		if axis < 0 {
			return
		}
	}
}

func randomShape(r *rand.Rand) []int {
	shape := make([]int, r.IntN(6))
	for i := range shape {
		shape[i] = []int{0, 1, 1, 2, 3, 4, 5, 7, 8, 9}[r.IntN(10)]
		if i < 2 && r.IntN(3) == 0 {
			shape[i] = 1 + r.IntN(40)
		}
	}
	return shape
}

func checkCopy[T comparable](t *testing.T, r *rand.Rand, fill func(i int) T, shape []int) {
	t.Helper()
	d, s := randomLayout(r, shape, false), randomLayout(r, shape, true)
	dst, src := make([]T, d.n), make([]T, s.n)
	for i := range src {
		src[i] = fill(i + 1)
	}
	want := slices.Clone(dst)
	copyNaive(want, d, src, s, shape)
	Copy(dst, d.start, d.strides, src, s.start, s.strides, shape)
	if !slices.Equal(dst, want) {
		t.Fatalf("Copy of shape %v from %+v to %+v:\ngot  %v\nwant %v", shape, s, d, dst, want)
	}
}

func checkCopyBytes(t *testing.T, r *rand.Rand, shape []int) {
	t.Helper()
	size := []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 16, 24, 32}[r.IntN(14)]
	d, s := randomLayout(r, shape, false), randomLayout(r, shape, true)
	dstSkip, srcSkip, unit := r.IntN(2)*r.IntN(9), r.IntN(2)*r.IntN(9), size
	gap := r.IntN(2) * r.IntN(5) // strides that are no multiple of the size
	scale := func(l layout, skip int) layout {
		l.strides = slices.Clone(l.strides)
		for i := range l.strides {
			l.strides[i] *= unit + gap
		}
		l.start = l.start*(unit+gap) + skip
		l.n = l.n*(unit+gap) + skip
		return l
	}
	d, s = scale(d, dstSkip), scale(s, srcSkip)
	src := bytesFrom(s.n, r.IntN(2)*r.IntN(9), []byte{byte(r.IntN(256))})
	dst := bytesFrom(d.n, r.IntN(2)*r.IntN(9), nil)
	want := slices.Clone(dst)
	inner := func(l layout) layout { l.strides = append(slices.Clone(l.strides), 1); return l }
	copyNaive(want, inner(d), src, inner(s), append(slices.Clone(shape), size))
	CopyBytes(dst, d.start, d.strides, src, s.start, s.strides, shape, size)
	if !bytes.Equal(dst, want) {
		t.Fatalf("CopyBytes of shape %v, items of %d, from %+v to %+v:\ngot  % x\nwant % x", shape, size, s, d, dst, want)
	}
}

func FuzzCopy(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		shape := randomShape(r)
		checkCopy(t, r, func(i int) int { return i }, shape)
		checkCopy(t, r, func(i int) uint8 { return uint8(i) }, shape)
		checkCopy(t, r, func(i int) string { return fmt.Sprint(i) }, shape)
		checkCopyBytes(t, r, shape)
	})
}

// TestCopyLarge goes through the kernels for large transposes, at the edges of their blocks.
func TestCopyLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][]int{
		{1200, 1201}, {1031, 1024}, {128, 9000}, {9000, 128}, {127, 9000}, {9000, 3}, {3, 9000}, {2, 700, 801}, {5, 1000, 3, 64},
	} {
		n := 1
		for _, k := range shape {
			n *= k
		}
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			checkTranspose[uint8](t, r, shape, n, func(i int) uint8 { return uint8(i * 31 >> 3) })
			checkTranspose[uint64](t, r, shape, n, func(i int) uint64 { return uint64(i) })
			checkTranspose[[2]uint64](t, r, shape, n, func(i int) [2]uint64 { return [2]uint64{uint64(i), 1} })
		})
	}
}

func checkTranspose[T comparable](t *testing.T, r *rand.Rand, shape []int, n int, fill func(int) T) {
	t.Helper()
	dst, want, src := make([]T, n), make([]T, n), make([]T, n)
	for i := range src {
		src[i] = fill(i)
	}
	strides := func(perm []int) []int {
		out, step := make([]int, len(shape)), 1
		for _, axis := range slices.Backward(perm) {
			out[axis] = step
			step *= shape[axis]
		}
		return out
	}
	to, from := r.Perm(len(shape)), r.Perm(len(shape))
	if len(shape) == 2 {
		to, from = []int{0, 1}, []int{1, 0}
	}
	d, s := layout{n, 0, strides(to)}, layout{n, 0, strides(from)}
	copyNaive(want, d, src, s, shape)
	Copy(dst, 0, d.strides, src, 0, s.strides, shape)
	if !slices.Equal(dst, want) {
		t.Errorf("transpose of %T, shape %v, from strides %v to %v is wrong", src, shape, s.strides, d.strides)
	}
}

func TestCopyWithoutDimensions(t *testing.T) {
	dst := []int{0, 0}
	Copy(dst, 1, nil, []int{7, 8}, 1, nil, nil)
	if dst[0] != 0 || dst[1] != 8 {
		t.Errorf("Copy of one element: got %v", dst)
	}
}
