package moments

import (
	"math"
	"math/big"
)

// A Pair is a sum of floats: the rounded sum, and separately the accumulated rounding error.
type Pair struct{ Hi, Lo float64 }

// Add is Knuth's two-sum, which is exact for any two numbers in any order. It has no multiplication that a compiler may
// fuse.
func (p *Pair) Add(x float64) {
	s := p.Hi + x
	b := s - p.Hi
	p.Lo += (p.Hi - (s - b)) + (x - b)
	p.Hi = s
}

// AddPair adds another sum.
func (p *Pair) AddPair(q Pair) {
	p.Add(q.Hi)
	p.Lo += q.Lo
}

// Value returns the sum. If Hi is not finite, Lo is meaningless and is ignored.
func (p Pair) Value() float64 {
	if !finite(p.Hi) {
		return p.Hi
	}
	return p.Hi + p.Lo
}

func finite(x float64) bool { return x-x == 0 }

// minus returns the sum minus n times x. The result is accurate where both are nearly equal, and so are the differences
// of means that are much larger than the differences.
func (p Pair) minus(n, x float64) (d Pair) {
	whole := float64(n * x)
	d.Add(p.Hi)
	d.Add(-whole)
	d.Add(-math.FMA(n, x, -whole))
	d.Add(p.Lo)
	return d
}

// normal returns the sum with a Lo that is less than a unit in the last place of Hi.
func (p Pair) normal() Pair {
	hi := p.Hi + p.Lo
	return Pair{hi, p.Lo - (hi - p.Hi)}
}

// times returns the product with the digits of two float64.
func (p Pair) times(q Pair) Pair {
	p, q = p.normal(), q.normal()
	hi := float64(p.Hi * q.Hi)
	return Pair{hi, math.FMA(p.Hi, q.Hi, -hi) + (float64(p.Hi*q.Lo) + float64(p.Lo*q.Hi))}
}

// squareOver returns p²/n, with the digits of two float64.
func (p Pair) squareOver(n float64) Pair {
	p = p.normal()
	square := float64(p.Hi * p.Hi)
	rest := math.FMA(p.Hi, p.Hi, -square) + float64(2*p.Hi*p.Lo)
	q := square / n
	return Pair{q, (math.FMA(-q, n, square) + rest) / n}
}

// over returns the sum divided by n, with the digits of two float64.
func (p Pair) over(n float64) Pair {
	if !finite(p.Hi) {
		return Pair{Hi: p.Hi}
	}
	p = p.normal()
	q := p.Hi / n
	if !finite(q) { // of no numbers
		return Pair{Hi: q}
	}
	return Pair{q, (math.FMA(-q, n, p.Hi) + p.Lo) / n}
}

// root returns the square root, with the digits of two float64, of a sum that is not negative.
func (p Pair) root() Pair {
	p = p.normal()
	r := math.Sqrt(p.Hi)
	if !finite(r) || r == 0 {
		return Pair{Hi: r}
	}
	return Pair{r, (math.FMA(-r, r, p.Hi) + p.Lo) / (2 * r)}
}

// scaled returns the sum times a power of two.
func (p Pair) scaled(k float64) Pair { return Pair{float64(p.Hi * k), float64(p.Lo * k)} }

// snapped returns the sum with 40 digits of Lo, because the last digits of two float64 are not right. A result of two
// or of four numbers that lies in the middle between two float64 is then rounded as such.
func (p Pair) snapped() Pair {
	p = p.normal()
	if c := float64(p.Lo * (1<<13 + 1)); finite(c) {
		p.Lo = c - (c - p.Lo)
	}
	return p
}

// unscaled returns the sum divided by each of some powers of two, rounded once, also to a number below the normal ones.
func (p Pair) unscaled(by ...float64) float64 {
	value := p.Value()
	f := value
	for _, k := range by {
		f /= k
	}
	if math.Abs(f) >= 0x1p-1022 || f != f || value == 0 {
		return f
	}
	all := new(big.Float).SetPrec(precision).SetFloat64(p.Hi)
	all.Add(all, new(big.Float).SetFloat64(p.Lo))
	for _, k := range by {
		all.Quo(all, new(big.Float).SetFloat64(k))
	}
	f, _ = all.Float64()
	return f
}
