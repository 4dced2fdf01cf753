package group

import (
	"encoding/binary"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/sortkey"
)

// distinct counts the different values of each group, without NaN and NaT.
type distinct struct {
	at      fields.Place
	missing func(item []byte) bool // nil for dtypes without NaN and NaT
	plan    *sortkey.Plan
	n       []int64 // values of each group
	pairs   table   // the groups and the values: the key is the group and the words of the value
	key     []uint64
}

// newDistinct returns the function that makes an aggregate for one chunk.
func newDistinct(at fields.Place) (func() aggregate, error) {
	whole := at
	whole.Offset = 0
	plan := sortkey.NewTruth(at.DType.ItemSize())
	if err := plan.Add(whole, false); err != nil {
		return nil, err
	}
	var missing func(item []byte) bool
	if !at.DType.IsStruct() && !at.DType.IsSubarray() {
		missing = sortkey.MissingOf(at.DType)
	}
	return func() aggregate {
		words := 1 + plan.Len()
		return &distinct{at: at, missing: missing, plan: plan, pairs: table{words: words}, key: make([]uint64, words)}
	}, nil
}

func (c *distinct) add(b batch) {
	c.n = extend(c.n, b.groups)
	for i, id := range b.ids {
		item := b.item(i, &c.at)
		if c.missing != nil && c.missing(item) {
			continue
		}
		for w := range c.plan.Len() {
			c.key[w+1] = c.plan.Word(w, item)
		}
		c.count(id)
	}
}

// count counts the value of the key in a group, unless it was there before.
func (c *distinct) count(group uint32) {
	c.key[0] = uint64(group)
	if _, added := c.pairs.find(c.key); added {
		c.n[group]++
	}
}

func (c *distinct) merge(later aggregate, ids []uint32, n int) {
	c.n = extend(c.n, n)
	d := later.(*distinct)
	for i := range d.pairs.n {
		key := d.pairs.keys[i*d.pairs.words : (i+1)*d.pairs.words]
		copy(c.key, key)
		c.count(ids[key[0]])
	}
}

func (c *distinct) put(item []byte, group int) error {
	binary.NativeEndian.PutUint64(item, uint64(c.n[group]))
	return nil
}

func (c *distinct) dtype() dtype.Type { return dtype.Int64 }
func (c *distinct) bytes() int        { return 8 }

// held returns the memory of the values, which are not bounded by the number of groups.
func (c *distinct) held() int64 { return int64(c.pairs.n) * int64(8*c.pairs.words+8) }
