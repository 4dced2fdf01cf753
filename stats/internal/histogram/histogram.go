package histogram

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/feed"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/keys"
)

// Of counts the elements of an array between its smallest and its largest number. src is read twice.
func Of(ctx context.Context, src npy.Source, bins int) (Counts, error) {
	if err := Check(bins); err != nil {
		return Counts{}, err
	}
	each := feed.Often(ctx, src)
	e, err := extentOf(src.DType(), each)
	if err != nil {
		return Counts{}, err
	}
	return e.count(bins, each)
}

// Count counts the elements of a piece of the array in the bins of the whole, whose Extent is e. src is read once.
func (e *Extent) Count(ctx context.Context, src npy.Source, bins int) (Counts, error) {
	if t := src.DType(); !e.t.Equal(t) {
		return Counts{}, diag.Errorf("stats", "elements of dtype %s are not those of an extent of dtype %s", t, e.t)
	}
	if err := Check(bins); err != nil {
		return Counts{}, err
	}
	return e.count(bins, feed.Once(ctx, src))
}

func (e *Extent) count(bins int, each feed.Passes) (Counts, error) {
	switch {
	case !e.some:
		return Counts{Counts: make([]int64, bins)}, nil
	case items.HasTicks(e.t):
		return e.countTimes(bins, each)
	}
	return countIn(edges(keys.FloatOf(e.low), keys.FloatOf(e.high), bins), e.t.ItemSize(), codec.RealsOf(e.t), each)
}

// countTimes counts ticks by their keys.
func (e *Extent) countTimes(bins int, each feed.Passes) (Counts, error) {
	k, _ := keys.Of(e.t)
	low, high := e.low, e.high
	if low == high { // one tick, as a bin of its own
		if high++; high == 0 {
			low, high = math.MaxUint64-1, math.MaxUint64
		}
	}
	n := min(uint64(bins), high-low)
	h := Counts{Counts: make([]int64, n)}
	edges := make([]uint64, n+1)
	for i := range edges {
		over, under := bits.Mul64(high-low, uint64(i))
		ticks, _ := bits.Div64(over, under, n)
		edges[i] = low + ticks
		h.Edges = append(h.Edges, k.Value(edges[i]))
	}
	return h, feed.On(each, e.t.ItemSize(), func() *[]int64 { c := make([]int64, n); return &c }, func(s *items.Scratch, counts *[]int64, data []byte, times int64) {
		for _, key := range k.Keys(s, data) {
			if key < low || key > high {
				continue
			}
			i, found := slices.BinarySearch(edges, key)
			if !found {
				i--
			}
			(*counts)[min(i, int(n)-1)] += times
		}
	}, h.add)
}
