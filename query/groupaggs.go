package query

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/sortkey"
	"github.com/npygo/npy/scalar"
)

// An aggregate holds a result for each group.
type aggregate interface {
	// add adds rows of size bytes. ids has the group of each, less than n.
	add(ids []uint32, n int, data []byte, size int)
	// merge adds the groups of a later chunk, whose numbers are ids. There are n groups now.
	merge(later aggregate, ids []uint32, n int)
	// put writes the result of a group.
	put(item []byte, group int) error
	// dtype returns the dtype of the results.
	dtype() dtype.Type
	// bytes returns the memory of a group, which may grow with the values.
	bytes() int
}

// extend makes a slice n long. New values are zero.
func extend[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}

// counts counts rows, or the values of a field that are not missing.
type counts struct {
	at      fields.Place
	missing func(item []byte) bool // nil counts rows
	n       []int64
}

func (c *counts) add(ids []uint32, n int, data []byte, size int) {
	c.n = extend(c.n, n)
	if c.missing == nil {
		for _, id := range ids {
			c.n[id]++
		}
		return
	}
	item := c.at.DType.ItemSize()
	for i, id := range ids {
		if !c.missing(data[i*size+c.at.Offset:][:item]) {
			c.n[id]++
		}
	}
}

func (c *counts) merge(later aggregate, ids []uint32, n int) {
	c.n = extend(c.n, n)
	for i, id := range ids {
		c.n[id] += later.(*counts).n[i]
	}
}

func (c *counts) put(item []byte, group int) error {
	binary.NativeEndian.PutUint64(item, uint64(c.n[group]))
	return nil
}

func (c *counts) dtype() dtype.Type { return dtype.Int64 }

func (c *counts) bytes() int { return 8 }

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
	return putMissing(item, c.at.DType)
}

func (c *extremes) dtype() dtype.Type { return c.at.DType }

func (c *extremes) bytes() int { return 1 + c.at.DType.ItemSize() }

// putMissing writes NaN or NaT.
func putMissing(item []byte, t dtype.Type) error {
	big := t.ByteOrder() == dtype.BigEndian
	switch kind := elem.KindOf(t); {
	case kind == dtype.KindDatetime || kind == dtype.KindTimedelta:
		bulk.PutUint(item, 1<<63, big)
	case kind == dtype.KindComplex:
		half := len(item) / 2
		return errors.Join(putMissing(item[:half], sortkey.FloatPart(t)), putMissing(item[half:], sortkey.FloatPart(t)))
	case len(item) > 8:
		return scalar.LongDoubleFromFloat64(math.NaN()).PutBytes(item, big)
	case elem.IsBFloat16(t):
		bulk.PutUint(item, 0x7fc0, big)
	case len(item) > 1:
		bulk.PutUint(item, map[int]uint64{2: 0x7e00, 4: 0x7fc0_0000, 8: 0x7ff8_0000_0000_0000}[len(item)], big)
	default: // a float of one byte, which was missing in every row
		small, _ := elem.SmallFloatOf(t)
		item[0] = small.Nearest(math.NaN())
	}
	return nil
}

// aggNames are the functions of an Agg.
var aggNames = []string{"count", "sum", "mean", "min", "max", "std", "var", "median", "first", "last"}

// newAggregate returns the function that makes an aggregate for one chunk.
func newAggregate(what string, at fields.Place, skip bool) (func() aggregate, error) {
	t := at.DType
	switch what {
	case "first", "last", "min", "max":
		c, err := newExtremes(what, at, skip)
		return func() aggregate { d := *c; return &d }, err
	case "count":
		return func() aggregate { return &counts{at: at, missing: sortkey.MissingOf(t)} }, nil
	case "median":
		make := newMedians(at, skip)
		if make == nil {
			return nil, fmt.Errorf("query: median needs real numbers or times, not dtype %s", t)
		}
		return make, nil
	case "sum", "mean", "std", "var":
	default:
		return nil, fmt.Errorf("query: no function %q, want one of %q", what, aggNames)
	}
	kind := elem.KindOf(t)
	plain := !t.IsStruct() && !t.IsSubarray()
	exact := kind == dtype.KindInt || kind == dtype.KindUint || kind == dtype.KindBool
	if !isDeviation(what) {
		exact = exact || kind == dtype.KindTimedelta || kind == dtype.KindDatetime && what == "mean"
	}
	if plain && exact {
		return func() aggregate { return newIntMoments(at, what, skip) }, nil
	}
	var read codec.Reals
	if plain {
		read = codec.RealsOf(t)
	}
	if read == nil || !slices.Contains(aggNames, what) {
		return nil, fmt.Errorf("query: %s needs real numbers, not dtype %s", what, t)
	}
	return func() aggregate { return newFloats(what, at, skip, read) }, nil
}
