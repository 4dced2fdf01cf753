package accumulate

import (
	"math"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/feed"
	"github.com/npygo/npy/stats/internal/state"
)

// mostElements returns the largest number of elements that can be counted.
func (acc *Accumulator) mostElements() int64 {
	if acc.t.ItemSize() == 0 {
		return math.MaxInt64
	}
	items := int64(1)
	for _, c := range acc.columns {
		if c.Size > 0 {
			items = max(items, c.Each)
		}
	}
	return state.MaxItems / items
}

// StartAt makes element the position of the element added next, in stored order. It also ends the block.
func (acc *Accumulator) StartAt(element int64) error {
	if most := acc.mostElements() / 2; element < 0 || element > most {
		return diag.Errorf("stats", "position %d is out of range for an element: want 0 to %d", element, most)
	}
	elems, err := acc.elements()
	if err != nil {
		return err
	}
	for i, total := range acc.totals() {
		acc.total[i] = total
	}
	acc.elems, acc.blocks, acc.next = elems, feed.Cutter{}, element
	return nil
}

// Merge adds the elements that other has summarised, as if they had been added to acc. After an error acc is unchanged.
func (acc *Accumulator) Merge(other *Accumulator) error {
	if !acc.t.IsValid() || !acc.t.Equal(other.t) {
		return diag.Errorf("stats", "cannot merge elements of dtype %s into those of dtype %s", other.t, acc.t)
	}
	elems, err := other.elements()
	if err != nil {
		return err
	}
	if most := acc.mostElements(); acc.elems > most-elems {
		return diag.Wrap("stats", bounded.Over("", 0, 0, "%d and %d elements are more than the %d that can be counted", acc.elems, elems, most))
	}
	acc.elems += elems
	for i, total := range other.totals() {
		acc.total[i].Merge(&total)
	}
	return nil
}
