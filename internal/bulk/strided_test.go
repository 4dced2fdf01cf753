package bulk

import (
	"bytes"
	"fmt"
	"math"
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
	if testing.Short() {
		t.Skip("large")
	}
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

// The kernels for one axis against the plain ones, at every alignment.
func FuzzSteps(f *testing.F) {
	f.Add(uint8(5), int8(3), int8(14), uint8(1))
	f.Add(uint8(9), int8(-8), int8(0), uint8(3))
	f.Add(uint8(0), int8(0), int8(-1), uint8(0))
	f.Fuzz(func(t *testing.T, count uint8, to, from int8, skip uint8) {
		a := axis{n: int(count%40) + 1, dst: int(to), src: int(from)}
		first := func(step int) int { return max(0, -step*(a.n-1)) + int(skip%9) }
		length := func(step int) int { return abs(step)*(a.n-1) + int(skip%9) + 16 }
		src := bytesFrom(length(a.src), int(skip%5), []byte{skip, 3, 5})
		got, want := make([]byte, length(a.dst)), make([]byte, length(a.dst))
		for _, n := range []int{1, 2, 3, 4, 8, 16} {
			d, s := first(a.dst), first(a.src)
			switch n {
			case 1:
				copyRow(got, d, src, s, a)
				copyStepsPlain(want, d, src, s, a)
			case 3:
				copyRuns(got, d, src, s, a, n)
				for i := range a.n {
					copy(want[d+i*a.dst:][:n], src[s+i*a.src:])
				}
			default:
				copyRuns(got, d, src, s, a, n)
				copyItemsPlain(want, d, src, s, a, n)
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%d times %d bytes, steps of %d from steps of %d:\ngot  % x\nwant % x", a.n, n, a.dst, a.src, got, want)
			}
		}
	})
}

func TestCopyChecksBounds(t *testing.T) {
	const far = math.MaxInt/2 + 1
	for _, c := range []struct {
		name       string
		start      int
		step, size int
	}{
		{"before the slice", -1, 3, 2}, {"behind the slice", 30, 3, 2}, {"the last item", 5, 3, 8}, {"backwards", 5, -3, 2},
		{"a step that overflows", 0, far, 1}, {"and back", 0, -far, 4},
	} {
		for _, side := range []string{"dst", "src"} {
			t.Run(c.name+", "+side, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				dst, src, shape := make([]byte, 31), make([]byte, 31), []int{9}
				if side == "dst" {
					CopyBytes(dst, c.start, []int{c.step}, src, 0, []int{1}, shape, c.size)
				} else {
					CopyBytes(dst, 0, []int{1}, src, c.start, []int{c.step}, shape, c.size)
				}
			})
		}
	}
}
