package along

import (
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/moments"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/state"
	"github.com/npygo/npy/stats/internal/tally"
)

// floatCells are for floats. Fields that no wanted result needs are nil.
type floatCells struct {
	want     Along
	floats   codec.Reals
	missing  missing
	moments  *moments.Cells
	merged   []byte            // in place of moments, if cells were merged: as in state.AppendSums
	extremes extremes[float64] // infinities before the first number; of zeros, -0.0 is the smaller
}

func newFloatCells(want Along, floats codec.Reals) *floatCells {
	c := &floatCells{want: want, floats: floats}
	if want.sums() {
		c.moments = moments.NewCells(want.Std)
	}
	return c
}

func (c *floatCells) grow(n, most int) {
	if c.moments != nil {
		c.moments.Grow(n, most)
	}
	c.extremes.grow(n, most, c.want, math.Inf(1), math.Inf(-1))
	c.missing.grow(n, most)
}

func (c *floatCells) read(s *items.Scratch, data []byte) numbers {
	return numbers{floats: c.floats(&s.Numbers, data)}
}

func (c *floatCells) add(i, step int, xs numbers) {
	at := i
	for _, x := range xs.floats {
		if x != x {
			c.missing.add(at, 1)
		}
		at += step
	}
	if c.moments != nil {
		c.moments.AddEach(i, step, xs.floats)
	}
	if lows := c.extremes.min; lows != nil {
		at := i
		for _, x := range xs.floats {
			if x == x {
				lows[at] = min(lows[at], x)
			}
			at += step
		}
	}
	if highs := c.extremes.max; highs != nil {
		at := i
		for _, x := range xs.floats {
			if x == x {
				highs[at] = max(highs[at], x)
			}
			at += step
		}
	}
}

func (c *floatCells) tally(i int, t *tally.Tally) {
	c.missing.add(i, t.NaNs)
	if t.Count == t.NaNs {
		return
	}
	if c.moments != nil {
		c.moments.Merge(i, &t.Re.Cell)
		if t.Re.PosInf > 0 {
			c.moments.Add(i, math.Inf(1))
		}
		if t.Re.NegInf > 0 {
			c.moments.Add(i, math.Inf(-1))
		}
	}
	c.extremes.add(i, t.FMin, t.FMax)
}

func (c *floatCells) axis(shape []int, n int64) (x Axis, err error) {
	sum, mean, std := c.results(n)
	each := func(want bool, none float64, value func(k int, n int64) float64) *npy.Array {
		if !want {
			return nil
		}
		xs := make([]float64, c.missing.cells)
		for k := range xs {
			if xs[k] = none; c.missing.of(k) < n {
				xs[k] = value(k, n-c.missing.of(k))
			}
		}
		return arrayOf(xs, shape, &err)
	}
	nan := math.NaN()
	x.Mean = each(c.want.Mean, nan, mean)
	x.Std = each(c.want.Std, nan, std)
	x.Min = each(c.want.Min, nan, func(k int, _ int64) float64 { return c.extremes.min[k] })
	x.Max = each(c.want.Max, nan, func(k int, _ int64) float64 { return c.extremes.max[k] })
	x.Sum = each(c.want.Sum, 0, sum)
	return x, err
}

// results returns the functions that give the sum, the mean and the standard deviation of a cell of n numbers, of cells of n
// elements.
func (c *floatCells) results(n int64) (sum, mean, std func(k int, n int64) float64) {
	switch {
	case !c.want.sums():
		return nil, nil, nil
	case c.merged == nil:
		return c.moments.Total, c.moments.Mean, c.moments.Std
	}
	all := c.exacts(n)
	values := make([][3]float64, c.missing.cells)
	for k := range values {
		s := all.next(k)
		values[k] = [3]float64{s.Total(), s.Mean(), math.NaN()}
		if c.want.Std {
			values[k][2] = moments.Std(s)
		}
	}
	of := func(i int) func(k int, _ int64) float64 { return func(k int, _ int64) float64 { return values[k][i] } }
	return of(0), of(1), of(2)
}

// exacts reads the exact sums of cells, one after the other.
type exacts struct {
	c    *floatCells
	rest *state.Reader // of the merged cells
	n    int64         // elements of a cell
}

func (c *floatCells) exacts(n int64) *exacts {
	return &exacts{c: c, rest: state.NewReader(c.merged), n: n}
}

// next returns the sums of cell i, which must be the one after the last.
func (e *exacts) next(i int) *moments.Sums {
	n := e.n - e.c.missing.of(i)
	if e.c.merged != nil {
		return e.rest.Sums(n)
	}
	return e.c.moments.Exact(i, n)
}

func (c *floatCells) merge(other cells, n, on int64) {
	o := other.(*floatCells)
	if c.want.sums() {
		a, b := c.exacts(n), o.exacts(on)
		merged := []byte{}
		for i := range c.missing.cells {
			s := a.next(i)
			s.Merge(b.next(i))
			merged = state.AppendSums(merged, s)
		}
		c.merged, c.moments = merged, nil
	}
	c.extremes.merge(&o.extremes)
	c.missing.merge(&o.missing)
}
