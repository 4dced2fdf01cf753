package accumulate

import (
	"bytes"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/stats/internal/items"
)

// addCopies adds equal elements: one block of them is summarised, and the summary multiplied. The array is divided into the same
// blocks as if the elements were read.
func (acc *Accumulator) addCopies(value []byte, count int) {
	n := int64(count)
	each := int64(BlockElements(acc.t))
	size := int64(acc.t.ItemSize())
	if begun := int64(len(acc.blocks.Rest())) / size; begun > 0 {
		k := min(n, each-begun)
		acc.Add(bytes.Repeat(value, int(k)))
		n -= k
	}
	if blocks := n / each; blocks > 0 {
		block := make([]byte, each*size)
		bulk.Repeat(block, value)
		acc.addEqual(block, blocks)
		n %= each
	}
	acc.Add(bytes.Repeat(value, int(n)))
}

// addEqual adds a number of equal blocks.
func (acc *Accumulator) addEqual(block []byte, blocks int64) {
	var s items.Scratch
	count := blocks * int64(BlockElements(acc.t))
	for i := range acc.columns {
		c := &acc.columns[i]
		t := c.Block(&s, acc.order, acc.t.ItemSize(), block, acc.next)
		if acc.order != nil && t.Known {
			first := acc.order.Least(acc.next, acc.next+count) * c.Each
			t.MinAt, t.MaxAt = first+t.MinAt%c.Each, first+t.MaxAt%c.Each
		}
		acc.total[i].AddTimes(&t, blocks)
	}
	acc.next += count
	acc.elems += count
}
