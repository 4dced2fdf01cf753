package stats

import (
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/moments"
	"github.com/npygo/npy/scalar"
)

// intCells are for integers, bools and times. A slice that no wanted result needs is nil.
type intCells struct {
	t        dtype.Type
	want     Along
	ints     func(s *scratch, items []byte) []int64
	flip     int64 // the top bit for uint64, whose extremes are stored as in bounds
	missing  missing
	sums     [][2]uint64
	squares  [][3]uint64
	min, max []int64
}

func newIntCells(t dtype.Type, want Along) *intCells {
	c := &intCells{t: t, want: want, ints: intsOf(t)}
	if t.Kind() == dtype.KindUint && t.ItemSize() == 8 {
		c.flip = math.MinInt64
	}
	if hasTicks(t) {
		c.want.Std, c.want.Sum = false, false
	}
	return c
}

// intsOf returns the reader of items of t as int64. The bits of uint64 stay as they are.
func intsOf(t dtype.Type) func(s *scratch, items []byte) []int64 {
	swap := !t.IsNative()
	if n, ok := elem.SmallIntOf(t); ok {
		return func(s *scratch, items []byte) []int64 { return widen(s, smallInts(s, items, n)) }
	}
	signed := t.Kind() != dtype.KindUint
	switch size := t.ItemSize(); {
	case t.Kind() == dtype.KindBool:
		return func(s *scratch, items []byte) []int64 {
			xs := codec.Grow(&s.ints, len(items))
			for i, x := range items {
				xs[i] = int64(min(x, 1))
			}
			return xs
		}
	case size == 1 && signed:
		return widened[int8](swap)
	case size == 1:
		return widened[uint8](swap)
	case size == 2 && signed:
		return widened[int16](swap)
	case size == 2:
		return widened[uint16](swap)
	case size == 4 && signed:
		return widened[int32](swap)
	case size == 4:
		return widened[uint32](swap)
	}
	return viewInts[int64](swap)
}

func widened[T int8 | int16 | int32 | uint8 | uint16 | uint32](swap bool) func(s *scratch, items []byte) []int64 {
	return func(s *scratch, items []byte) []int64 { return widen(s, codec.View[T](&s.numbers, items, swap)) }
}

func widen[T int8 | int16 | int32 | uint8 | uint16 | uint32](s *scratch, xs []T) []int64 {
	out := codec.Grow(&s.ints, len(xs))
	for i, x := range xs {
		out[i] = int64(x)
	}
	return out
}

func (c *intCells) grow(n, most int) {
	if c.want.sums() {
		c.sums = moments.Extend(c.sums, n, most, [2]uint64{})
	}
	if c.want.Std {
		c.squares = moments.Extend(c.squares, n, most, [3]uint64{})
	}
	if c.want.Min {
		c.min = moments.Extend(c.min, n, most, math.MaxInt64)
	}
	if c.want.Max {
		c.max = moments.Extend(c.max, n, most, math.MinInt64)
	}
	c.missing.grow(n, most)
}

func (c *intCells) read(s *scratch, items []byte) numbers { return numbers{ints: c.ints(s, items)} }

func (c *intCells) add(i, step int, xs numbers) {
	if hasTicks(c.t) {
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
	if c.min != nil {
		at := i
		for _, x := range xs.ints {
			c.min[at] = min(c.min[at], x^c.flip)
			at += step
		}
	}
	if c.max != nil {
		at := i
		for _, x := range xs.ints {
			c.max[at] = max(c.max[at], x^c.flip)
			at += step
		}
	}
}

func (c *intCells) addTimes(i, step int, xs []int64) {
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
		if c.min != nil {
			c.min[at] = min(c.min[at], x)
		}
		if c.max != nil {
			c.max[at] = max(c.max[at], x)
		}
	}
}

func (c *intCells) tally(i int, t *tally) {
	if c.t.Kind() == dtype.KindBool {
		t.imin, t.imax = boolInt(t.zeros == 0), boolInt(t.zeros < t.count)
	}
	c.missing.add(i, t.nats)
	if t.count == t.nats {
		return
	}
	if c.sums != nil {
		all := facts{sum: c.sums[i]}
		all.addSum(t.sum)
		c.sums[i] = all.sum
	}
	if c.squares != nil {
		all := facts{squares: c.squares[i]}
		all.addSquares(t.squares)
		c.squares[i] = all.squares
	}
	if c.min != nil {
		c.min[i] = min(c.min[i], t.imin)
	}
	if c.max != nil {
		c.max[i] = max(c.max[i], t.imax)
	}
}

func boolInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (c *intCells) axis(shape []int, n int64) (x Axis, err error) {
	if c.want.Min {
		if x.Min, err = c.extremes(shape, n, func(k int, _ int64) int64 { return c.min[k] ^ c.flip }); err != nil {
			return x, err
		}
	}
	if c.want.Max {
		if x.Max, err = c.extremes(shape, n, func(k int, _ int64) int64 { return c.max[k] ^ c.flip }); err != nil {
			return x, err
		}
	}
	if hasTicks(c.t) {
		if c.want.Mean {
			x.Mean, err = c.extremes(shape, n, func(k int, n int64) int64 { return meanTicks(c.t, c.sums[k], n) })
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

func hasTicks(t dtype.Type) bool {
	return t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta
}

// extremes returns a value of each cell as an array of the dtype of the elements. A time without elements is NaT; a number
// without elements becomes NaN, so the array has float64.
func (c *intCells) extremes(shape []int, n int64, value func(k int, n int64) int64) (a *npy.Array, err error) {
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

// fromInts returns an array of t with the low bytes of xs. t has the byte order of the machine.
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

// sumsOf returns sums as int64, as uint64 where a sum needs it, or else as Python integers, dtype object.
func sumsOf(cells [][2]uint64, shape []int) (a *npy.Array, err error) {
	signed, unsigned := true, true
	for k := range cells {
		sum := cells[k]
		signed = signed && sum[1] == uint64(int64(sum[0])>>63)
		unsigned = unsigned && sum[1] == 0
	}
	if !signed && !unsigned {
		values := make([]any, len(cells))
		for k := range values {
			values[k] = bigOf(cells[k][:], true)
		}
		return npy.FromObjects(values, shape...)
	}
	if signed {
		xs := make([]int64, len(cells))
		for k := range xs {
			xs[k] = int64(cells[k][0])
		}
		return arrayOf(xs, shape, &err), err
	}
	xs := make([]uint64, len(cells))
	for k := range xs {
		xs[k] = cells[k][0]
	}
	return arrayOf(xs, shape, &err), err
}
