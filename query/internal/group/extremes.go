package group

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/sortkey"
)

// extremes are items of a field: the smallest, the largest, the first or the last of each group.
type extremes struct {
	at      fields.Place
	missing func(item []byte) bool
	skip    bool
	plan    *sortkey.Plan // the order, in which the result comes first; nil for the first and the last
	last    bool
	items   []byte
	set     []bool
}

func newExtremes(what string, at fields.Place, skip bool) (*extremes, error) {
	c := &extremes{at: at, skip: skip, last: what == "last"}
	if !at.DType.IsStruct() && !at.DType.IsSubarray() {
		c.missing = sortkey.MissingOf(at.DType)
	}
	if what == "min" || what == "max" {
		c.plan = sortkey.NewTruth(at.DType.ItemSize())
		whole := at
		whole.Offset = 0
		if err := c.plan.Add(whole, what == "max"); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// better reports whether an item takes the place of another.
func (c *extremes) better(item, old []byte) bool {
	switch {
	case c.plan == nil:
		return c.last
	case c.missing != nil && c.missing(old): // as in NumPy, the result is NaN if there is one
		return false
	case c.missing != nil && c.missing(item):
		return true
	}
	return c.plan.Compare(0, item, old) < 0
}

func (c *extremes) offer(group int, item []byte) {
	if c.skip && c.missing != nil && c.missing(item) {
		return
	}
	old := c.items[group*len(item) : (group+1)*len(item)]
	if !c.set[group] || c.better(item, old) {
		copy(old, item)
		c.set[group] = true
	}
}

func (c *extremes) extend(n int) {
	c.set, c.items = extend(c.set, n), extend(c.items, n*c.at.DType.ItemSize())
}

func (c *extremes) add(ids []uint32, n int, data []byte, size int) {
	c.extend(n)
	item := c.at.DType.ItemSize()
	for i, id := range ids {
		c.offer(int(id), data[i*size+c.at.Offset:][:item])
	}
}

func (c *extremes) merge(later aggregate, ids []uint32, n int) {
	c.extend(n)
	d, item := later.(*extremes), c.at.DType.ItemSize()
	for i, id := range ids {
		if d.set[i] {
			c.offer(int(id), d.items[i*item:(i+1)*item])
		}
	}
}

func (c *extremes) put(item []byte, group int) error {
	if c.set[group] {
		copy(item, c.items[group*len(item):])
		return nil
	}
	return sortkey.PutMissing(item, c.at.DType)
}

func (c *extremes) dtype() dtype.Type { return c.at.DType }
func (c *extremes) bytes() int        { return 1 + c.at.DType.ItemSize() }
