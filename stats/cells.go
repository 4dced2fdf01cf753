package stats

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
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
		return &floatCells{want: want, floats: codec.FloatsOf(t, t.ItemSize())}
	case dtype.KindBool, dtype.KindInt, dtype.KindUint, dtype.KindDatetime, dtype.KindTimedelta:
		return newIntCells(t, want)
	}
	return nil
}

// extend returns xs with n elements, of which the new ones are x. It will not have more than most.
func extend[T any](xs []T, n, most int, x T) []T {
	if n > cap(xs) {
		xs = append(make([]T, 0, max(n, min(2*cap(xs), most))), xs...)
	}
	for len(xs) < n {
		xs = append(xs, x)
	}
	return xs
}

// missing counts the NaN or NaT of each cell. It takes no memory before there is one.
type missing struct {
	mu     sync.Mutex
	counts atomic.Pointer[[]int64]
	cells  int
}

func (m *missing) grow(n, most int) {
	m.cells = n
	if counts := m.counts.Load(); counts != nil {
		longer := extend(*counts, n, most, 0)
		m.counts.Store(&longer)
	}
}

func (m *missing) add(i int, n int64) {
	if n == 0 {
		return
	}
	counts := m.counts.Load()
	if counts == nil {
		m.mu.Lock()
		if counts = m.counts.Load(); counts == nil {
			made := make([]int64, m.cells)
			counts = &made
			m.counts.Store(counts)
		}
		m.mu.Unlock()
	}
	(*counts)[i] += n
}

func (m *missing) of(i int) int64 {
	if counts := m.counts.Load(); counts != nil {
		return (*counts)[i]
	}
	return 0
}

// floatCells are for floats. A slice that no wanted result needs is nil.
type floatCells struct {
	want     Along
	floats   codec.Reals
	missing  missing
	sums     []pair
	squares  []square
	merged   []byte    // in place of sums and squares, if cells were merged: those of sums.appendTo
	min, max []float64 // infinities before the first number; of zeros, -0.0 is the smaller
}

// A square is the sum of (x-about)². about is near the numbers: the first of them, or the mean of some. It is NaN
// before the first.
type square struct {
	about float64
	sum   pair
}

func (c *floatCells) grow(n, most int) {
	if c.want.sums() && c.merged == nil {
		c.sums = extend(c.sums, n, most, pair{})
	}
	if c.want.Std && c.merged == nil {
		c.squares = extend(c.squares, n, most, square{about: math.NaN()})
	}
	if c.want.Min {
		c.min = extend(c.min, n, most, math.Inf(1))
	}
	if c.want.Max {
		c.max = extend(c.max, n, most, math.Inf(-1))
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
	if c.sums != nil {
		addSums(c.sums, i, step, xs.floats)
	}
	if c.squares != nil {
		addAbout(c.squares, i, step, xs.floats)
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

func addSums(sums []pair, i, step int, xs []float64) {
	for _, x := range xs {
		if x == x {
			sums[i].add(x)
		}
		i += step
	}
}

// addAbout adds squares of differences with the digits of two float64, so that no first number is too far from the
// others.
func addAbout(squares []square, i, step int, xs []float64) {
	for _, x := range xs {
		q := &squares[i]
		i += step
		switch {
		case x != x:
			continue
		case q.about != q.about:
			q.about = x
		}
		d := x - q.about
		b := d - x
		lost := (x - (d - b)) - (q.about + b)
		p := float64(d * d)
		if !finite(p) {
			q.sum.hi += p
			if !finite(x) || !finite(q.about) {
				q.sum.hi = math.NaN()
			}
			continue
		}
		q.sum.add(p)
		q.sum.lo += math.FMA(d, d, -p) + float64(2*d*lost)
	}
}

func (c *floatCells) tally(i int, t *tally) {
	c.missing.add(i, t.nans)
	if t.count == t.nans {
		return
	}
	m := &t.re
	if c.sums != nil {
		if sum := m.total(); m.large == (pair{}) && finite(sum) {
			c.sums[i].addPair(m.sum)
		} else {
			c.sums[i].add(sum)
		}
	}
	if c.squares != nil {
		c.squares[i].merge(m)
	}
	if c.min != nil {
		c.min[i] = min(c.min[i], t.fmin)
	}
	if c.max != nil {
		c.max[i] = max(c.max[i], t.fmax)
	}
}

func (q *square) merge(m *moments) {
	switch {
	case m.posInf+m.negInf > 0:
		q.sum.hi = math.NaN()
	case !finite(m.deviations.value()):
		q.sum.add(math.Inf(1))
	default:
		n := float64(m.n)
		if q.about != q.about {
			q.about = m.sum.value() / n
		}
		q.sum.addPair(m.deviations)
		q.sum.addPair(m.sum.minus(n, q.about).squareOver(n))
	}
}

// minus returns the sum minus n times x, with the digits of two float64.
func (p pair) minus(n, x float64) (d pair) {
	whole := float64(n * x)
	d.add(p.hi)
	d.add(-whole)
	d.add(-math.FMA(n, x, -whole))
	d.add(p.lo)
	return d
}

// squareOver returns p²/n, with the digits of two float64.
func (p pair) squareOver(n float64) pair {
	hi := p.hi + p.lo
	lo := p.lo - (hi - p.hi)
	square := float64(hi * hi)
	rest := math.FMA(hi, hi, -square) + float64(2*hi*lo)
	q := square / n
	return pair{q, (math.FMA(-q, n, square) + rest) / n}
}

// std returns the standard deviation of n numbers, given their sum.
func (q *square) std(sum pair, n float64) float64 {
	off := sum.minus(n, q.about).squareOver(n)
	d := q.sum
	d.addPair(pair{-off.hi, -off.lo})
	switch {
	case q.sum.hi != q.sum.hi:
		return math.NaN()
	case !finite(d.value()):
		return math.Inf(1)
	}
	return math.Sqrt(max(d.value(), 0) / n)
}

func (c *floatCells) axis(shape []int, n int64) (x Axis, err error) {
	sum := func(k int, _ float64) float64 { return c.sums[k].value() }
	mean := func(k int, n float64) float64 { return c.sums[k].value() / n }
	std := func(k int, n float64) float64 { return c.squares[k].std(c.sums[k], n) }
	if c.merged != nil && c.want.sums() {
		sums, stds := c.mergedResults(n)
		sum = func(k int, _ float64) float64 { return sums[k] }
		mean = func(k int, n float64) float64 { return sums[k] / n }
		std = func(k int, _ float64) float64 { return stds[k] }
	}
	each := func(want bool, none float64, value func(k int, n float64) float64) *npy.Array {
		if !want {
			return nil
		}
		xs := make([]float64, c.missing.cells)
		for k := range xs {
			if xs[k] = none; c.missing.of(k) < n {
				xs[k] = value(k, float64(n-c.missing.of(k)))
			}
		}
		return arrayOf(xs, shape, &err)
	}
	nan := math.NaN()
	x.Mean = each(c.want.Mean, nan, mean)
	x.Std = each(c.want.Std, nan, std)
	x.Min = each(c.want.Min, nan, func(k int, _ float64) float64 { return c.min[k] })
	x.Max = each(c.want.Max, nan, func(k int, _ float64) float64 { return c.max[k] })
	x.Sum = each(c.want.Sum, 0, sum)
	return x, err
}

// mergedResults returns the sums and the standard deviations of merged cells, which are nil unless wanted.
func (c *floatCells) mergedResults(n int64) (totals, stds []float64) {
	all := c.exacts(n)
	totals = make([]float64, c.missing.cells)
	if c.want.Std {
		stds = make([]float64, c.missing.cells)
	}
	for k := range totals {
		s := all.next(k)
		if totals[k] = s.total(); stds != nil && s.n > 0 {
			stds[k] = math.Sqrt(s.variance())
		} else if stds != nil {
			stds[k] = math.NaN()
		}
	}
	return totals, stds
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
