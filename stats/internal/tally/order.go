package tally

import "github.com/npygo/npy/stats/internal/items"

// An Order says where elements that are stored in Fortran order are in C order, the order that decides which of equal
// elements is the first.
type Order struct {
	Shape []int // of the array
}

// first returns the C position of the first of the items that equal x, or of best if that is before them; best is -1 if
// there is none. start is the position of the first in the stored order. Only items that can be before best are compared.
func (o *Order) first(s *items.Scratch, c *Column, data []byte, start int64, x extreme, best int64) int64 {
	run := int64(o.Shape[0]) * c.Each
	end := start + int64(len(data)/c.Size)
	row := c.Each // items for one index of the first axis
	for _, n := range o.Shape[1:] {
		row *= int64(n)
	}
	for at := start; at < end && best != 0; {
		begin := at - at%run
		stop := min(begin+run, end)
		limit := stop
		if best >= 0 {
			limit = min(stop, begin+(best/row+1)*c.Each)
		}
		if at < limit {
			if k := c.find(s, data[(at-start)*int64(c.Size):(limit-start)*int64(c.Size)], x); k >= 0 {
				if p := o.position(at+int64(k), c.Each); best < 0 || p < best {
					best = p
				}
			}
		}
		at = stop
	}
	return best
}

// position returns the C position of an item, given its position in the stored order.
func (o *Order) position(at, each int64) int64 {
	element, p := at/each, int64(0)
	step := int64(1)
	for _, n := range o.Shape {
		step *= int64(n)
	}
	for _, n := range o.Shape {
		step /= int64(n)
		p += element % int64(n) * step
		element /= int64(n)
	}
	return p*each + at%each
}

// Least returns the first position in C order among the elements from low up to high in the stored order.
func (o *Order) Least(low, high int64) (at int64) {
	for _, n := range o.Shape {
		n := int64(n)
		k := low % n // the index along the axis
		if k > 0 && low-k+n < high {
			k = 0
		}
		at = at*n + k
		low, high = (low-k+n-1)/n, (high-k+n-1)/n // of the other axes
	}
	return at
}
