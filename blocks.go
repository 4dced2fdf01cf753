package npy

import (
	"iter"
	"slices"
)

// An array that does not fit into memory is copied in blocks: boxes of the array that are read, put into the order of
// the destination and written. Each block is a number of contiguous runs in the source file and in the destination.
// Cost grows with the number of short runs, so blocks are chosen for few runs.

// blocks cuts an array into boxes.
type blocks struct {
	shape []int
	box   []int // the shape of the largest box
	to    []int // the axes of the destination, the fastest first
}

// fastestFirst returns the axes in the order of memory.
func fastestFirst(ndim int, fortran bool) []int {
	axes := make([]int, ndim)
	for i := range axes {
		if axes[i] = ndim - 1 - i; fortran {
			axes[i] = i
		}
	}
	return axes
}

// newBlocks chooses boxes of at most most elements, or of one element. from and to are the axes of the source and the
// destination, the fastest first. In a stream, the boxes must follow each other in the order of the destination.
func newBlocks(shape, from, to []int, most int, stream bool) blocks {
	best := blocks{shape, filled(shape, to, most), to}
	if stream {
		return best
	}
	for _, box := range [][]int{filled(shape, from, most), balanced(shape, from, to, most)} {
		b := blocks{shape, box, to}
		if b.runs(from)+b.runs(to) < best.runs(from)+best.runs(to) {
			best = b
		}
	}
	return best
}

// filled returns a box that is one run along the axes.
func filled(shape, axes []int, most int) []int {
	box := ones(len(shape))
	for _, axis := range axes {
		box[axis] = min(shape[axis], max(most, 1))
		most /= box[axis]
	}
	return box
}

// balanced returns a box whose runs are about equally long in the source and in the destination.
func balanced(shape, from, to []int, most int) []int {
	box, size := ones(len(shape)), 1
	for {
		axis, run := short(shape, box, from)
		if other, run2 := short(shape, box, to); axis < 0 || run2 < run {
			axis = other
		}
		if axis < 0 {
			return box
		}
		rest := size / box[axis]
		if size > most/2 { // the last step
			box[axis] = min(max(most/rest, 1), shape[axis])
			return box
		}
		box[axis] = min(2*box[axis], shape[axis])
		size = rest * box[axis]
	}
}

// short returns the first of the axes along which a box is not whole, -1 if there is none, and the number of elements
// in a run of the box.
func short(shape, box, axes []int) (axis, run int) {
	run = 1
	for _, axis := range axes {
		if run *= box[axis]; box[axis] < shape[axis] {
			return axis, run
		}
	}
	return -1, run
}

func ones(n int) []int { return slices.Repeat([]int{1}, n) }

// runs estimates the number of runs of all boxes along the axes.
func (b blocks) runs(axes []int) float64 {
	runs := 1.0
	for i, n := range b.shape {
		runs *= float64((n-1)/b.box[i] + 1)
	}
	_, run := short(b.shape, b.box, axes)
	for _, n := range b.box {
		runs *= float64(n)
	}
	return runs / float64(run)
}

// A block is one box.
type block struct{ origin, shape []int } // valid until the next one

// all yields the boxes in the order of the destination. No dimension is 0.
func (b blocks) all() iter.Seq[block] {
	return func(yield func(block) bool) {
		x := block{make([]int, len(b.shape)), make([]int, len(b.shape))}
		for {
			for i, n := range b.shape {
				x.shape[i] = min(b.box[i], n-x.origin[i])
			}
			if !yield(x) || !b.next(x.origin) {
				return
			}
		}
	}
}

// next moves origin to the next box and reports whether there is one.
func (b blocks) next(origin []int) bool {
	for _, axis := range b.to {
		if origin[axis] += b.box[axis]; origin[axis] < b.shape[axis] {
			return true
		}
		origin[axis] = 0
	}
	return false
}

// size returns the number of elements of the largest box.
func (b blocks) size() int {
	n := 1
	for _, k := range b.box {
		n *= k
	}
	return n
}
