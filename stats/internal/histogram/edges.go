package histogram

import (
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/items"
)

// most limits the number of bins of a histogram.
const most = 1 << 20

// Check returns an error for a number of bins that is out of range.
func Check(bins int) error {
	if bins < 1 || bins > most {
		return diag.Errorf("stats", "a histogram of %d bins, want 1 to %d", bins, most)
	}
	return nil
}

// Edges returns the edges of bins of equal width between two numbers, as numpy.histogram_bin_edges.
func Edges(low, high float64, bins int) ([]float64, error) {
	if err := Check(bins); err != nil {
		return nil, err
	}
	if !items.IsFinite(low) || !items.IsFinite(high) || low > high {
		return nil, diag.Errorf("stats", "bins from %v to %v: want two finite numbers in order", low, high)
	}
	return edges(low, high, bins), nil
}

// edges is numpy.histogram_bin_edges: a single number lies in the middle of a range of 1. Edges are finite and in order
// even where NumPy 1.24 and 2.5 fail: in a range wider than the largest float64, and in a range of a few subnormal
// numbers.
func edges(low, high float64, bins int) []float64 {
	if low == high {
		low, high = low-0.5, high+0.5
	}
	scale := 1.0
	if !items.IsFinite(high - low) {
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
