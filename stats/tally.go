package stats

import (
	"math/big"
	"math/bits"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/moments"
	"github.com/npygo/npy/scalar"
)

// A tally is the summary of the items of one column in one block. It depends on their order, since sums of floats do.
type tally struct {
	facts
	re, im reals // of floats; complex numbers have both
}

// reals are the moments of finite floats, and the number of infinities.
type reals struct {
	moments.Cell
	posInf, negInf int64
}

func (m *reals) merge(o *reals) {
	m.Cell.Merge(&o.Cell)
	m.posInf += o.posInf
	m.negInf += o.negInf
}

// add adds numbers without NaN to empty moments.
func (m *reals) add(xs []float64, buf *[]float64) {
	m.posInf, m.negInf = m.AddReal(xs, codec.Grow(buf, len(xs)))
}

func (t *tally) merge(o *tally) {
	t.facts.merge(&o.facts)
	t.re.merge(&o.re)
	t.im.merge(&o.im)
}

// facts are the statistics that do not depend on the order in which they are merged.
type facts struct {
	count, nans, infs, nats, zeros int64

	// Strings.
	empty          int64
	minLen, maxLen int

	bounds
	minAt, maxAt int64 // positions of the first items that are the extremes, in C order; valid if bounds are known

	// Integers, bools and times.
	sum     [2]uint64 // two's complement, low word first
	squares [3]uint64 // not of times
}

// bounds holds the extremes. They are valid only if there are items other than NaN and NaT.
type bounds struct {
	fmin, fmax float64 // of floats
	imin, imax int64   // of integers and times; the top bit of uint64 is flipped, so that they compare as int64 do
	known      bool    // they are valid, and so are their positions
}

func (b *bounds) low() extreme  { return extreme{b.fmin, b.imin} }
func (b *bounds) high() extreme { return extreme{b.fmax, b.imax} }

func (x extreme) less(y extreme) bool { return x.f < y.f || x.i < y.i }

func (t *facts) merge(o *facts) {
	switch {
	case o.count == 0:
		return
	case t.count == 0:
		*t = *o
		return
	}
	t.positions(o)
	if o.count > o.nats {
		t.extremes(o.imin, o.imax, t.count == t.nats)
	}
	if o.count > o.nans {
		t.span(o.fmin, o.fmax, t.count == t.nans)
	}
	t.minLen, t.maxLen = min(t.minLen, o.minLen), max(t.maxLen, o.maxLen)
	t.count += o.count
	t.nans += o.nans
	t.infs += o.infs
	t.nats += o.nats
	t.zeros += o.zeros
	t.empty += o.empty
	t.addSum(o.sum)
	t.addSquares(o.squares)
}

// positions merges the positions of the extremes. Of equal extremes the first counts.
func (t *facts) positions(o *facts) {
	if !o.known {
		return
	}
	if !t.known || o.low().less(t.low()) || o.low() == t.low() && o.minAt < t.minAt {
		t.minAt = o.minAt
	}
	if !t.known || t.high().less(o.high()) || o.high() == t.high() && o.maxAt < t.maxAt {
		t.maxAt = o.maxAt
	}
	t.known = true
}

func (t *facts) extremes(lo, hi int64, first bool) {
	if first || lo < t.imin {
		t.imin = lo
	}
	if first || hi > t.imax {
		t.imax = hi
	}
}

// span merges the extremes of floats. Of the two zeros, -0.0 is the smaller, so that the order does not matter.
func (t *facts) span(lo, hi float64, first bool) {
	if first {
		t.fmin, t.fmax = lo, hi
		return
	}
	t.fmin, t.fmax = min(t.fmin, lo), max(t.fmax, hi)
}

func (t *facts) addSum(x [2]uint64) {
	var carry uint64
	t.sum[0], carry = bits.Add64(t.sum[0], x[0], 0)
	t.sum[1], _ = bits.Add64(t.sum[1], x[1], carry)
}

func (t *facts) addSquares(x [3]uint64) { moments.AddSquares(&t.squares, x) }

// times computes the mean of times. The mean of timedelta64 is rounded towards zero, as numpy.mean; the mean of
// datetime64 is rounded down.
func (t *facts) times(s *Stats) {
	n := t.count - t.nats
	if n == 0 {
		return
	}
	s.Min, s.Max = timeValue(s.DType, t.imin), timeValue(s.DType, t.imax)
	s.Mean = timeValue(s.DType, meanTicks(s.DType, t.sum, n))
	if sum := bigOf(t.sum[:], true); s.DType.Kind() == dtype.KindTimedelta && sum.IsInt64() && sum.Int64() != scalar.NaT {
		s.Sum = timeValue(s.DType, sum.Int64())
	}
}

// meanTicks returns sum/n, rounded as times says.
func meanTicks(t dtype.Type, sum [2]uint64, n int64) int64 {
	negative := sum[1]&topBit != 0
	if negative {
		var borrow uint64
		sum[0], borrow = bits.Sub64(0, sum[0], 0)
		sum[1], _ = bits.Sub64(0, sum[1], borrow)
	}
	q, rest := bits.Div64(sum[1], sum[0], uint64(n)) // the mean fits, since every term does
	if !negative {
		return int64(q)
	}
	if rest > 0 && t.Kind() == dtype.KindDatetime {
		q++
	}
	return -int64(q)
}

func timeValue(t dtype.Type, ticks int64) Value {
	if t.Kind() == dtype.KindDatetime {
		return textValue(scalar.Datetime64{Ticks: ticks}.Format(t.Step()))
	}
	return textValue(scalar.Timedelta64{Ticks: ticks}.Format(t.Step()))
}

// integers computes mean and standard deviation from the exact sums. The standard deviation is √(n·Σx² - (Σx)²) / n.
func (t *facts) integers(s *Stats, dt dtype.Type) {
	sum := bigOf(t.sum[:], true)
	s.Sum = intValue(sum)
	if t.count == 0 {
		return
	}
	n := big.NewInt(t.count)
	s.Min, s.Max = extremeValue(dt, t.imin), extremeValue(dt, t.imax)
	mean, _ := new(big.Rat).SetFrac(sum, n).Float64()
	v := new(big.Int).Mul(n, bigOf(t.squares[:], false))
	v.Sub(v, new(big.Int).Mul(sum, sum))
	s.Mean, s.Std = Float(mean), Float(sqrtOver(v, n))
}

// sqrtOver returns the float64 nearest to √v / n. v must not be negative, n must be positive. Taking the square root of
// a rounded quotient would round twice.
func sqrtOver(v, n *big.Int) float64 {
	const bits = 64                                       // of the quotient at least: the 53 of a float64, and more to decide ties
	shift := uint(max(0, bits+n.BitLen()-v.BitLen()/2+1)) // of the square root
	scaled := new(big.Int).Lsh(v, 2*shift)
	q := new(big.Int).Sqrt(scaled)
	q.Quo(q, n) // rounded down, as if the square root had not been rounded
	back := new(big.Int).Mul(q, n)
	q.Lsh(q, 1)
	if back.Mul(back, back).Cmp(scaled) != 0 {
		q.SetBit(q, 0, 1) // the exact result is above
	}
	f, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(q), -int(shift)-1).Float64()
	return f
}

func extremeValue(t dtype.Type, x int64) Value { return intValue(bigExtreme(t, x)) }

func bigExtreme(t dtype.Type, x int64) *big.Int {
	if t.Kind() == dtype.KindUint && t.ItemSize() == 8 {
		return new(big.Int).SetUint64(uint64(x) ^ topBit)
	}
	return big.NewInt(x)
}

// bigOf returns the number that words represent, low word first.
func bigOf(words []uint64, signed bool) *big.Int {
	x := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		x.Lsh(x, 64)
		x.Or(x, new(big.Int).SetUint64(words[i]))
	}
	if signed && words[len(words)-1]&topBit != 0 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(64*len(words))))
	}
	return x
}
