package chunkgrid

import (
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/nd"
)

// A selection is a part of an array in chunks: along each axis of the array some positions, a step apart. The bytes
// of an element that are wanted begin at within.
type selection struct {
	t      dtype.Type
	shape  []int // of the result
	axes   []selectedAxis
	inner  []int // the axes of the result within an element, from a field that is a subarray
	steps  []int // the strides of inner, in bytes
	within int
}

// A selectedAxis selects n positions along one axis of the array, from start, step apart.
type selectedAxis struct {
	chunk, start, step, n int
	axis                  int // of the result, or -1 for a single position
}

// selectionOf returns the selection of a part. dims and chunk are the shapes of the array and of its chunks, and itemSize is
// the size of an element. The part has elements, so that no dimension is 0.
func selectionOf(p npy.Selection, dims, chunk []int, itemSize int) selection {
	s := selection{t: p.DType(), shape: p.Shape(), axes: make([]selectedAxis, len(dims))}
	strides := nd.Strides(dims, itemSize, false)
	rest := int(p.Offset())
	for j := range dims {
		s.axes[j] = selectedAxis{chunk: chunk[j], start: rest / strides[j], step: 1, n: 1, axis: -1}
		rest %= strides[j]
	}
	s.within = rest
	for v, stride := range p.Strides() {
		n := s.shape[v]
		j := axisOf(max(stride, -stride), dims, strides)
		switch {
		case n == 1 && (j < 0 || s.axes[j].axis >= 0):
		case j < 0:
			s.inner, s.steps = append(s.inner, v), append(s.steps, stride)
		default:
			a := &s.axes[j]
			a.axis, a.n, a.step = v, n, stride/strides[j]
		}
	}
	return s
}

// axisOf returns the axis of the array along which a stride leads, or -1 if it stays within an element: a stride of
// several steps along one axis is less than one step along the axis before.
func axisOf(stride int, dims, strides []int) int {
	for j := range dims {
		if dims[j] > 1 && strides[j] <= stride {
			return j
		}
	}
	return -1
}

// along returns how the selection lies along an axis of the result. It reports false for an axis within elements.
func (s *selection) along(axis int) (selectedAxis, bool) {
	for _, a := range s.axes {
		if a.axis == axis {
			return a, true
		}
	}
	return selectedAxis{}, false
}

// count returns the number of chunks that an axis touches.
func (a selectedAxis) count() int {
	if a.step > a.chunk || -a.step > a.chunk {
		return a.n // each position is in a chunk of its own
	}
	first, last := a.start/a.chunk, (a.start+(a.n-1)*a.step)/a.chunk
	return max(first-last, last-first) + 1
}

// touched returns the k-th chunk that an axis touches, and the positions low to high of the selection that are in it.
func (a selectedAxis) touched(k int) (grid, low, high int) {
	switch {
	case a.step > a.chunk || -a.step > a.chunk:
		return (a.start + k*a.step) / a.chunk, k, k + 1
	case a.step > 0:
		grid = a.start/a.chunk + k
	default:
		grid = a.start/a.chunk - k
	}
	low, high = a.inChunk(grid)
	return grid, low, high
}

// inChunk returns the positions of the selection that are in a chunk. low is not less than high if there are none.
func (a selectedAxis) inChunk(grid int) (low, high int) {
	from := grid * a.chunk // of the chunk; its end may be beyond the largest int
	last := from + (a.chunk - 1)
	if last < from {
		last = math.MaxInt
	}
	if a.step > 0 {
		low = max(ceilDiv(from-a.start, a.step), 0)
		high = floorDiv(last-a.start, a.step) + 1
	} else {
		low = max(ceilDiv(a.start-last, -a.step), 0)
		high = floorDiv(a.start-from, -a.step) + 1
	}
	return low, min(high, a.n)
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int) int { return -floorDiv(-a, b) }

// ordinal returns the k for which touched returns a chunk and the first of its positions.
func (a selectedAxis) ordinal(grid, low int) int {
	if a.step > a.chunk || -a.step > a.chunk {
		return low
	}
	first := a.start / a.chunk
	return max(grid-first, first-grid)
}

// An inChunk is the part of a selection that lies in one chunk: positions low to high along each axis of the array.
type inChunk struct {
	grid, low, high []int
}

// touched sets x to the i-th chunk that a selection touches, in C order. counts has the number of chunks along each
// axis.
func (s *selection) touched(i int, counts []int, x *inChunk) {
	for j := len(counts) - 1; j >= 0; j-- {
		x.grid[j], x.low[j], x.high[j] = s.axes[j].touched(i % counts[j])
		i /= counts[j]
	}
}

// inGrid sets x to the part that lies in the chunk x.grid. It reports false if there is none.
func (s *selection) inGrid(x *inChunk) bool {
	for j, a := range s.axes {
		if g := x.grid[j]; g < 0 || g > math.MaxInt/a.chunk {
			return false
		}
		if x.low[j], x.high[j] = a.inChunk(x.grid[j]); x.low[j] >= x.high[j] {
			return false
		}
	}
	return true
}

// ordinal returns the i for which touched sets x to this chunk.
func (s *selection) ordinal(x *inChunk) int {
	i := 0
	for j, a := range s.axes {
		i = i*a.count() + a.ordinal(x.grid[j], x.low[j])
	}
	return i
}

// places returns the elements of x twice: as they lie in their chunk, with chunk strides, and in the result with the
// strides given. Neither has data.
func (s *selection) places(x *inChunk, chunkStrides, strides []int) (from, to nd.Array) {
	n := len(s.shape)
	from = nd.Array{DType: s.t, Shape: make([]int, n), Strides: make([]int, n), Offset: s.within}
	to = nd.Array{DType: s.t, Shape: from.Shape, Strides: strides}
	for i := range n {
		from.Shape[i], from.Strides[i] = 1, s.t.ItemSize()
	}
	for j, a := range s.axes {
		from.Offset += (a.start + x.low[j]*a.step - x.grid[j]*a.chunk) * chunkStrides[j]
		if a.axis >= 0 {
			from.Shape[a.axis], from.Strides[a.axis] = x.high[j]-x.low[j], a.step*chunkStrides[j]
			to.Offset += x.low[j] * strides[a.axis]
		}
	}
	for i, v := range s.inner {
		from.Shape[v], from.Strides[v] = s.shape[v], s.steps[i]
	}
	return from, to
}

// isWhole reports whether the elements of from are a whole chunk with the given shape, and the elements of to follow each
// other in the same order.
func isWhole(from, to nd.Array, chunkBytes int) bool {
	return from.NBytes() == chunkBytes && from.IsContiguous(false) && to.IsContiguous(false)
}
