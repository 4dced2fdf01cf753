package stats

import (
	"fmt"
	"math"

	"github.com/npygo/npy/internal/bounded"
)

// maxItems limits the items of a column, so that neither their number nor a sum of them overflows.
const maxItems = 1 << 62

// mostElements returns the largest number of elements that can be counted.
func (acc *Accumulator) mostElements() int64 {
	if acc.t.ItemSize() == 0 {
		return math.MaxInt64
	}
	items := int64(1)
	for _, c := range acc.columns {
		if c.size > 0 {
			items = max(items, c.items)
		}
	}
	return maxItems / items
}

// StartAt makes element the position of the element added next, counted from the beginning of the whole array, in the
// order in which its elements are stored: ArgMin and ArgMax count from there. It also ends the block, so an Accumulator
// can take several pieces of an array, one StartAt and its data after the other.
//
// Pieces may begin anywhere. The sums of floats equal the sums of the whole array to the last bit if each piece
// begins at a multiple of [BlockElements].
func (acc *Accumulator) StartAt(element int64) error {
	if most := acc.mostElements() / 2; element < 0 || element > most {
		return fmt.Errorf("stats: position %d is out of range for an element: want 0 to %d", element, most)
	}
	elems, err := acc.elements()
	if err != nil {
		return err
	}
	for i, total := range acc.totals() {
		acc.total[i] = total
	}
	acc.elems, acc.rest, acc.next = elems, nil, element
	return nil
}

// Merge adds the elements that other has summarised, as if they had been added to acc. other is unchanged, and elements
// added to acc later follow the elements added before.
//
// The result does not depend on the order and the groups in which Accumulators are merged, down to the last bit of each
// float. It equals the result of one Accumulator for the whole array if all pieces begin at multiples of
// [BlockElements], and if [Accumulator.StartAt] gave their positions, which the extremes need too. The cost is one
// block's.
//
// Different dtypes are an error, and so is data of other that ends within an element, which wraps [io.ErrUnexpectedEOF].
// More elements than can be counted, about 2**62, are an error that wraps [npy.ErrLimit]. After an error acc is unchanged.
func (acc *Accumulator) Merge(other *Accumulator) error {
	if !acc.t.IsValid() || !acc.t.Equal(other.t) {
		return fmt.Errorf("stats: cannot merge elements of dtype %s into those of dtype %s", other.t, acc.t)
	}
	elems, err := other.elements()
	if err != nil {
		return err
	}
	if most := acc.mostElements(); acc.elems > most-elems {
		return bounded.Over("", 0, 0, "stats: %d and %d elements are more than the %d that can be counted", acc.elems, elems, most)
	}
	acc.elems += elems
	for i, total := range other.totals() {
		acc.total[i].merge(&total)
	}
	return nil
}
