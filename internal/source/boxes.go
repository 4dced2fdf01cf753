package source

import (
	"iter"
	"slices"

	"github.com/npygo/npy/format"
)

// boxes cuts an array in Fortran order into consecutive pieces that are boxes: whole along the axes before split, a
// range along split, one position along those behind it.
type boxes struct {
	shape    []int
	split    int
	box      []int // the shape of the largest piece
	elements int   // in it
}

// A box is one piece.
type box struct {
	origin, shape []int // valid until the next one
	elements      int
	first         int // the position of its first element in the file
}

// newBoxes chooses pieces of at most limit bytes, as large as can be, but at least one element.
func newBoxes(h format.Header, limit int) boxes {
	b := boxes{shape: h.Shape, elements: 1, box: make([]int, len(h.Shape))}
	most := max(limit/max(h.DType.ItemSize(), 1), 1)
	for b.split < len(h.Shape)-1 && b.elements*h.Shape[b.split] <= most {
		b.elements *= h.Shape[b.split]
		b.split++
	}
	for i := range b.box {
		switch {
		case i < b.split:
			b.box[i] = h.Shape[i]
		case i == b.split:
			b.box[i] = min(max(most/b.elements, 1), h.Shape[i])
		default:
			b.box[i] = 1
		}
	}
	b.elements *= b.box[b.split]
	return b
}

// all goes through the boxes in the order of the file. No dimension is 0.
func (b boxes) all() iter.Seq[box] {
	return func(yield func(box) bool) {
		x := box{origin: make([]int, len(b.shape)), shape: slices.Clone(b.box)}
		whole := b.elements / b.box[b.split]
		for {
			x.shape[b.split] = min(b.box[b.split], b.shape[b.split]-x.origin[b.split])
			x.elements = whole * x.shape[b.split]
			if !yield(x) {
				return
			}
			x.first += x.elements
			axis := b.split
			x.origin[axis] += x.shape[axis]
			for x.origin[axis] == b.shape[axis] {
				x.origin[axis] = 0
				if axis++; axis == len(b.shape) {
					return
				}
				x.origin[axis]++
			}
		}
	}
}
