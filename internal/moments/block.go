package moments

import (
	"math"

	"github.com/npygo/npy/internal/bulk"
)

// A Span holds the minimum and maximum of some floats, without NaN, and the number of zeros.
type Span struct {
	Min, Max float64
	Zeros    int64
}

func (r *Span) add(x float64) {
	if x < r.Min {
		r.Min = x
	}
	if x > r.Max {
		r.Max = x
	}
	if x == 0 {
		r.Zeros++
	}
}

// isPlain reports whether the moments of numbers need no Far.
func (r *Span) isPlain() bool {
	return r.Min > -wide && r.Max < wide && (r.Max-r.Min >= narrow || r.Max == r.Min)
}

// few is the number of numbers up to which deviations have the digits of two float64, which costs little.
const few = 12

// AddPlain adds numbers to an empty cell, which is the fast way. It reports false if they are not finite, or if their moments need
// a Far; then c stays empty. The span is right all the same.
func (c *Cell) AddPlain(xs []float64) (Span, bool) {
	four := len(xs) &^ 3
	sums := bulk.NewSums()
	sums.Add(xs[:four])
	r := Span{Min: math.Inf(1), Max: math.Inf(-1)}
	for i := range 4 {
		r.Min, r.Max = min(r.Min, sums.Min[i]), max(r.Max, sums.Max[i])
	}
	r.Zeros = sums.Zeros[0] + sums.Zeros[1] + sums.Zeros[2] + sums.Zeros[3]
	all := Pair{sums.Hi[0], sums.Lo[0]}
	for _, x := range xs[four:] {
		all.Add(x)
		r.add(x)
	}
	for i := 1; i < 4; i++ {
		all.AddPair(Pair{sums.Hi[i], sums.Lo[i]})
	}
	if !finite(all.Hi+all.Lo) || !r.isPlain() {
		return r, false
	}
	if len(xs) < few {
		*c = Cell{}
		for _, x := range xs {
			c.Add(x)
		}
		return r, true
	}
	n := float64(len(xs))
	mean := all.Value() / n
	*c = Cell{N: int64(len(xs)), Sum: all, Squares: Squares{mean, all.minus(n, mean).squareOver(n)}}
	c.Squares.Add(deviations(xs, mean))
	return r, true
}

// deviations returns the sum of the squares of the distances of xs from their exact mean, of which mean is the nearest float64.
func deviations(xs []float64, mean float64) float64 {
	four := len(xs) &^ 3
	var d bulk.Deviations
	d.Add(xs[:four], mean)
	s, q := d.Sum, d.Square
	for _, x := range xs[four:] {
		a := x - mean
		s[0] += a
		q[0] += float64(a * a) // the conversion prevents fused operations, so that all machines give the same result
	}
	off := (s[0] + s[1]) + (s[2] + s[3])
	return (q[0] + q[1]) + (q[2] + q[3]) - float64(off*off)/float64(len(xs))
}

// AddReal adds numbers without NaN to an empty cell, but for infinities, which it counts. buf is memory for len(xs) numbers.
func (c *Cell) AddReal(xs []float64, buf []float64) (posInf, negInf int64) {
	if _, ok := c.AddPlain(xs); ok || len(xs) == 0 {
		return 0, 0
	}
	plain := buf[:0]
	for _, x := range xs {
		switch {
		case x > math.MaxFloat64:
			posInf++
		case x < -math.MaxFloat64:
			negInf++
		case math.Abs(x) < wide:
			plain = append(plain, x)
		}
	}
	if _, ok := c.AddPlain(plain); !ok {
		for _, x := range plain {
			c.Add(x)
		}
	}
	for _, x := range xs {
		if size := math.Abs(x); size >= wide && size <= math.MaxFloat64 {
			c.Add(x)
		}
	}
	return posInf, negInf
}
