package stats

import (
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/moments"
)

// cells holds the summaries of the elements of each result. Several goroutines may add to cells, each to its own.
type cells interface {
	// grow makes cells, up to n of most.
	grow(n, most int)
	// read returns items as numbers, which are valid until the next call with the same memory.
	read(s *scratch, items []byte) numbers
	// add adds numbers to the cells i, i+step, i+2·step and so on. A step of 0 adds all to one cell.
	add(i, step int, xs numbers)
	// tally adds the summary of some elements to a cell.
	tally(i int, t *tally)
	// merge adds other cells of the same kind. Each has n elements, and each of the others on.
	merge(other cells, n, on int64)
	// appendTo appends the cells, each of n elements, as bytes.
	appendTo(dst []byte, n int64) []byte
	// parse reads what appendTo appended into as many cells.
	parse(s *state, n int64)
	// axis returns the results, each of n elements.
	axis(shape []int, n int64) (Axis, error)
}

// numbers are elements: floats, or integers and times, the bits of uint64 among them.
type numbers struct {
	floats []float64
	ints   []int64
}

func (xs numbers) part(low, high int) numbers {
	if xs.floats != nil {
		return numbers{floats: xs.floats[low:high]}
	}
	return numbers{ints: xs.ints[low:high]}
}

// cellsFor returns the cells for elements of t, or nil if they have no statistics along an axis.
func cellsFor(t dtype.Type, want Along) cells {
	switch elem.KindOf(t) {
	case dtype.KindFloat:
		return newFloatCells(want, codec.FloatsOf(t, t.ItemSize()))
	case dtype.KindBool, dtype.KindInt, dtype.KindUint, dtype.KindDatetime, dtype.KindTimedelta:
		return newIntCells(t, want)
	}
	return nil
}

// missing counts the NaN or NaT of each cell. It takes no memory before there is one.
type missing struct {
	counts moments.Sparse[int64]
	cells  int
}

func (m *missing) grow(n, most int) {
	m.cells = n
	m.counts.Grow(n, most)
}

func (m *missing) add(i int, n int64) {
	if n != 0 {
		*m.counts.At(i) += n
	}
}

func (m *missing) of(i int) int64 {
	if n := m.counts.Of(i); n != nil {
		return *n
	}
	return 0
}

// floatCells are for floats. What no wanted result needs is nil.
type floatCells struct {
	want     Along
	floats   codec.Reals
	missing  missing
	moments  *moments.Cells
	merged   []byte    // in place of moments, if cells were merged: as in appendSums
	min, max []float64 // infinities before the first number; of zeros, -0.0 is the smaller
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
	if c.want.Min {
		c.min = moments.Extend(c.min, n, most, math.Inf(1))
	}
	if c.want.Max {
		c.max = moments.Extend(c.max, n, most, math.Inf(-1))
	}
	c.missing.grow(n, most)
}

func (c *floatCells) read(s *scratch, items []byte) numbers {
	return numbers{floats: c.floats(&s.numbers, items)}
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
	if lows := c.min; lows != nil {
		at := i
		for _, x := range xs.floats {
			if x == x {
				lows[at] = min(lows[at], x)
			}
			at += step
		}
	}
	if highs := c.max; highs != nil {
		at := i
		for _, x := range xs.floats {
			if x == x {
				highs[at] = max(highs[at], x)
			}
			at += step
		}
	}
}

func (c *floatCells) tally(i int, t *tally) {
	c.missing.add(i, t.nans)
	if t.count == t.nans {
		return
	}
	if c.moments != nil {
		c.moments.Merge(i, &t.re.Cell)
		if t.re.posInf > 0 {
			c.moments.Add(i, math.Inf(1))
		}
		if t.re.negInf > 0 {
			c.moments.Add(i, math.Inf(-1))
		}
	}
	if c.min != nil {
		c.min[i] = min(c.min[i], t.fmin)
	}
	if c.max != nil {
		c.max[i] = max(c.max[i], t.fmax)
	}
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
	x.Min = each(c.want.Min, nan, func(k int, _ int64) float64 { return c.min[k] })
	x.Max = each(c.want.Max, nan, func(k int, _ int64) float64 { return c.max[k] })
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

// arrayOf returns an array of xs. It does nothing after an error.
func arrayOf[T npy.Element](xs []T, shape []int, err *error) *npy.Array {
	if *err != nil {
		return nil
	}
	a, e := npy.FromSlice(xs, shape...)
	*err = e
	return a
}
