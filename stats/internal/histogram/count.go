package histogram

import (
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/feed"
	"github.com/npygo/npy/stats/internal/items"
)

// Counts are numbers by bin, with the fields of stats.Histogram. An edge is a float64 or the text of a time.
type Counts struct {
	Edges  []any
	Counts []int64
}

// add adds the counts of one goroutine.
func (h *Counts) add(counts *[]int64) {
	for i, n := range *counts {
		h.Counts[i] += n
	}
}

// In counts the elements of an array of real numbers or bools between given edges. src is read once.
func In(ctx context.Context, src npy.Source, edges []float64) (Counts, error) {
	if err := Check(len(edges) - 1); err != nil {
		return Counts{}, err
	}
	for i, x := range edges {
		if x != x || i > 0 && x < edges[i-1] {
			return Counts{}, diag.Errorf("stats", "edge %d of a histogram is %v: want edges in order", i, x)
		}
	}
	t := src.DType()
	read := codec.RealsOf(t)
	if read == nil {
		return Counts{}, diag.Errorf("stats", "a histogram between edges needs real numbers or bools, not dtype %s: %w", t, errors.ErrUnsupported)
	}
	return countIn(edges, t.ItemSize(), read, feed.Once(ctx, src))
}

// countIn counts numbers in the bins between edges.
func countIn(ends []float64, size int, read codec.Reals, each feed.Passes) (Counts, error) {
	last := len(ends) - 1
	h := Counts{make([]any, len(ends)), make([]int64, last)}
	for i, x := range ends {
		h.Edges[i] = x
	}
	bin := func(x float64) int { return binOf(ends, x) }
	if low, high := ends[0], ends[last]; !items.IsFinite(low) || !items.IsFinite(high) || !slices.Equal(ends, edges(low, high, last)) {
		bin = func(x float64) int {
			after := sort.Search(len(ends), func(i int) bool { return ends[i] > x }) // the first edge that is larger
			return min(max(after-1, 0), last-1)
		}
	}
	return h, feed.On(each, size, func() *[]int64 { c := make([]int64, last); return &c }, func(s *items.Scratch, counts *[]int64, data []byte, times int64) {
		for _, x := range read(&s.Numbers, data) {
			if ends[0] <= x && x <= ends[last] {
				(*counts)[bin(x)] += times
			}
		}
	}, h.add)
}
