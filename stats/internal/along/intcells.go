package along

import (
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/moments"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/stats/internal/exact"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/state"
	"github.com/npygo/npy/stats/internal/tally"
)

// intCells are for integers, bools and times. A slice that no wanted result needs is nil.
type intCells struct {
	t        dtype.Type
	want     Along
	ints     items.Reader[int64]
	flip     int64 // the top bit for uint64, whose extremes are stored as in tally.Extremes
	missing  missing
	sums     [][2]uint64
	squares  [][3]uint64
	extremes extremes[int64]
}

func newIntCells(t dtype.Type, want Along) *intCells {
	c := &intCells{t: t, want: want, ints: items.Int64s(t)}
	if t.Kind() == dtype.KindUint && t.ItemSize() == 8 {
		c.flip = math.MinInt64
	}
	if items.HasTicks(t) {
		c.want.Std, c.want.Sum = false, false
	}
	return c
}

func (c *intCells) grow(n, most int) {
	if c.want.sums() {
		c.sums = moments.Extend(c.sums, n, most, [2]uint64{})
	}
	if c.want.Std {
		c.squares = moments.Extend(c.squares, n, most, [3]uint64{})
	}
	c.extremes.grow(n, most, c.want, math.MaxInt64, math.MinInt64)
	c.missing.grow(n, most)
}

func (c *intCells) read(s *items.Scratch, data []byte) numbers { return numbers{ints: c.ints(s, data)} }

func (c *intCells) add(i, step int, xs numbers) {
	if items.HasTicks(c.t) {
		c.addTimes(i, step, xs.ints)
		return
	}
	signed := ^uint64(c.flip >> 63) // a mask
	if c.sums != nil {
		at := i
		for _, x := range xs.ints {
			moments.AddInt(&c.sums[at], uint64(x), uint64(x>>63)&signed)
			at += step
		}
	}
	if c.squares != nil {
		at := i
		for _, x := range xs.ints {
			sign := uint64(x>>63) & signed
			moments.AddSquare(&c.squares[at], (uint64(x)^sign)-sign)
			at += step
		}
	}
	if lows := c.extremes.min; lows != nil {
		at := i
		for _, x := range xs.ints {
			lows[at] = min(lows[at], x^c.flip)
			at += step
		}
	}
	if highs := c.extremes.max; highs != nil {
		at := i
		for _, x := range xs.ints {
			highs[at] = max(highs[at], x^c.flip)
			at += step
		}
	}
}

func (c *intCells) addTimes(i, step int, xs []int64) {
	lows, highs := c.extremes.min, c.extremes.max
	for _, x := range xs {
		at := i
		i += step
		if x == scalar.NaT {
			c.missing.add(at, 1)
			continue
		}
		if c.sums != nil {
			moments.AddInt(&c.sums[at], uint64(x), uint64(x>>63))
		}
		if lows != nil {
			lows[at] = min(lows[at], x)
		}
		if highs != nil {
			highs[at] = max(highs[at], x)
		}
	}
}

func (c *intCells) tally(i int, t *tally.Tally) {
	if c.t.Kind() == dtype.KindBool {
		t.IMin, t.IMax = state.OfBool(t.Zeros == 0), state.OfBool(t.Zeros < t.Count)
	}
	c.missing.add(i, t.NaTs)
	if t.Count == t.NaTs {
		return
	}
	if c.sums != nil {
		moments.AddInt(&c.sums[i], t.Sum[0], t.Sum[1])
	}
	if c.squares != nil {
		moments.AddSquares(&c.squares[i], t.Squares)
	}
	c.extremes.add(i, t.IMin, t.IMax)
}

func (c *intCells) merge(other cells, _, _ int64) {
	o := other.(*intCells)
	for i, x := range o.sums {
		moments.AddInt(&c.sums[i], x[0], x[1])
	}
	for i, x := range o.squares {
		moments.AddSquares(&c.squares[i], x)
	}
	c.extremes.merge(&o.extremes)
	c.missing.merge(&o.missing)
}

func (c *intCells) axis(shape []int, n int64) (x Axis, err error) {
	if c.want.Min {
		if x.Min, err = c.values(shape, n, func(k int, _ int64) int64 { return c.extremes.min[k] ^ c.flip }); err != nil {
			return x, err
		}
	}
	if c.want.Max {
		if x.Max, err = c.values(shape, n, func(k int, _ int64) int64 { return c.extremes.max[k] ^ c.flip }); err != nil {
			return x, err
		}
	}
	if items.HasTicks(c.t) {
		if c.want.Mean {
			x.Mean, err = c.values(shape, n, func(k int, n int64) int64 { return exact.MeanTicks(c.t, c.sums[k], n) })
		}
		return x, err
	}
	each := func(want bool, value func(k int) float64) *npy.Array {
		if !want {
			return nil
		}
		xs := make([]float64, c.missing.cells)
		for k := range xs {
			if xs[k] = math.NaN(); n > 0 {
				xs[k] = value(k)
			}
		}
		return arrayOf(xs, shape, &err)
	}
	x.Mean = each(c.want.Mean, func(k int) float64 { return moments.IntMean(c.sums[k], n) })
	x.Std = each(c.want.Std, func(k int) float64 { return moments.IntStd(c.sums[k], c.squares[k], n) })
	if c.want.Sum && err == nil {
		x.Sum, err = sumsOf(c.sums, shape)
	}
	return x, err
}

// values returns a value of each cell as an array of the dtype of the elements. A time without elements is NaT; a number
// without elements becomes NaN, so the array has float64.
func (c *intCells) values(shape []int, n int64, value func(k int, n int64) int64) (a *npy.Array, err error) {
	empty := false
	t := c.t
	if t.Kind() == dtype.KindVoid { // integers narrower than a byte
		t = dtype.Int8
		if elem.KindOf(c.t) == dtype.KindUint {
			t = dtype.Uint8
		}
	}
	xs := make([]int64, c.missing.cells)
	for k := range xs {
		switch some := n - c.missing.of(k); {
		case some > 0:
			xs[k] = value(k, some)
		case items.HasTicks(t):
			xs[k] = -1 << 63 // NaT
		default:
			empty = true
		}
	}
	if empty { // all of them are, for integers have no NaN
		nans := make([]float64, len(xs))
		for k := range nans {
			nans[k] = math.NaN()
		}
		return arrayOf(nans, shape, &err), err
	}
	return fromInts(t.WithByteOrder(dtype.NativeEndian), xs, shape)
}
