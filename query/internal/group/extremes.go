package group

import (
	"encoding/binary"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/sortkey"
)

// noRow is the result of argmin and argmax of no values.
const noRow = -1

// extremes are items of a field: the smallest, the largest, the first or the last of each group.
type extremes struct {
	at      fields.Place
	missing func(item []byte) bool
	skip    bool
	plan    *sortkey.Plan // the order, in which the result comes first; nil for the first and the last
	last    bool
	items   []byte
	set     []bool

	places bool  // the results are the numbers of the rows
	rows   []int // of the items; nil unless places is set

	load sortkey.Load // makes the key of an item; nil for keys of several words
	best []uint64     // the keys of the items, while rows are added
}

func newExtremes(what string, at fields.Place, skip bool) (*extremes, error) {
	c := &extremes{at: at, skip: skip, last: what == "last"}
	if !at.DType.IsStruct() && !at.DType.IsSubarray() {
		c.missing = sortkey.MissingOf(at.DType)
	}
	order, places := strings.CutPrefix(what, "arg")
	if c.places = places; order == "min" || order == "max" {
		c.plan = sortkey.NewTruth(at.DType.ItemSize())
		whole := at
		whole.Offset = 0
		if err := c.plan.Add(whole, order == "max"); err != nil {
			return nil, err
		}
		if !at.DType.IsStruct() && !at.DType.IsSubarray() {
			c.load = c.plan.Single()
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

func (c *extremes) offer(group int, item []byte, row int) {
	if c.skip && c.missing != nil && c.missing(item) {
		return
	}
	old := c.items[group*len(item) : (group+1)*len(item)]
	if !c.set[group] || c.better(item, old) {
		copy(old, item)
		if c.set[group] = true; c.places {
			c.rows[group] = row
		}
	}
}

func (c *extremes) extend(n int) {
	c.set, c.items = extend(c.set, n), extend(c.items, n*c.at.DType.ItemSize())
	if c.places {
		c.rows = extend(c.rows, n)
	}
}

func (c *extremes) add(b batch) {
	c.extend(b.groups)
	if c.load != nil {
		c.addByKey(b)
		return
	}
	for i, id := range b.ids {
		c.offer(int(id), b.item(i, &c.at), b.first+i)
	}
}

// addByKey is add for items with a key of one word: most items are not better than the best so far, which the key tells.
func (c *extremes) addByKey(b batch) {
	c.best = extend(c.best, b.groups)
	top := ^uint64(0) >> (64 - 8*c.at.DType.ItemSize()) // NaN and NaT have no smaller key
	for i, id := range b.ids {
		item := b.item(i, &c.at)
		if key := c.load(item); key < c.best[id] || !c.set[id] || key >= top && c.missing != nil && c.missing(item) {
			c.offer(int(id), item, b.first+i)
			c.best[id] = c.load(c.items[int(id)*len(item):])
		}
	}
}

func (c *extremes) merge(later aggregate, ids []uint32, n int) {
	c.extend(n)
	d, item := later.(*extremes), c.at.DType.ItemSize()
	for i, id := range ids {
		if d.set[i] {
			row := 0
			if c.places {
				row = d.rows[i]
			}
			c.offer(int(id), d.items[i*item:(i+1)*item], row)
		}
	}
}

func (c *extremes) put(item []byte, group int) error {
	if c.places {
		row := noRow
		if c.set[group] {
			row = c.rows[group]
		}
		binary.NativeEndian.PutUint64(item, uint64(row))
		return nil
	}
	if c.set[group] {
		copy(item, c.items[group*len(item):])
		return nil
	}
	return sortkey.PutMissing(item, c.at.DType)
}

func (c *extremes) dtype() dtype.Type {
	if c.places {
		return dtype.Int64
	}
	return c.at.DType
}

func (c *extremes) bytes() int { return 1 + c.at.DType.ItemSize() + 8 }
