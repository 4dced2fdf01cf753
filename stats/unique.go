package stats

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
)

// A Unique is a value and the number of elements that have it.
type Unique struct {
	Value Value `json:"value"`
	Count int64 `json:"count"`
}

// UniquesOf returns the distinct values of an array of integers or bools in order, with their counts, as numpy.unique
// does. Bools count as 0 and 1. If there are more than most distinct values it reports false and returns no values.
// Other dtypes are an error that wraps [errors.ErrUnsupported].
func UniquesOf(ctx context.Context, src npy.Source, most int) (values []Unique, all bool, err error) {
	src, _ = npy.StoredOrder(src)
	return uniquesOf(src.DType(), most, func(add func(data []byte)) error { return eachBlock(ctx, src, add) })
}

func uniquesOf(t dtype.Type, most int, each passes) ([]Unique, bool, error) {
	read, err := intsOf(t)
	if err != nil {
		return nil, false, fmt.Errorf("stats: unique values need integers or bools, not dtype %s: %w", t, errors.ErrUnsupported)
	}
	total := counter{most: most}
	err = onAll(each, t.ItemSize(), func() *counter { return &counter{most: most} }, func(s *scratch, c *counter, items []byte) {
		if len(c.counts) <= most {
			read(s, c, items)
		}
	}, func(c *counter) {
		for x, n := range c.counts {
			total.add(x, n)
		}
	})
	if err != nil || len(total.counts) > most {
		return nil, false, err
	}
	unsigned := elem.KindOf(t) == dtype.KindUint
	var out []Unique
	for x, n := range total.counts {
		v := big.NewInt(x)
		if unsigned {
			v.SetUint64(uint64(x))
		}
		out = append(out, Unique{intValue(v), n})
	}
	slices.SortFunc(out, func(a, b Unique) int { return a.Value.int.Cmp(b.Value.int) })
	return out, true, nil
}

// A counter counts values. A value over MaxInt64 is the negative number of the same bits. It stops at most+1 values.
type counter struct {
	most   int
	counts map[int64]int64
}

func (c *counter) add(x, n int64) {
	if len(c.counts) > c.most {
		return
	}
	if c.counts == nil {
		c.counts = map[int64]int64{}
	}
	c.counts[x] += n
}

// intsOf returns the function that counts the integers in items.
func intsOf(t dtype.Type) (func(s *scratch, c *counter, items []byte), error) {
	swap := !t.IsNative()
	switch kind := elem.KindOf(t); {
	case kind == dtype.KindBool:
		return func(_ *scratch, c *counter, items []byte) {
			trues := 0
			for _, x := range items {
				trues += int(min(x, 1))
			}
			c.addIf(0, len(items)-trues)
			c.addIf(1, trues)
		}, nil
	case kind != dtype.KindInt && kind != dtype.KindUint || t.Kind() == dtype.KindVoid:
		return nil, errors.ErrUnsupported
	case kind == dtype.KindUint && t.ItemSize() == 1:
		return countInts[uint8](swap), nil
	case kind == dtype.KindUint && t.ItemSize() == 2:
		return countInts[uint16](swap), nil
	case kind == dtype.KindUint && t.ItemSize() == 4:
		return countInts[uint32](swap), nil
	case t.ItemSize() == 1:
		return countInts[int8](swap), nil
	case t.ItemSize() == 2:
		return countInts[int16](swap), nil
	case t.ItemSize() == 4:
		return countInts[int32](swap), nil
	}
	return countInts[int64](swap), nil
}

func (c *counter) addIf(x int64, n int) {
	if n > 0 {
		c.add(x, int64(n))
	}
}

// countInts counts a run of equal values at once.
func countInts[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](swap bool) func(*scratch, *counter, []byte) {
	return func(s *scratch, c *counter, items []byte) {
		xs := codec.View[T](&s.numbers, items, swap)
		for len(xs) > 0 {
			n := 1
			for n < len(xs) && xs[n] == xs[0] {
				n++
			}
			c.add(int64(xs[0]), int64(n))
			xs = xs[n:]
		}
	}
}
