package source

import (
	"slices"

	"github.com/npygo/npy/internal/nd"
)

// boxes divides an array in Fortran order into boxes, which are read one after another. Axes of length 1 are left out.
type boxes struct {
	shape []int
	box   []int // the shape of the largest box
	order []int // the axes, in the order in which consecutive boxes advance
	count int
}

// A box is a part of the array.
type box struct{ origin, shape []int }

// inFileOrder divides the array into consecutive pieces of the file of at most limit elements, but at least one: whole
// along the first axes, a range of the next axis, one position along the remaining axes.
func inFileOrder(shape []int, limit int) boxes {
	b := newBoxes(shape)
	b.grow(limit)
	for i := range b.shape {
		b.order = append(b.order, i)
	}
	return b
}

// forCache divides the array into boxes of at most limit elements, but at least one. Boxes are up to columns elements
// long in the order of the result, and as long as possible in the order of the file.
func forCache(shape []int, limit, columns int) boxes {
	b := newBoxes(shape)
	run := 1
	columns = min(columns, limit)
	for i := len(b.shape) - 1; i >= 0; i-- {
		b.order = append(b.order, i)
		if i > 0 {
			b.box[i] = min(b.shape[i], max(columns/run, 1))
			run *= b.box[i]
		}
	}
	b.grow(limit)
	return b
}

// newBoxes returns boxes of one element.
func newBoxes(shape []int) boxes {
	b := boxes{shape: slices.DeleteFunc(slices.Clone(shape), func(n int) bool { return n == 1 })}
	b.box = slices.Repeat([]int{1}, len(b.shape))
	return b
}

// grow enlarges the boxes in the order of the file while they have at most limit elements.
func (b *boxes) grow(limit int) {
	elements := nd.Size(b.box)
	for i, n := range b.shape {
		elements /= b.box[i]
		b.box[i] = max(min(n, limit/elements), b.box[i])
		elements *= b.box[i]
		if b.box[i] < n {
			break
		}
	}
	b.count = 1
	for i, n := range b.shape {
		b.count *= (n + b.box[i] - 1) / b.box[i]
	}
}

// at returns box number k.
func (b boxes) at(k int) box {
	x := box{make([]int, len(b.shape)), make([]int, len(b.shape))}
	for _, i := range b.order {
		along := (b.shape[i] + b.box[i] - 1) / b.box[i]
		x.origin[i] = k % along * b.box[i]
		x.shape[i] = min(b.box[i], b.shape[i]-x.origin[i])
		k /= along
	}
	return x
}

// runs calls do for each contiguous run of a box, in file order: n elements from position first on. It stops at an
// error.
func (b boxes) runs(x box, do func(first, n int) error) error {
	steps := nd.Strides(b.shape, 1, true)
	first, n, inner := 0, 1, 0
	for i, at := range x.origin {
		first += at * steps[i]
	}
	for inner < len(b.shape) {
		n *= x.shape[inner]
		inner++
		if x.shape[inner-1] < b.shape[inner-1] {
			break
		}
	}
	at := make([]int, len(b.shape))
	for {
		if err := do(first, n); err != nil {
			return err
		}
		axis := inner
		for ; axis < len(at); axis++ {
			first += steps[axis]
			if at[axis]++; at[axis] < x.shape[axis] {
				break
			}
			first -= at[axis] * steps[axis]
			at[axis] = 0
		}
		if axis == len(at) {
			return nil
		}
	}
}
