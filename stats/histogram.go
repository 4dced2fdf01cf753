package stats

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/par"
)

// A Histogram counts numbers by bin.
type Histogram struct {
	Edges  []Value `json:"edges"`  // of the bins, one more than Counts has: floats or times; nil if there are no numbers
	Counts []int64 `json:"counts"` // bin i holds Edges[i] and up, below Edges[i+1]; the last bin includes its upper edge
}

// binsMax limits the number of bins of a histogram.
const binsMax = 1 << 20

// HistogramOf counts the elements of an array of real numbers or bools in bins of equal width between the smallest and
// the largest number. The result equals numpy.histogram of the array as float64 without NaN and infinities, which are
// left out. Times are counted without NaT, in bins whose edges are whole ticks; there are fewer bins than requested if
// the range has fewer ticks. Records and other dtypes are an error that wraps [errors.ErrUnsupported]. src is read
// twice. A Source that can be read only once is held in memory.
func HistogramOf(ctx context.Context, src npy.Source, bins int) (Histogram, error) {
	if err := checkBins(bins); err != nil {
		return Histogram{}, err
	}
	each := passesOf(ctx, src)
	e, err := extentOf(src.DType(), each)
	if err != nil {
		return Histogram{}, err
	}
	return e.histogram(bins, each)
}

// edges is numpy.histogram_bin_edges: a single number lies in the middle of a range of 1. Edges are finite and in order
// even where NumPy 1.24 and 2.5 fail: in a range wider than the largest float64, and in a range of a few subnormal
// numbers.
func edges(low, high float64, bins int) []float64 {
	if low == high {
		low, high = low-0.5, high+0.5
	}
	scale := 1.0
	if !finite(high - low) {
		scale = 4
	}
	start, step := low/scale, (high/scale-low/scale)/float64(bins)
	out := make([]float64, bins+1)
	for i := range out {
		out[i] = min((start+float64(float64(i)*step))*scale, high)
	}
	out[0], out[bins] = low, high
	return out
}

// binOf returns the bin of a number. It guesses the bin and corrects the guess by the edges, which decide.
func binOf(edges []float64, x float64) int {
	last := len(edges) - 2
	width := edges[1] - edges[0]
	i := 0
	if guess := x/width - edges[0]/width; guess > 0 {
		i = int(min(guess, float64(last)))
	}
	for i > 0 && x < edges[i] {
		i--
	}
	for i < last && x >= edges[i+1] {
		i++
	}
	return i
}

// BinEdges returns the edges of bins of equal width between two numbers, as numpy.histogram_bin_edges. [HistogramOf]
// takes these edges for the smallest and the largest finite number.
func BinEdges(low, high float64, bins int) ([]float64, error) {
	if err := checkBins(bins); err != nil {
		return nil, err
	}
	if !finite(low) || !finite(high) || low > high {
		return nil, fmt.Errorf("stats: bins from %v to %v: want two finite numbers in order", low, high)
	}
	return edges(low, high, bins), nil
}

// HistogramIn counts the elements of an array of real numbers or bools between given edges, as numpy.histogram with
// bins=edges. Numbers outside of them and NaN are left out. src is read once.
//
// Histograms of the pieces of an array with the same edges add up: see [Histogram.Merge] and [Extent.Histogram]. Edges that are not in order are
// an error, and times, records and other dtypes an error that wraps [errors.ErrUnsupported].
func HistogramIn(ctx context.Context, src npy.Source, edges []float64) (Histogram, error) {
	if err := checkBins(len(edges) - 1); err != nil {
		return Histogram{}, err
	}
	for i, x := range edges {
		if x != x || i > 0 && x < edges[i-1] {
			return Histogram{}, fmt.Errorf("stats: edge %d of a histogram is %v: want edges in order", i, x)
		}
	}
	t := src.DType()
	read, err := realsOf(t)
	if err != nil {
		return Histogram{}, fmt.Errorf("stats: a histogram between edges needs real numbers or bools, not dtype %s: %w", t, errors.ErrUnsupported)
	}
	src, _ = npy.StoredOrder(src)
	return countIn(edges, t.ItemSize(), read, func(add func(data []byte, times int64)) error { return eachRun(ctx, src, add) })
}

// countIn counts numbers in the bins between edges.
func countIn(ends []float64, size int, read codec.Reals, each passes) (Histogram, error) {
	last := len(ends) - 1
	h := Histogram{make([]Value, len(ends)), make([]int64, last)}
	for i, x := range ends {
		h.Edges[i] = Float(x)
	}
	bin := func(x float64) int { return binOf(ends, x) }
	if low, high := ends[0], ends[last]; !finite(low) || !finite(high) || !slices.Equal(ends, edges(low, high, last)) {
		bin = func(x float64) int {
			after := sort.Search(len(ends), func(i int) bool { return ends[i] > x }) // the first edge that is larger
			return min(max(after-1, 0), last-1)
		}
	}
	return h, onAll(each, size, func() *[]int64 { c := make([]int64, last); return &c }, func(s *scratch, counts *[]int64, items []byte, times int64) {
		for _, x := range read(&s.numbers, items) {
			if ends[0] <= x && x <= ends[last] {
				(*counts)[bin(x)] += times
			}
		}
	}, func(counts *[]int64) {
		for i, n := range *counts {
			h.Counts[i] += n
		}
	})
}

// Merge adds the counts of other, which must have the same edges. The order does not matter. After an error h is
// unchanged.
func (h *Histogram) Merge(other Histogram) error {
	same := len(h.Counts) == len(other.Counts) && slices.EqualFunc(h.Edges, other.Edges, func(x, y Value) bool {
		a, b := x.Float64(), y.Float64()
		return a == b || a != a && b != b && x.String() == y.String()
	})
	if !same {
		return errors.New("stats: histograms with different edges cannot be merged: count both with HistogramIn")
	}
	for i, n := range other.Counts {
		if n > 0 && h.Counts[i] > math.MaxInt64-n {
			return bounded.Over("", 0, 0, "stats: over 2**63 elements in bin %d of a histogram", i)
		}
	}
	for i, n := range other.Counts {
		h.Counts[i] += n
	}
	return nil
}

func checkBins(bins int) error {
	if bins < 1 || bins > binsMax {
		return fmt.Errorf("stats: a histogram of %d bins, want 1 to %d", bins, binsMax)
	}
	return nil
}

// onAll processes all elements on several goroutines. start makes the part of a goroutine; work adds items that are there so many
// times; end takes the parts one at a time.
func onAll[P any](each passes, size int, start func() P, work func(s *scratch, part P, items []byte, times int64), end func(P)) error {
	var mu sync.Mutex
	return each(func(data []byte, times int64) {
		_ = par.Split(context.Background(), len(data)/size, chunkItems, len(data), func(low, high int) error {
			var memory scratch
			part := start()
			for ; low < high; low += chunkItems {
				work(&memory, part, data[low*size:min(low+chunkItems, high)*size], times)
			}
			mu.Lock()
			defer mu.Unlock()
			end(part)
			return nil
		})
	})
}
