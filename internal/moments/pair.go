package moments

import "math"

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

// over returns the sum divided by n, rounded once.
func (p Pair) over(n float64) float64 {
	if !finite(p.Hi) {
		return p.Hi
	}
	p = p.normal()
	q := p.Hi / n
	return q + (math.FMA(-q, n, p.Hi)+p.Lo)/n
}

// scaled returns the sum times a power of two.
func (p Pair) scaled(k float64) Pair { return Pair{float64(p.Hi * k), float64(p.Lo * k)} }
