package stats

import (
	"math"
	"math/big"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// A total is the summary of the items of one column in any number of blocks. It depends on the blocks alone, not on the
// order or the groups in which they were added.
type total struct {
	facts
	re, im *sums // of floats; complex numbers have both; nil without numbers
}

// add adds the summary of a block.
func (t *total) add(o *tally) {
	t.facts.merge(&o.facts)
	t.re = t.re.add(&o.re)
	t.im = t.im.add(&o.im)
}

func (t *total) merge(o *total) {
	t.facts.merge(&o.facts)
	t.re = t.re.merge(o.re)
	t.im = t.im.merge(o.im)
}

// clone returns a total that shares nothing with t.
func (t *total) clone() total {
	return total{t.facts, t.re.clone(), t.im.clone()}
}

// sums holds the exact sums from which mean and standard deviation are computed.
type sums struct {
	n, posInf, negInf int64 // as in moments
	sum               exact // of the finite numbers
	squares           exact // of the finite numbers, as far as blocks know them: see add
	wide              bool  // squares overflow float64
}

// add adds the moments of a block to s, which may be nil, and returns the result.
//
// The sum of the squares of n numbers with the sum s is, for any number c, the sum of (x-c)² plus 2·c·s - n·c². With the
// mean of the block for c, rounded to a float64, (x-c)² is as small as can be and the products are added exactly. What a
// block gives for (x-c)² are the deviations from its mean before rounding, (s-n·c)²/n less.
func (s *sums) add(m *moments) *sums {
	if m.count() == 0 {
		return s
	}
	if s == nil {
		s = new(sums)
	}
	s.n += m.n
	s.posInf += m.posInf
	s.negInf += m.negInf
	s.sum.add(m.sum.hi)
	s.sum.add(m.sum.lo)
	s.sum.addLarge(m.large.hi)
	s.sum.addLarge(m.large.lo)
	if m.n == 0 {
		return s
	}
	n := float64(m.n)
	c := m.sum.value() / n
	off := m.sum.less(n, c)
	off = float64(off*off) / n
	if !finite(m.deviations.hi+m.deviations.lo) || !finite(off) {
		s.wide = true
		return s
	}
	s.squares.add(m.deviations.hi)
	s.squares.add(m.deviations.lo)
	s.squares.add(off)
	s.squares.addProduct(2, c, m.sum.hi)
	s.squares.addProduct(2, c, m.sum.lo)
	s.squares.addProduct(uint64(m.n), c, -c)
	return s
}

// merge adds o to s and returns the result. Both may be nil.
func (s *sums) merge(o *sums) *sums {
	switch {
	case o == nil:
		return s
	case s == nil:
		return o.clone()
	}
	s.n += o.n
	s.posInf += o.posInf
	s.negInf += o.negInf
	s.sum.merge(&o.sum)
	s.squares.merge(&o.squares)
	s.wide = s.wide || o.wide
	return s
}

func (s *sums) clone() *sums {
	if s == nil {
		return nil
	}
	c := *s
	return &c
}

// total returns the sum, rounded once. Infinities count as in IEEE 754.
func (s *sums) total() float64 {
	switch {
	case s == nil:
		return 0
	case s.posInf+s.negInf > 0:
		return infinite(s.posInf, s.negInf)
	}
	return s.sum.float64()
}

func (s *sums) mean() float64 { return s.total() / float64(s.n+s.posInf+s.negInf) }

// variance returns NaN if there are infinities, and +Inf if the squares overflow float64.
func (s *sums) variance() float64 {
	switch {
	case s.posInf+s.negInf > 0:
		return math.NaN()
	case s.wide:
		return math.Inf(1)
	}
	n := big.NewInt(s.n)
	v := s.squares.big()
	v.Lsh(v.Mul(v, n), -exactLow)
	sum := s.sum.big()
	if v.Sub(v, sum.Mul(sum, sum)); v.Sign() <= 0 {
		return 0
	}
	d := floatOf(v, 2*exactLow)
	deviations, _ := d.Quo(d, new(big.Float).SetInt(n)).Float64()
	return deviations / float64(s.n)
}

// stats returns the summary of the items of a column.
func (t *total) stats(c column) Stats {
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

func (t *total) floats(s *Stats) {
	s.Sum = floatValue(t.re.total())
	if t.count == t.nans {
		return
	}
	s.Min, s.Max = floatValue(t.fmin), floatValue(t.fmax)
	s.Mean, s.Std = floatValue(t.re.mean()), floatValue(math.Sqrt(t.re.variance()))
}

func (t *total) complexes(s *Stats) {
	s.Sum = complexValue(complex(t.re.total(), t.im.total()))
	if t.count == t.nans {
		return
	}
	s.Mean = complexValue(complex(t.re.mean(), t.im.mean()))
	s.Std = floatValue(math.Sqrt(t.re.variance() + t.im.variance()))
}
