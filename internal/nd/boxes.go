package nd

import (
	"iter"
	"slices"
)

// An array that does not fit into memory is copied in blocks: boxes of the array that are read, put into the order of
// the destination and written. Each block is a number of contiguous runs in the source file and in the destination.
// Cost grows with the number of short runs, so blocks are chosen for few runs.

// Boxes cuts an array into boxes.
type Boxes struct {
	shape []int
	box   []int // the shape of the largest box
	to    []int // the axes of the destination, the fastest first
}

// FastestFirst returns the axes of a contiguous array, in C order or in Fortran order, the fastest first.
func FastestFirst(ndim int, fortran bool) []int {
	axes := make([]int, ndim)
	for i := range axes {
		if axes[i] = ndim - 1 - i; fortran {
			axes[i] = i
		}
	}
	return axes
}

// CutBoxes chooses boxes of at most maxSize elements, or of one element. from and to are the axes of the source and the
// destination, the fastest first. With sequence, the boxes follow each other in the order of the destination.
func CutBoxes(shape, from, to []int, maxSize int, sequence bool) Boxes {
	best := Boxes{shape, filled(shape, to, maxSize), to}
	if sequence {
		return best
	}
	for _, box := range [][]int{filled(shape, from, maxSize), balanced(shape, from, to, maxSize)} {
		b := Boxes{shape, box, to}
		if b.runs(from)+b.runs(to) < best.runs(from)+best.runs(to) {
			best = b
		}
	}
	return best
}

// filled returns a box that is one run along the axes.
func filled(shape, axes []int, maxSize int) []int {
	box := ones(len(shape))
	for _, axis := range axes {
		box[axis] = min(shape[axis], max(maxSize, 1))
		maxSize /= box[axis]
	}
	return box
}

// balanced returns a box whose runs are about equally long in the source and in the destination.
func balanced(shape, from, to []int, maxSize int) []int {
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
		if size > maxSize/2 { // the last step
			box[axis] = min(max(maxSize/rest, 1), shape[axis])
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

// RunFrom returns the largest box of at most maxSize elements, or of one, that begins with element number at and is
// contiguous in C order.
func RunFrom(shape []int, at, maxSize int) Box {
	b := Box{make([]int, len(shape)), ones(len(shape))}
	whole, inner := true, 1 // elements of a step along the axis
	for axis := len(shape) - 1; axis >= 0; axis-- {
		k := at % shape[axis]
		at /= shape[axis]
		b.Origin[axis] = k
		if whole {
			b.Shape[axis] = max(min(shape[axis]-k, maxSize/inner), 1)
			whole = b.Shape[axis] == shape[axis]
			inner *= shape[axis]
		}
	}
	return b
}

// runs estimates the number of runs of all boxes along the axes.
func (b Boxes) runs(axes []int) float64 {
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

// A Box is a part of an array. Boxes of [Boxes.All] are valid until the next one.
type Box struct{ Origin, Shape []int }

// All yields the boxes in the order of the destination. No dimension is 0.
func (b Boxes) All() iter.Seq[Box] {
	return func(yield func(Box) bool) {
		x := Box{make([]int, len(b.shape)), make([]int, len(b.shape))}
		for {
			for i, n := range b.shape {
				x.Shape[i] = min(b.box[i], n-x.Origin[i])
			}
			if !yield(x) || !b.next(x.Origin) {
				return
			}
		}
	}
}

// next moves origin to the next box and reports whether there is one.
func (b Boxes) next(origin []int) bool {
	for _, axis := range b.to {
		if origin[axis] += b.box[axis]; origin[axis] < b.shape[axis] {
			return true
		}
		origin[axis] = 0
	}
	return false
}

// Size returns the number of elements of the largest box.
func (b Boxes) Size() int { return Size(b.box) }
