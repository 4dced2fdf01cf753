package bulk

import "math"

// Sums holds four sums, extremes and counts of zeros: number i of a slice belongs to lane i%4. A sum is a pair of the
// rounded sum and its rounding error (Knuth's two-sum). Extremes ignore NaN, and of zeros of both signs they keep the
// first.
type Sums struct {
	Hi, Lo, Min, Max [4]float64
	Zeros            [4]int64
}

// Add adds up xs, whose length is a multiple of four.
func (s *Sums) Add(xs []float64) {
	done := s.addQuick(xs)
	s.addPlain(xs[done:])
}

// NewSums returns empty sums.
func NewSums() Sums {
	var s Sums
	for i := range 4 {
		s.Min[i], s.Max[i] = math.Inf(1), math.Inf(-1)
	}
	return s
}

// addPlain is Add for every machine, and the oracle of the fast path.
func (s *Sums) addPlain(xs []float64) {
	for ; len(xs) >= 4; xs = xs[4:] {
		for i, x := range xs[:4] {
			sum := s.Hi[i] + x
			b := sum - s.Hi[i]
			s.Lo[i] += (s.Hi[i] - (sum - b)) + (x - b)
			s.Hi[i] = sum
			if x < s.Min[i] {
				s.Min[i] = x
			}
			if x > s.Max[i] {
				s.Max[i] = x
			}
			if x == 0 {
				s.Zeros[i]++
			}
		}
	}
}

// Deviations holds four sums of x-mean and of its square, in lanes like Sums.
type Deviations struct{ Sum, Square [4]float64 }

// Add adds the deviations of xs, whose length must be a multiple of four.
func (d *Deviations) Add(xs []float64, mean float64) {
	done := d.addQuick(xs, mean)
	d.addPlain(xs[done:], mean)
}

// addPlain is Add for every machine, and the oracle of the fast path.
func (d *Deviations) addPlain(xs []float64, mean float64) {
	for ; len(xs) >= 4; xs = xs[4:] {
		for i, x := range xs[:4] {
			a := x - mean
			d.Sum[i] += a
			d.Square[i] += float64(a * a) // the conversion keeps machines with fused operations at the same result
		}
	}
}
