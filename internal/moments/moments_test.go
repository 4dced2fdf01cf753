package moments

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// truth has the moments of numbers, rounded once, and the sum of their sizes.
type truth struct{ sum, mean, variance, std, size float64 }

func exactly(xs []float64) truth {
	const bits = 6000
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }
	round := func(x *big.Float) float64 { f, _ := x.Float64(); return f }
	s, q, size := number(0), number(0), number(0)
	for _, x := range xs {
		s.Add(s, number(x))
		size.Add(size, number(math.Abs(x)))
		q.Add(q, new(big.Float).SetPrec(bits).Mul(number(x), number(x)))
	}
	n := number(float64(len(xs)))
	mean := new(big.Float).SetPrec(bits).Quo(s, n)
	q.Sub(q, new(big.Float).SetPrec(bits).Mul(s, mean))
	variance := q.Quo(q, n)
	if variance.Sign() < 0 { // 6000 bits are not enough for sums of the smallest and the largest squares
		variance.SetInt64(0)
	}
	return truth{round(s), round(mean), round(variance), round(new(big.Float).SetPrec(bits).Sqrt(variance)), round(size)}
}

// numbers returns numbers of a kind, around 2**exp.
func numbers(r *rand.Rand, kind, n, exp int) []float64 {
	xs := make([]float64, n)
	first := math.Ldexp(1+r.Float64(), exp)
	if math.IsInf(first, 0) {
		first = math.MaxFloat64
	}
	for i := range xs {
		x := first
		switch kind {
		case 0: // of one size and both signs
			x = math.Ldexp(r.NormFloat64()/8, exp)
		case 1: // a constant, and its neighbours
			for range r.IntN(3) {
				x = math.Nextafter(x, 0)
			}
		case 2: // a constant
		case 3: // a mean of a thousand deviations
			x *= 1 - 1e-3*r.Float64()
		case 4: // of all sizes
			x = math.Ldexp(r.NormFloat64(), r.IntN(2090)-1070)
		case 5: // a few larger ones
			if r.IntN(8) == 0 {
				x = math.Ldexp(r.NormFloat64(), min(exp+r.IntN(700), 1018))
			}
		case 6: // that cancel
			x = math.Copysign(first, float64(i%2)-0.5)
		case 7: // among zeros
			x *= float64(r.IntN(2))
		}
		if math.IsInf(x, 0) {
			x = math.Copysign(math.MaxFloat64, x)
		}
		xs[i] = x
	}
	return xs
}

const kinds = 8

// near reports whether a result is the exact one, but for some units in the last place and a part of the size of the terms.
func near(got, want, relative, size float64) bool {
	return got == want || math.Abs(got-want) <= relative*math.Abs(want)+size+5e-324 || math.IsInf(got, 0) && math.Abs(want) > math.MaxFloat64*(1-1e-13)
}

func (w truth) check(t *testing.T, what string, xs []float64, got truth) {
	t.Helper()
	ok := near(got.sum, w.sum, 0x1p-52, w.size*0x1p-95) && near(got.mean, w.mean, 0x1p-52, w.size/float64(len(xs))*0x1p-95)
	if !ok || !near(got.variance, w.variance, 1e-14, 0) || !near(got.std, w.std, 1e-14, 0) {
		t.Fatalf("%s of %v:\ngot  %+v\nwant %+v", what, xs, got, w)
	}
}

// pieces cuts numbers at random.
func pieces(r *rand.Rand, xs []float64) (out [][]float64) {
	for len(xs) > 0 {
		n := min(1+r.IntN(1<<r.IntN(6)), len(xs))
		out, xs = append(out, xs[:n]), xs[n:]
	}
	return out
}

func (s *Sums) truth() truth {
	return truth{sum: s.Total(), mean: s.Mean(), variance: s.Var(), std: Std(s)}
}

func (c *Cells) truth(i, n int) truth {
	return truth{sum: c.Total(i, int64(n)), mean: c.Mean(i, int64(n)), variance: c.Var(i, int64(n)), std: c.Std(i, int64(n))}
}

// Moments of numbers of every magnitude agree with exact arithmetic, however the numbers are divided and merged.
func TestEveryMagnitude(t *testing.T) {
	r := rand.New(rand.NewPCG(154, 308))
	cases := 0
	for exp := -1074; exp <= 1023; exp++ {
		for range oracle.Cases(t, 2) {
			xs := numbers(r, r.IntN(kinds), 1+r.IntN(1<<r.IntN(7)), exp)
			want := exactly(xs)
			parts := pieces(r, xs)
			whole := NewCells(true)
			whole.Grow(3, 3)
			whole.AddEach(1, 0, xs)
			want.check(t, "AddEach", xs, whole.truth(1, len(xs)))
			merged, exact, one := NewCells(true), new(Sums), new(Cell)
			merged.Grow(2, 2)
			for _, part := range parts {
				var block Cell
				if posInf, negInf := block.AddReal(part, make([]float64, len(part))); posInf+negInf > 0 {
					t.Fatalf("%v has infinities", part)
				}
				exact.Add(&block, 0, 0)
				one.Merge(&block)
				if r.IntN(2) == 0 {
					merged.Merge(1, &block)
					continue
				}
				each := NewCells(true)
				each.Grow(len(part), len(part))
				each.AddEach(0, 1, part)
				for i := range part {
					merged.MergeCell(1, each, i, 1)
				}
			}
			want.check(t, fmt.Sprintf("%d blocks", len(parts)), xs, exact.truth())
			want.check(t, "merged cells", xs, merged.truth(1, len(xs)))
			all := new(Sums)
			all.Add(one, 0, 0)
			want.check(t, "a merged cell", xs, all.truth())
			want.check(t, "exact sums of a merged cell", xs, merged.Exact(1, int64(len(xs))).truth())
			if far := merged.far.Of(0); far != nil && *far != (Far{}) || merged.sums[0] != (Pair{}) {
				t.Fatal("another cell has changed")
			}
			cases++
		}
	}
	t.Logf("%d arrays of 2,098 magnitudes, each divided and merged in 5 ways", cases)
}

// Infinities and NaN have the results of IEEE 754, with numbers of every magnitude among them.
func TestInfinities(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, exp := range []int{-1074, -600, -410, 0, 450, 980, 1023} {
		for _, tt := range []struct {
			special []float64
			sum     float64
		}{{[]float64{inf}, inf}, {[]float64{-inf}, -inf}, {[]float64{inf, -inf}, nan}, {[]float64{nan}, nan}, {[]float64{inf, nan}, nan}} {
			for place := range 4 {
				xs := []float64{math.Ldexp(1, exp), math.Ldexp(1.5, exp), 0}
				xs = append(xs[:min(place, 3)], append(tt.special, xs[min(place, 3):]...)...)
				c := NewCells(true)
				c.Grow(1, 1)
				later := NewCells(true)
				later.Grow(1, 1)
				for i, x := range xs {
					if i < 2 {
						c.Add(0, x)
					} else {
						later.Add(0, x)
					}
				}
				c.MergeCell(0, later, 0, int64(len(xs)-2))
				got := c.truth(0, len(xs))
				if same := func(x, y float64) bool { return x == y || x != x && y != y }; !same(got.sum, tt.sum) || !same(got.mean, tt.sum) || got.std == got.std || got.variance == got.variance {
					t.Errorf("%v: %+v, want a sum of %v", xs, got, tt.sum)
				}
			}
		}
	}
	empty := NewCells(true)
	empty.Grow(1, 1)
	if got := empty.truth(0, 0); got.sum != 0 || got.mean == got.mean || got.std == got.std {
		t.Errorf("of nothing: %+v", got)
	}
}
