package charts

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/dtype"
)

// A histogram is how many numbers are between consecutive edges.
type histogram struct {
	edges  []float64
	counts []int
}

// addHistogram counts the numbers of an array, or of one field of it.
func (c *Chart) addHistogram(s plotSource) ([]string, error) {
	from, name, err := c.counted(s)
	if err != nil {
		return nil, err
	}
	t := from.DType()
	x, tally, err := c.span(s.ctx, from)
	if err != nil {
		return nil, err
	}
	if tally.points == 0 {
		return nil, errors.New("it has no finite numbers to count")
	}
	if tally.left() == 0 {
		return nil, tally.nothing()
	}
	h := histogram{edges: x.edges(c.options.Bins, isWhole(t))}
	if err := h.count(s.ctx, from, x); err != nil {
		return nil, err
	}
	c.hist, c.x = &h, x
	c.x.low, c.x.high, c.x.whole = h.edges[0], h.edges[len(h.edges)-1], isWhole(t)
	c.x.title = name
	if t.Kind() == dtype.KindComplex {
		c.x.title = "magnitude " + name
	}
	c.y.whole, c.y.title = true, "count"
	most := float64(slices.Max(h.counts))
	c.y.low, c.y.high = 0, 1.05*most
	if c.y.log {
		c.y.low, c.y.high = 0.5, 2*most
	}
	if c.y.limited() {
		c.y.settle(0)
	}
	return tally.words(), nil
}

// counted returns the numbers that a histogram counts: the array, or the field or column that --x or --y names.
func (c *Chart) counted(s plotSource) (from npy.Source, name string, err error) {
	names := slices.Clone(c.options.Y)
	if c.options.X != "" {
		names = append(names, c.options.X)
	}
	if len(names) == 0 {
		if !numbers.Numeric(s.DType()) {
			return nil, "", numbers.NotNumeric(s.DType())
		}
		return s.Source, "", nil
	}
	if len(names) > 1 {
		return nil, "", errors.New("a histogram counts one field; name one with --x")
	}
	column, err := s.named(names[0], c.axis())
	if err != nil {
		return nil, "", err
	}
	from, err = s.Select(slices.Concat(column.before, []npy.Index{npy.All()}, column.rest)...)
	return from, names[0], err
}

// span returns the axis from the least to the greatest number that has a place on it.
func (c *Chart) span(ctx context.Context, from npy.Source) (axis, tally, error) {
	x := emptyAxis(c.options.Log.X, isTime(from.DType()))
	c.y = emptyAxis(c.options.Log.Y, false)
	var t tally
	if err := errors.Join(x.limit("--xlim", c.options.XLimits), c.y.limit("--ylim", c.options.YLimits)); err != nil {
		return x, t, err
	}
	err := everything(ctx, from, func(c counted) error {
		var some tally
		some.sift(&x, nil, c.values, nil, false)
		t.add(some.repeat(c.times))
		x.include(c.values...)
		return nil
	})
	if err != nil {
		return x, t, err
	}
	x.settle(0)
	return x, t, nil
}

// isWhole reports whether the numbers of a dtype are whole.
func isWhole(t dtype.Type) bool {
	return slices.Contains([]dtype.Kind{dtype.KindBool, dtype.KindInt, dtype.KindUint, dtype.KindTimedelta}, t.Kind())
}

// wholeMax is the largest number up to which float64 has all halves between whole numbers.
const wholeMax = 1 << 52

// edges returns the edges of at most n bins of the same width, or the same ratio on a log axis. Between the bins of
// whole numbers the edges are halfway, so that each bin has the same number of them.
func (a axis) edges(n int, whole bool) []float64 {
	whole = whole && max(math.Abs(a.low), math.Abs(a.high)) < wholeMax
	low, high := a.low, a.high
	if whole {
		low, high = math.Ceil(low), math.Floor(high)
		if !a.log {
			width := math.Ceil((high - low + 1) / float64(n))
			n = int(math.Ceil((high - low + 1) / width))
			edges := make([]float64, n+1)
			for i := range edges {
				edges[i] = low - 0.5 + float64(i)*width
			}
			return edges
		}
		low, high = low-0.5, high+0.5
	}
	edges := make([]float64, n+1)
	for i := range edges {
		part := float64(i) / float64(n)
		edges[i] = low*(1-part) + high*part
		if a.log {
			edges[i] = math.Exp(math.Log(low)*(1-part) + math.Log(high)*part)
		}
		if whole {
			edges[i] = math.Round(edges[i]+0.5) - 0.5
		}
	}
	edges[0], edges[n] = low, high
	return slices.Compact(edges)
}

// count counts the numbers of a source, as numpy.histogram: the last bin has both of its edges.
func (h *histogram) count(ctx context.Context, from npy.Source, x axis) error {
	n := len(h.edges) - 1
	h.counts = make([]int, n)
	scale := axis{low: h.edges[0], high: h.edges[n], log: x.log}
	place := scale.place()
	return everything(ctx, from, func(c counted) error {
		new(tally).sift(&x, nil, c.values, nil, false)
		for _, v := range c.values {
			at := place(v)
			if !(at >= 0 && at <= 1) {
				continue
			}
			// The guess is exact to one bin where the bins are even, and the search corrects it elsewhere.
			i := min(int(at*float64(n)), n-1)
			if v < h.edges[i] || v >= h.edges[i+1] && i < n-1 {
				i = min(max(sort.Search(n, func(k int) bool { return h.edges[k+1] > v }), 0), n-1)
			}
			h.counts[i] += c.times
		}
		return nil
	})
}
