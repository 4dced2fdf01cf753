package stats

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// A tally is the intermediate summary of the items of one column.
type tally struct {
	count, nans, infs, nats, zeros int64

	// Strings.
	empty          int64
	minLen, maxLen int

	bounds
	minAt, maxAt int64 // positions of the first items that are the extremes, in C order; valid if bounds are known

	// Floats. Complex numbers use both moments.
	re, im moments

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

func (t *tally) merge(o *tally) {
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
	t.re.merge(&o.re)
	t.im.merge(&o.im)
	t.addSum(o.sum)
	t.addSquares(o.squares)
}

// positions merges the positions of the extremes. Of equal extremes the first counts.
func (t *tally) positions(o *tally) {
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

func (t *tally) extremes(lo, hi int64, first bool) {
	if first || lo < t.imin {
		t.imin = lo
	}
	if first || hi > t.imax {
		t.imax = hi
	}
}

func (t *tally) span(lo, hi float64, first bool) {
	if first || lo < t.fmin {
		t.fmin = lo
	}
	if first || hi > t.fmax {
		t.fmax = hi
	}
}

func (t *tally) addSum(x [2]uint64) {
	var carry uint64
	t.sum[0], carry = bits.Add64(t.sum[0], x[0], 0)
	t.sum[1], _ = bits.Add64(t.sum[1], x[1], carry)
}

func (t *tally) addSquares(x [3]uint64) {
	var carry uint64
	t.squares[0], carry = bits.Add64(t.squares[0], x[0], 0)
	t.squares[1], carry = bits.Add64(t.squares[1], x[1], carry)
	t.squares[2], _ = bits.Add64(t.squares[2], x[2], carry)
}

// stats returns the summary of the items of a column.
func (t *tally) stats(c column) Stats {
	s := Stats{Field: c.Name, DType: c.DType, Count: t.count, NaNs: t.nans, Infs: t.infs, NaTs: t.nats, Zeros: t.zeros}
	switch elem.KindOf(c.DType) {
	case dtype.KindBool:
		s.Trues = t.count - t.zeros
		t.integers(&s, c.DType)
		s.Min, s.Max = Value{}, Value{}
	case dtype.KindInt, dtype.KindUint:
		t.integers(&s, c.DType)
	case dtype.KindFloat:
		t.floats(&s)
	case dtype.KindComplex:
		t.complexes(&s)
	case dtype.KindDatetime, dtype.KindTimedelta:
		if elem.KindOf(c.DType) == dtype.KindDatetime {
			s.Zeros = 0 // the zero of datetime64 is 1970, which has no special meaning
		}
		t.times(&s)
	case dtype.KindBytes, dtype.KindStr:
		s.Empty, s.MinLen, s.MaxLen = t.empty, t.minLen, t.maxLen
	}
	return s
}

// times computes the mean of times. That of timedelta64 is rounded towards zero, as numpy.mean; that of datetime64 is
// rounded down.
func (t *tally) times(s *Stats) {
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
		return textValue(scalar.Datetime64(ticks).Format(t.Step()))
	}
	return textValue(scalar.Timedelta64(ticks).Format(t.Step()))
}

func (t *tally) floats(s *Stats) {
	s.Sum = floatValue(t.re.total())
	if t.count == t.nans {
		return
	}
	s.Min, s.Max = floatValue(t.fmin), floatValue(t.fmax)
	s.Mean, s.Std = floatValue(t.re.mean()), floatValue(math.Sqrt(t.re.variance()))
}

func (t *tally) complexes(s *Stats) {
	s.Sum = complexValue(complex(t.re.total(), t.im.total()))
	if t.count == t.nans {
		return
	}
	s.Mean = complexValue(complex(t.re.mean(), t.im.mean()))
	s.Std = floatValue(math.Sqrt(t.re.variance() + t.im.variance()))
}

// integers computes mean and standard deviation from the exact sums. The standard deviation is √(n·Σx² - (Σx)²) / n.
func (t *tally) integers(s *Stats, dt dtype.Type) {
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
	s.Mean, s.Std = floatValue(mean), floatValue(sqrtOver(v, n))
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

func extremeValue(t dtype.Type, x int64) Value {
	if t.Kind() == dtype.KindUint && t.ItemSize() == 8 {
		return intValue(new(big.Int).SetUint64(uint64(x) ^ topBit))
	}
	return intValue(big.NewInt(x))
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
