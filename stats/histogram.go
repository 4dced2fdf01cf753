package stats

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/par"
)

// A Histogram counts numbers by bin.
type Histogram struct {
	Edges  []float64 // of the bins, one more than Counts has; nil if there are no numbers
	Counts []int64   // bin i holds Edges[i] and up, below Edges[i+1]; the last bin includes its upper edge
}

// binsMax limits the number of bins of a histogram.
const binsMax = 1 << 20

// HistogramOf counts the elements of an array of real numbers or bools in bins of equal width between the smallest and
// the largest number. The result is that of numpy.histogram for the array as float64 without NaN and infinities, which
// are left out. Records and dtypes that are not real numbers are an error that wraps [errors.ErrUnsupported]. src is
// read twice. A Source that can be read only once is held in memory.
func HistogramOf(ctx context.Context, src npy.Source, bins int) (Histogram, error) {
	return histogramOf(src.DType(), bins, passesOf(ctx, src))
}

func histogramOf(t dtype.Type, bins int, each passes) (Histogram, error) {
	if bins < 1 || bins > binsMax {
		return Histogram{}, fmt.Errorf("stats: a histogram of %d bins, want 1 to %d", bins, binsMax)
	}
	read, err := realsOf(t)
	if err != nil {
		return Histogram{}, fmt.Errorf("stats: a histogram needs real numbers or bools, not dtype %s: %w", t, errors.ErrUnsupported)
	}
	low, high := math.Inf(1), math.Inf(-1)
	err = onAll(each, t.ItemSize(), func() *span { return &span{min: math.Inf(1), max: math.Inf(-1)} }, func(s *scratch, r *span, items []byte) {
		for _, x := range read(&s.numbers, items) {
			if finite(x) {
				r.add(x)
			}
		}
	}, func(r *span) { low, high = min(low, r.min), max(high, r.max) })
	if err != nil || low > high {
		return Histogram{Counts: make([]int64, bins)}, err
	}
	h := Histogram{edges(low, high, bins), make([]int64, bins)}
	return h, onAll(each, t.ItemSize(), func() *[]int64 { c := make([]int64, bins); return &c }, func(s *scratch, counts *[]int64, items []byte) {
		for _, x := range read(&s.numbers, items) {
			if finite(x) {
				(*counts)[h.bin(x)]++
			}
		}
	}, func(counts *[]int64) {
		for i, n := range *counts {
			h.Counts[i] += n
		}
	})
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

// bin returns the bin of a number. It guesses the bin and corrects the guess by the edges, which decide.
func (h Histogram) bin(x float64) int {
	last := len(h.Counts) - 1
	width := h.Edges[1] - h.Edges[0]
	i := 0
	if guess := x/width - h.Edges[0]/width; guess > 0 {
		i = int(min(guess, float64(last)))
	}
	for i > 0 && x < h.Edges[i] {
		i--
	}
	for i < last && x >= h.Edges[i+1] {
		i++
	}
	return i
}

// onAll processes all elements on several goroutines. start makes the part of a goroutine; end takes the parts one at a
// time.
func onAll[P any](each passes, size int, start func() P, work func(s *scratch, part P, items []byte), end func(P)) error {
	var mu sync.Mutex
	return each(func(data []byte) {
		_ = par.Split(context.Background(), len(data)/size, chunkItems, len(data), func(low, high int) error {
			var memory scratch
			part := start()
			for ; low < high; low += chunkItems {
				work(&memory, part, data[low*size:min(low+chunkItems, high)*size])
			}
			mu.Lock()
			defer mu.Unlock()
			end(part)
			return nil
		})
	})
}
