package bulk

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/npygo/npy/internal/par"
)

// An axis is one dimension of a strided copy, strides in elements.
type axis struct{ n, dst, src int }

// Copy copies the elements of one strided array to another of the same shape. The element at index (i, j, …) lies at
// start + i*strides[0] + j*strides[1] + …, all in elements. The arrays must not overlap, and every element must lie
// within its slice: an index outside panics.
func Copy[T any](dst []T, dstStart int, dstStrides []int, src []T, srcStart int, srcStrides []int, shape []int) {
	var room [8]axis
	axes := room[:0]
	for i, n := range shape {
		if n == 0 {
			return
		}
		if n > 1 {
			axes = append(axes, axis{n, dstStrides[i], srcStrides[i]})
		}
	}
	// Sorted in the order of the destination's memory, writes run forward; neighbouring axes that continue each other
	// become one.
	slices.SortStableFunc(axes, func(a, b axis) int { return abs(b.dst) - abs(a.dst) })
	axes = merge(axes)
	if bytes := extent(axes) * int(reflect.TypeFor[T]().Size()); bytes >= par.SplitMin && len(axes) > 0 {
		copyParallel(dst, dstStart, src, srcStart, slices.Clone(axes), bytes)
		return
	}
	copyAxes(dst, dstStart, src, srcStart, axes)
}

// extent returns the number of elements along the axes.
func extent(axes []axis) int {
	n := 1
	for _, a := range axes {
		n *= a.n
	}
	return n
}

// copyParallel divides the outermost axis of the destination, so that each goroutine writes to memory of its own.
func copyParallel[T any](dst []T, d int, src []T, s int, axes []axis, bytes int) {
	outer, rest := axes[0], axes[1:]
	_ = par.Split(context.Background(), outer.n, 1, bytes, func(low, high int) error {
		if part := high - low; part > 0 {
			copyAxes(dst, d+low*outer.dst, src, s+low*outer.src, append([]axis{{part, outer.dst, outer.src}}, rest...))
		}
		return nil
	})
}

func abs(n int) int { return max(n, -n) }

// merge joins two axes if the outer stride is exactly the extent of the inner axis, in source and destination.
func merge(axes []axis) []axis {
	if len(axes) == 0 {
		return axes
	}
	out := axes[:1]
	for _, inner := range axes[1:] {
		outer := &out[len(out)-1]
		if outer.dst == inner.dst*inner.n && outer.src == inner.src*inner.n {
			*outer = axis{outer.n * inner.n, inner.dst, inner.src}
			continue
		}
		out = append(out, inner)
	}
	return out
}

// copyAxes loops over the outer axes and leaves the inner one or two to a kernel.
func copyAxes[T any](dst []T, d int, src []T, s int, axes []axis) {
	switch {
	case len(axes) == 0:
		dst[d] = src[s]
	case len(axes) == 1:
		copyRow(dst, d, src, s, axes[0])
	case len(axes) == 2 && axes[1].dst == 1 && axes[1].src == 1:
		copyRuns(dst, d, src, s, axes[0], axes[1].n)
	case len(axes) == 2 && abs(axes[0].src) < abs(axes[1].src):
		copyTiles(dst, d, src, s, axes[0], axes[1])
	default:
		outer, rest := pickOuter(axes)
		for range outer.n {
			copyAxes(dst, d, src, s, rest)
			d, s = d+outer.dst, s+outer.src
		}
	}
}

// pickOuter chooses the axis to loop over. It leaves to the kernel the innermost axis of the destination and, if it is
// another axis, the innermost of the source: between these two the copy is a transpose, which is done in tiles.
func pickOuter(axes []axis) (axis, []axis) {
	last := len(axes) - 1
	fastest := last
	for i, a := range axes {
		if abs(a.src) < abs(axes[fastest].src) {
			fastest = i
		}
	}
	if fastest != 0 || last < 2 {
		return axes[0], axes[1:]
	}
	rest := append([]axis{axes[0]}, axes[2:]...)
	return axes[1], rest
}

func copyRow[T any](dst []T, d int, src []T, s int, a axis) {
	if a.dst == 1 && a.src == 1 {
		copy(dst[d:d+a.n], src[s:s+a.n])
		return
	}
	a.check(len(dst), d, len(src), s, 1)
	copySteps(dst, d, src, s, a)
}

// copyRuns copies runs of n elements. Runs of numbers are copied as bytes: a call for each number would take longer
// than the copy.
func copyRuns[T any](dst []T, d int, src []T, s int, a axis, n int) {
	a.check(len(dst), d, len(src), s, n)
	switch n {
	case 2, 4, 8, 16:
		copyItems(dst, d, src, s, a, n)
		return
	}
	for range a.n {
		copy(dst[d:d+n], src[s:s+n])
		d, s = d+a.dst, s+a.src
	}
}

// check panics unless runs of n elements along the axis, the first at d and s, lie within slices of the given lengths.
func (a axis) check(dstLen, d, srcLen, s, n int) {
	if !within(dstLen, d, a.dst, a.n, n) || !within(srcLen, s, a.src, a.n, n) {
		panic(fmt.Sprintf("bulk: %d times %d elements from %d in steps of %d leave a slice of %d, or from %d in steps of %d one of %d",
			a.n, n, d, a.dst, dstLen, s, a.src, srcLen))
	}
}

// within reports whether count runs of n elements, the first at start and others in steps, lie within a slice.
func within(length, start, step, count, n int) bool {
	if start < 0 || start > length-n {
		return false
	}
	room := length - n - start
	if step < 0 {
		room, step = start, -step
	}
	return step == 0 || count-1 <= room/step
}

// copyStepsPlain is copySteps without unsafe, and its oracle.
func copyStepsPlain[T any](dst []T, d int, src []T, s int, a axis) {
	for range a.n {
		dst[d] = src[s]
		d, s = d+a.dst, s+a.src
	}
}

// copyItemsPlain is copyItems without unsafe, and its oracle.
func copyItemsPlain[T any](dst []T, d int, src []T, s int, a axis, n int) {
	for range a.n {
		switch n {
		case 2:
			*(*[2]T)(dst[d:]) = *(*[2]T)(src[s:])
		case 4:
			*(*[4]T)(dst[d:]) = *(*[4]T)(src[s:])
		case 8:
			*(*[8]T)(dst[d:]) = *(*[8]T)(src[s:])
		case 16:
			*(*[16]T)(dst[d:]) = *(*[16]T)(src[s:])
		}
		d, s = d+a.dst, s+a.src
	}
}

// A transpose reads runs along one axis and writes runs along the other. Runs in memory should be long on both sides:
// otherwise every cache line costs an access to memory. Within the cache their length does not matter.
const (
	tile      = 8         // the side of the squares that are transposed at a time, in elements
	thin      = 64 * tile // the length of a tile if the other axis is shorter than tile
	blockRows = 128       // runs that are gathered in the cache before they are written
	blockRun  = 1024      // bytes of one such run
	blocksMin = 1 << 20   // the size from which gathering pays
)

// copyTiles copies two axes. The source runs fastest along a, the destination along b. Large ones go
// through a buffer that stays in the cache, block by block.
func copyTiles[T any](dst []T, d int, src []T, s int, a, b axis) {
	size := int(reflect.TypeFor[T]().Size())
	run := max(blockRun/size, tile)
	if b.dst != 1 || a.n < blockRows || b.n < run || a.n*b.n < blocksMin/size {
		turn(dst, d, src, s, a, b)
		return
	}
	buf := make([]T, blockRows*run)
	for j := 0; j < b.n; j += run {
		cols := axis{min(run, b.n-j), 1, b.src}
		for i := 0; i < a.n; i += blockRows {
			rows := axis{min(blockRows, a.n-i), run, a.src}
			turn(buf, 0, src, s+i*a.src+j*b.src, rows, cols)
			for k := range rows.n {
				to := d + (i+k)*a.dst + j
				copy(dst[to:to+cols.n], buf[k*run:])
			}
		}
	}
}

// turn is copyTiles for data in the cache.
func turn[T any](dst []T, d int, src []T, s int, a, b axis) {
	high, wide := tile, tile
	switch {
	case b.n < tile:
		high = thin
	case a.n < tile:
		wide = thin
	}
	flat := a.src == 1 && b.dst == 1
	for j := 0; j < b.n; j += wide {
		cols := axis{min(wide, b.n-j), b.dst, b.src}
		for i := 0; i < a.n; i += high {
			rows := axis{min(high, a.n-i), a.dst, a.src}
			x, y := d+i*a.dst+j*b.dst, s+i*a.src+j*b.src
			switch {
			case flat && rows.n == tile && cols.n == tile:
				turnFlat(dst, x, a.dst, src, y, b.src)
			case rows.n < cols.n:
				turnAny(dst, x, src, y, rows, cols)
			default:
				turnAny(dst, x, src, y, cols, rows)
			}
		}
	}
}

// turnFlat transposes a whole tile whose lines are contiguous on both sides. The lines are arrays, so bounds are
// checked once per line instead of once per element.
func turnFlat[T any](dst []T, d, dstStride int, src []T, s, srcStride int) {
	line := func(k int) *[tile]T { return (*[tile]T)(src[s+k*srcStride:]) }
	s0, s1, s2, s3, s4, s5, s6, s7 := line(0), line(1), line(2), line(3), line(4), line(5), line(6), line(7)
	for i := range tile {
		to := (*[tile]T)(dst[d:])
		to[0], to[1], to[2], to[3] = s0[i], s1[i], s2[i], s3[i]
		to[4], to[5], to[6], to[7] = s4[i], s5[i], s6[i], s7[i]
		d += dstStride
	}
}

func turnAny[T any](dst []T, d int, src []T, s int, outer, inner axis) {
	for range outer.n {
		x, y := d, s
		for range inner.n {
			dst[x] = src[y]
			x, y = x+inner.dst, y+inner.src
		}
		d, s = d+outer.dst, s+outer.src
	}
}

// CopyBytes is Copy for elements of itemSize bytes, with starts and strides in bytes.
func CopyBytes(dst []byte, dstStart int, dstStrides []int, src []byte, srcStart int, srcStrides []int, shape []int, itemSize int) {
	if itemSize == 0 {
		return
	}
	c := byteCopy{dst, src, dstStart, srcStart, dstStrides, srcStrides, shape}
	switch itemSize {
	case 1:
		Copy(dst, dstStart, dstStrides, src, srcStart, srcStrides, shape)
		return
	case 2:
		if copyAs[uint16](c, itemSize) {
			return
		}
	case 4:
		if copyAs[uint32](c, itemSize) {
			return
		}
	case 8:
		if copyAs[uint64](c, itemSize) {
			return
		}
	case 16:
		if copyAs[[2]uint64](c, itemSize) {
			return
		}
	}
	// Anything else is an array with one more axis: the bytes of each element.
	Copy(dst, dstStart, append(slices.Clone(dstStrides), 1), src, srcStart, append(slices.Clone(srcStrides), 1),
		append(slices.Clone(shape), itemSize))
}

type byteCopy struct {
	dst, src               []byte
	dstStart, srcStart     int
	dstStrides, srcStrides []int
	shape                  []int
}

// copyAs copies elements of T if both sides are aligned for it, and reports whether it did.
func copyAs[T any](c byteCopy, size int) bool {
	dst, ok := View[T](c.dst[:len(c.dst)/size*size])
	if !ok || c.dstStart%size != 0 {
		return false
	}
	src, ok := View[T](c.src[:len(c.src)/size*size])
	if !ok || c.srcStart%size != 0 {
		return false
	}
	dstStrides, ok := divide(c.dstStrides, size)
	if !ok {
		return false
	}
	srcStrides, ok := divide(c.srcStrides, size)
	if !ok {
		return false
	}
	Copy(dst, c.dstStart/size, dstStrides, src, c.srcStart/size, srcStrides, c.shape)
	return true
}

func divide(strides []int, size int) ([]int, bool) {
	out := make([]int, len(strides))
	for i, s := range strides {
		if s%size != 0 {
			return nil, false
		}
		out[i] = s / size
	}
	return out, true
}
