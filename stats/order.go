package stats

// An order says where elements that are stored in Fortran order are in C order, the order that decides which of equal
// elements is the first.
type order struct {
	shape []int // of the array
}

// first returns the C position of the first of the items that equal x, or of best if that is before them; best is -1 if
// there is none. start is the position of items[0] in the stored order. Only items that can be before best are compared.
func (o *order) first(s *scratch, c column, items []byte, start int64, x extreme, best int64) int64 {
	run := int64(o.shape[0]) * c.items
	end := start + int64(len(items)/c.size)
	row := c.items // items for one index of the first axis
	for _, n := range o.shape[1:] {
		row *= int64(n)
	}
	for at := start; at < end && best != 0; {
		begin := at - at%run
		stop := min(begin+run, end)
		limit := stop
		if best >= 0 {
			limit = min(stop, begin+(best/row+1)*c.items)
		}
		if at < limit {
			if k := c.find(s, items[(at-start)*int64(c.size):(limit-start)*int64(c.size)], x); k >= 0 {
				if p := o.position(at+int64(k), c.items); best < 0 || p < best {
					best = p
				}
			}
		}
		at = stop
	}
	return best
}

// position returns the C position of an item, given its position in the stored order.
func (o *order) position(at, items int64) int64 {
	element, p := at/items, int64(0)
	step := int64(1)
	for _, n := range o.shape {
		step *= int64(n)
	}
	for _, n := range o.shape {
		step /= int64(n)
		p += element % int64(n) * step
		element /= int64(n)
	}
	return p*items + at%items
}

// unravel returns the index of the element at a position in C order, as numpy.unravel_index.
func unravel(at int64, shape []int) []int {
	index := make([]int, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		index[i] = int(at % int64(shape[i]))
		at /= int64(shape[i])
	}
	return index
}
