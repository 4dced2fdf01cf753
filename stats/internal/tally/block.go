package tally

import "github.com/npygo/npy/stats/internal/items"

// Block returns the tally of a block of whole elements of some bytes. first is the position of the first element, in the order in
// which elements are stored, which is C order if order is nil.
func (c *Column) Block(s *items.Scratch, order *Order, size int, data []byte, first int64) (t Tally) {
	if !c.isRead() {
		return t
	}
	all := c.Items(&s.Items, data, len(data)/size, size)
	if order != nil && c.find != nil {
		c.addReordered(s, &t, order, all, first*c.Each)
	} else {
		c.Add(s, &t, all, first*c.Each)
	}
	return t
}

// Add adds contiguous items, the first of them at a position among all items.
func (c *Column) Add(s *items.Scratch, t *Tally, data []byte, first int64) {
	low, high := -1, -1 // where the chunks begin that have the extremes
	step := items.Chunk * c.Size
	for at := 0; at < len(data); at += step {
		before := t.Extremes
		c.add(s, t, data[at:min(at+step, len(data))])
		if c.find == nil {
			continue
		}
		t.Known = t.Count > t.NaNs+t.NaTs
		if t.Known && (!before.Known || t.low() != before.low()) {
			low = at
		}
		if t.Known && (!before.Known || t.high() != before.high()) {
			high = at
		}
	}
	if low >= 0 {
		t.MinAt = first + int64(low/c.Size+c.find(s, data[low:min(low+step, len(data))], t.low()))
	}
	if high >= 0 {
		t.MaxAt = first + int64(high/c.Size+c.find(s, data[high:min(high+step, len(data))], t.high()))
	}
}

// addReordered is Add for items that are not stored in C order.
func (c *Column) addReordered(s *items.Scratch, t *Tally, order *Order, data []byte, first int64) {
	step := items.Chunk * c.Size
	for at := 0; at < len(data); at += step {
		chunk := data[at:min(at+step, len(data))]
		var part Tally
		c.add(s, &part, chunk)
		place := first + int64(at/c.Size)
		if part.Known = part.Count > part.NaNs+part.NaTs; part.Known {
			if !t.Known || !t.low().less(part.low()) {
				part.MinAt = order.first(s, c, chunk, place, part.low(), t.bestFor(part.low(), t.low(), t.MinAt))
			}
			if !t.Known || !part.high().less(t.high()) {
				part.MaxAt = order.first(s, c, chunk, place, part.high(), t.bestFor(part.high(), t.high(), t.MaxAt))
			}
		}
		t.merge(&part)
	}
}

// bestFor returns the position of an extreme that is known, if it is x, or else -1.
func (t *Tally) bestFor(x, known extreme, at int64) int64 {
	if t.Known && x == known {
		return at
	}
	return -1
}
