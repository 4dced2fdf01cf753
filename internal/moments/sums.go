package moments

import (
	"math"
	"math/big"
)

// Sums holds the exact sums from which mean and standard deviation are computed. It does not depend on the order in which cells
// were added.
type Sums struct {
	N, PosInf, NegInf int64 // finite numbers, and infinities
	Sum               Exact // of the finite numbers
	Squares           Exact // of the finite numbers, as far as cells know them: see Add
	Wide              bool  // squares are infinite: of a state of a version of this package that did not add such squares
}

// Add adds a cell without NaN, of which some numbers are infinite.
//
// The sum of the squares of n numbers with the sum s is, for any number c, the sum of (x-c)² plus 2·c·s - n·c². With a number
// near the mean for c, (x-c)² is as small as can be, and the products are added exactly.
func (s *Sums) Add(c *Cell, posInf, negInf int64) {
	s.PosInf += posInf
	s.NegInf += negInf
	s.N += c.N
	s.Sum.add(c.Sum.Hi, 0)
	s.Sum.add(c.Sum.Lo, 0)
	far := c.Far
	if far == nil {
		far = &Far{}
	}
	s.Sum.add(far.Large.Hi, 64)
	s.Sum.add(far.Large.Lo, 64)
	q := c.Squares
	if q.About != q.About {
		return
	}
	s.Squares.add(q.Hi, 0)
	s.Squares.add(q.Lo, 0)
	s.Squares.add(far.Wide.Hi, farExp)
	s.Squares.add(far.Wide.Lo, farExp)
	s.Squares.add(far.Narrow.Hi, -farExp)
	s.Squares.add(far.Narrow.Lo, -farExp)
	s.Squares.addProduct(2, q.About, c.Sum.Hi, 0)
	s.Squares.addProduct(2, q.About, c.Sum.Lo, 0)
	s.Squares.addProduct(2, q.About, far.Large.Hi, 64)
	s.Squares.addProduct(2, q.About, far.Large.Lo, 64)
	s.Squares.addProduct(uint64(c.N), q.About, -q.About, 0)
}

// Merge adds o.
func (s *Sums) Merge(o *Sums) {
	s.N += o.N
	s.PosInf += o.PosInf
	s.NegInf += o.NegInf
	s.Sum.merge(&o.Sum)
	s.Squares.merge(&o.Squares)
	s.Wide = s.Wide || o.Wide
}

// infinite returns the sum of infinities, of which there are some.
func (s *Sums) infinite() float64 {
	switch {
	case s.PosInf > 0 && s.NegInf > 0:
		return math.NaN()
	case s.PosInf > 0:
		return math.Inf(1)
	}
	return math.Inf(-1)
}

// Total returns the sum, rounded once. Infinities count as in IEEE 754.
func (s *Sums) Total() float64 {
	if s.PosInf+s.NegInf > 0 {
		return s.infinite()
	}
	f, _ := floatOf(s.Sum.big(), exactLow).Float64()
	return f
}

// Mean returns the mean, rounded once, also where the sum is beyond the largest float64. The mean of no numbers is NaN.
func (s *Sums) Mean() float64 {
	switch {
	case s.PosInf+s.NegInf > 0:
		return s.infinite()
	case s.N == 0:
		return math.NaN()
	}
	f, _ := new(big.Float).SetPrec(precision).Quo(floatOf(s.Sum.big(), exactLow), intOf(s.N)).Float64()
	return f
}

// precision is the number of bits of intermediate results that are not exact.
const precision = 192

func intOf(n int64) *big.Float { return new(big.Float).SetPrec(precision).SetInt64(n) }

// variance returns the mean of the squares of the distances from the mean, or nil if it is not a number: of no numbers, and of
// infinities. It may be beyond the largest float64, and below the smallest.
func (s *Sums) variance() *big.Float {
	if s.PosInf+s.NegInf > 0 || s.N == 0 {
		return nil
	}
	out := new(big.Float).SetPrec(precision)
	if s.Wide {
		return out.SetInf(false)
	}
	n := big.NewInt(s.N)
	v := s.Squares.big()
	v.Lsh(v.Mul(v, n), -exactLow)
	sum := s.Sum.big()
	if v.Sub(v, sum.Mul(sum, sum)); v.Sign() <= 0 {
		return out
	}
	return out.Quo(floatOf(v, 2*exactLow), intOf(0).SetInt(n.Mul(n, n)))
}

// Var returns the variance of the whole population, rounded once.
func (s *Sums) Var() float64 {
	v := s.variance()
	if v == nil {
		return math.NaN()
	}
	return snapped(v)
}

// snapped returns x as a float64. The sums of squares of cells have the digits of two float64, so x is rounded to a few less first,
// as [Pair.snapped] does: a result in the middle between two float64 is rounded as such.
func snapped(x *big.Float) float64 {
	f, _ := x.SetPrec(94).Float64()
	return f
}

// Std returns the square root of the sum of the variances of some sums, such as the two parts of complex numbers. It is right
// also where a variance is beyond the largest float64.
func Std(parts ...*Sums) float64 {
	all := new(big.Float).SetPrec(precision)
	for _, s := range parts {
		v := s.variance()
		if v == nil {
			return math.NaN()
		}
		all.Add(all, v)
	}
	if !all.IsInf() {
		all.Sqrt(all)
	}
	return snapped(all)
}

// floatOf returns x·2**exp with some 192 bits.
func floatOf(x *big.Int, exp int) *big.Float {
	f := new(big.Float).SetPrec(precision).SetInt(x)
	return f.SetMantExp(f, exp)
}
