package stats

import (
	"math"
	"math/bits"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// cells holds one cell per result along an axis, the summary of the elements of that result.
type cells interface {
	len() int
	grow(n int)
	add(i int, t *tally) // cells may be changed by several goroutines, each its own
	axis(shape []int) (Axis, error)
}

// cellsFor returns the cells for elements of t, or nil if they have no statistics along an axis.
func cellsFor(t dtype.Type) cells {
	switch elem.KindOf(t) {
	case dtype.KindFloat:
		return &floatCells{}
	case dtype.KindBool, dtype.KindInt, dtype.KindUint, dtype.KindDatetime, dtype.KindTimedelta:
		return &intCells{t: t}
	}
	return nil
}

type floatCells struct{ cells []floatCell }

type floatCell struct {
	m        moments
	min, max float64
}

func (c *floatCells) len() int { return len(c.cells) }

func (c *floatCells) grow(n int) { c.cells = append(c.cells, make([]floatCell, n-len(c.cells))...) }

func (c *floatCells) add(i int, t *tally) {
	cell := &c.cells[i]
	if t.count > t.nans {
		lo, hi := t.fmin, t.fmax
		if cell.m.count() > 0 {
			lo, hi = min(lo, cell.min), max(hi, cell.max)
		}
		cell.min, cell.max = lo, hi
	}
	cell.m.merge(&t.re)
}

func (c *floatCells) axis(shape []int) (x Axis, err error) {
	each := func(value func(*floatCell) float64) *npy.Array {
		xs := make([]float64, len(c.cells))
		for k := range xs {
			if xs[k] = math.NaN(); c.cells[k].m.count() > 0 {
				xs[k] = value(&c.cells[k])
			}
		}
		return arrayOf(xs, shape, &err)
	}
	x.Mean = each(func(c *floatCell) float64 { return c.m.mean() })
	x.Std = each(func(c *floatCell) float64 { return math.Sqrt(c.m.variance()) })
	x.Min = each(func(c *floatCell) float64 { return c.min })
	x.Max = each(func(c *floatCell) float64 { return c.max })
	sums := make([]float64, len(c.cells))
	for k := range sums {
		sums[k] = c.cells[k].m.total()
	}
	x.Sum = arrayOf(sums, shape, &err)
	return x, err
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

// intCells are for integers, bools and times.
type intCells struct {
	t     dtype.Type
	cells []intCell
}

type intCell struct {
	n        int64 // without NaT
	min, max int64 // as in bounds
	sum      [2]uint64
	squares  [3]uint64
}

func (c *intCells) len() int { return len(c.cells) }

func (c *intCells) grow(n int) { c.cells = append(c.cells, make([]intCell, n-len(c.cells))...) }

func (c *intCells) add(i int, t *tally) {
	if c.t.Kind() == dtype.KindBool {
		t.imin, t.imax = boolInt(t.zeros == 0), boolInt(t.zeros < t.count)
	}
	n := t.count - t.nats
	if n == 0 {
		return
	}
	cell := &c.cells[i]
	if cell.n == 0 || t.imin < cell.min {
		cell.min = t.imin
	}
	if cell.n == 0 || t.imax > cell.max {
		cell.max = t.imax
	}
	all := facts{sum: cell.sum, squares: cell.squares}
	all.addSum(t.sum)
	all.addSquares(t.squares)
	cell.n, cell.sum, cell.squares = cell.n+n, all.sum, all.squares
}

func boolInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (c *intCells) axis(shape []int) (x Axis, err error) {
	if x.Min, err = c.extremes(shape, func(c *intCell) int64 { return c.min }); err != nil {
		return x, err
	}
	if x.Max, err = c.extremes(shape, func(c *intCell) int64 { return c.max }); err != nil {
		return x, err
	}
	if hasTicks(c.t) {
		x.Mean, err = c.extremes(shape, func(cell *intCell) int64 { return meanTicks(c.t, cell.sum, cell.n) })
		return x, err
	}
	mean, std := make([]float64, len(c.cells)), make([]float64, len(c.cells))
	for k := range c.cells {
		cell := &c.cells[k]
		if mean[k], std[k] = math.NaN(), math.NaN(); cell.n > 0 {
			mean[k], std[k] = meanOf(cell.sum, cell.n), stdOf(cell.sum, cell.squares, cell.n)
		}
	}
	x.Mean, x.Std = arrayOf(mean, shape, &err), arrayOf(std, shape, &err)
	if err != nil {
		return x, err
	}
	x.Sum, err = c.sums(shape)
	return x, err
}

func hasTicks(t dtype.Type) bool {
	return t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta
}

// extremes returns a value of each cell as an array of the dtype of the elements. A time without elements is NaT; a number
// without elements becomes NaN, so the array has float64.
func (c *intCells) extremes(shape []int, value func(*intCell) int64) (a *npy.Array, err error) {
	flip, empty := int64(0), false
	t := c.t
	if t.Kind() == dtype.KindVoid { // integers narrower than a byte
		t = dtype.Int8
		if elem.KindOf(c.t) == dtype.KindUint {
			t = dtype.Uint8
		}
	} else if t.Kind() == dtype.KindUint && t.ItemSize() == 8 {
		flip = -1 << 63
	}
	xs := make([]int64, len(c.cells))
	for k := range xs {
		switch cell := &c.cells[k]; {
		case cell.n > 0:
			xs[k] = value(cell) ^ flip
		case hasTicks(t):
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

// fromInts returns an array of t with the low bytes of xs. The byte order of t is that of the machine.
func fromInts(t dtype.Type, xs []int64, shape []int) (*npy.Array, error) {
	size := t.ItemSize()
	data := make([]byte, len(xs)*size)
	big := t.WithByteOrder(dtype.BigEndian).Equal(t) && size > 1
	for k, x := range xs {
		item := data[k*size : (k+1)*size]
		for i := range item {
			if big {
				item[size-1-i] = byte(x >> (8 * i))
			} else {
				item[i] = byte(x >> (8 * i))
			}
		}
	}
	return npy.FromBytes(t, data, shape...)
}

// sums returns the sums as int64, as uint64 where a sum needs it, or else as Python integers, dtype object.
func (c *intCells) sums(shape []int) (a *npy.Array, err error) {
	signed, unsigned := true, true
	for k := range c.cells {
		sum := c.cells[k].sum
		signed = signed && sum[1] == uint64(int64(sum[0])>>63)
		unsigned = unsigned && sum[1] == 0
	}
	if !signed && !unsigned {
		values := make([]any, len(c.cells))
		for k := range values {
			values[k] = bigOf(c.cells[k].sum[:], true)
		}
		return npy.FromObjects(values, shape...)
	}
	if signed {
		xs := make([]int64, len(c.cells))
		for k := range xs {
			xs[k] = int64(c.cells[k].sum[0])
		}
		return arrayOf(xs, shape, &err), err
	}
	xs := make([]uint64, len(c.cells))
	for k := range xs {
		xs[k] = c.cells[k].sum[0]
	}
	return arrayOf(xs, shape, &err), err
}

// meanOf returns sum/n, rounded once. It is facts.integers without the cost of big numbers, of which there may be many.
func meanOf(sum [2]uint64, n int64) float64 {
	negative := sum[1]&topBit != 0
	if negative {
		var borrow uint64
		sum[0], borrow = bits.Sub64(0, sum[0], 0)
		sum[1], _ = bits.Sub64(0, sum[1], borrow)
	}
	mean := ratio([4]uint64{sum[0], sum[1]}, n, false)
	if negative {
		return -mean
	}
	return mean
}

// stdOf returns √(n·Σx² - (Σx)²) / n, which is exact up to the root.
func stdOf(sum [2]uint64, squares [3]uint64, n int64) float64 {
	if sum[1]&topBit != 0 {
		var borrow uint64
		sum[0], borrow = bits.Sub64(0, sum[0], 0)
		sum[1], _ = bits.Sub64(0, sum[1], borrow)
	}
	v := multiply([4]uint64{squares[0], squares[1], squares[2]}, []uint64{uint64(n)})
	square := multiply([4]uint64{sum[0], sum[1]}, sum[:])
	var borrow uint64
	for i := range v {
		v[i], borrow = bits.Sub64(v[i], square[i], borrow)
	}
	return ratio(v, n, true)
}

// multiply returns a product that must be less than 2**256.
func multiply(x [4]uint64, y []uint64) (p [4]uint64) {
	for j, b := range y {
		var carry uint64
		for i := 0; i+j < len(p); i++ {
			hi, lo := bits.Mul64(x[i], b)
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			p[i+j], c = bits.Add64(p[i+j], lo, 0)
			carry = hi + c
		}
	}
	return p
}

// ratio returns x/n, or √x/n, computed with the digits of two float64.
func ratio(x [4]uint64, n int64, root bool) float64 {
	top := 3
	for top > 0 && x[top] == 0 {
		top--
	}
	var hi, lo float64 // of the three highest words, of which the first may be small
	exp := 64 * max(top-2, 0)
	for i := top; i >= max(top-2, 0); i-- {
		hi, lo = hi*(1<<64), lo*(1<<64)
		for _, half := range []float64{float64(x[i]>>32) * (1 << 32), float64(x[i] & (1<<32 - 1))} {
			p := pair{hi, lo}
			p.add(half)
			hi, lo = p.hi+p.lo, p.lo-((p.hi+p.lo)-p.hi)
		}
	}
	if hi == 0 {
		return 0
	}
	if root {
		s := math.Sqrt(hi)
		hi, lo = s, (math.FMA(-s, s, hi)+lo)/(2*s)
		exp /= 2
	}
	nhi := float64(n)
	nlo := float64(n - int64(nhi))
	q := hi / nhi
	rest := math.FMA(-q, nhi, hi) - q*nlo + lo
	return math.Ldexp(q+rest/nhi, exp)
}
