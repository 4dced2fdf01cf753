package bulk

import "slices"

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
	// In the order of the destination's memory, writes run forward; neighbours that continue each other become one.
	slices.SortStableFunc(axes, func(a, b axis) int { return abs(b.dst) - abs(a.dst) })
	copyAxes(dst, dstStart, src, srcStart, merge(axes))
}

func abs(n int) int { return max(n, -n) }

// merge joins axes of which the outer one steps by just the extent of the inner one, on both sides.
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

// pickOuter chooses the axis to loop over. It keeps for the kernel the innermost axis of the destination and, where
// that is another one, the innermost of the source: between those two the copy is a transpose, to be done in tiles.
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
	for range a.n {
		dst[d] = src[s]
		d, s = d+a.dst, s+a.src
	}
}

// tile is the side of the squares in which a transpose is done: both sides of one fit the first-level cache.
const tile = 16

// copyTiles copies two axes of which the source runs fastest along a and the destination along b.
func copyTiles[T any](dst []T, d int, src []T, s int, a, b axis) {
	for i := 0; i < a.n; i += tile {
		rows := axis{min(tile, a.n-i), a.dst, a.src}
		for j := 0; j < b.n; j += tile {
			cols := axis{min(tile, b.n-j), b.dst, b.src}
			copyTile(dst, d+i*a.dst+j*b.dst, src, s+i*a.src+j*b.src, rows, cols)
		}
	}
}

func copyTile[T any](dst []T, d int, src []T, s int, a, b axis) {
	for range a.n {
		x, y := d, s
		for range b.n {
			dst[x] = src[y]
			x, y = x+b.dst, y+b.src
		}
		d, s = d+a.dst, s+a.src
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
