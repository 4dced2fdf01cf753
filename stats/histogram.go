package stats

import (
	"context"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/histogram"
)

// A Histogram counts numbers by bin.
type Histogram struct {
	Edges  []Value `json:"edges"`  // of the bins, one more than Counts has: floats or times; nil if there are no numbers
	Counts []int64 `json:"counts"` // bin i holds Edges[i] and up, below Edges[i+1]; the last bin includes its upper edge
}

// HistogramOf counts the elements of an array of real numbers or bools in bins of equal width between the smallest and
// the largest number. The result equals numpy.histogram of the array as float64 without NaN and infinities, which are
// left out. Times are counted without NaT, in bins whose edges are whole ticks; there are fewer bins than requested if
// the range has fewer ticks. Records and other dtypes are an error that wraps [errors.ErrUnsupported]. src is read
// twice. A Source that can be read only once is held in memory.
func HistogramOf(ctx context.Context, src npy.Source, bins int) (Histogram, error) {
	h, err := histogram.Of(ctx, src, bins)
	return histogramOf(h), err
}

// BinEdges returns the edges of bins of equal width between two numbers, as numpy.histogram_bin_edges. [HistogramOf]
// takes these edges for the smallest and the largest finite number.
func BinEdges(low, high float64, bins int) ([]float64, error) {
	return histogram.Edges(low, high, bins)
}

// HistogramIn counts the elements of an array of real numbers or bools between given edges, as numpy.histogram with
// bins=edges. Numbers outside of them and NaN are left out. src is read once.
//
// Histograms of the pieces of an array with the same edges add up: see [Histogram.Merge] and [Extent.Histogram]. Edges that are not in order are
// an error, and times, records and other dtypes an error that wraps [errors.ErrUnsupported].
func HistogramIn(ctx context.Context, src npy.Source, edges []float64) (Histogram, error) {
	h, err := histogram.In(ctx, src, edges)
	return histogramOf(h), err
}

// histogramOf returns the result of the package below.
func histogramOf(h histogram.Counts) Histogram { return Histogram{valuesOf(h.Edges), h.Counts} }

// Merge adds the counts of other, which must have the same edges. The order does not matter. After an error h is
// unchanged.
func (h *Histogram) Merge(other Histogram) error {
	same := len(h.Counts) == len(other.Counts) && slices.EqualFunc(h.Edges, other.Edges, func(x, y Value) bool {
		a, b := x.Float64(), y.Float64()
		return a == b || a != a && b != b && x.String() == y.String()
	})
	if !same {
		return diag.New("stats", "histograms with different edges cannot be merged: count both with HistogramIn")
	}
	for i, n := range other.Counts {
		if n > 0 && h.Counts[i] > math.MaxInt64-n {
			return diag.Wrap("stats", bounded.Over("", 0, 0, "over 2**63 elements in bin %d of a histogram", i))
		}
	}
	for i, n := range other.Counts {
		h.Counts[i] += n
	}
	return nil
}
