package stats

import (
	"math"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
)

// A pair is a sum of floats: the rounded sum, and separately the accumulated rounding error.
type pair struct{ hi, lo float64 }

// add is Knuth's two-sum, which is exact for any two numbers in any order. It has no multiplication that a compiler may
// fuse.
func (p *pair) add(x float64) {
	s := p.hi + x
	b := s - p.hi
	p.lo += (p.hi - (s - b)) + (x - b)
	p.hi = s
}

func (p *pair) addPair(q pair) {
	p.add(q.hi)
	p.lo += q.lo
}

// value returns the sum. If hi has overflowed float64, lo is meaningless and is ignored.
func (p pair) value() float64 {
	if !finite(p.hi) {
		return p.hi
	}
	return p.hi + p.lo
}

// less returns the sum minus n times x. The result is accurate where both are nearly equal, and so are the differences
// of means that are much larger than the differences.
func (p pair) less(n, x float64) float64 {
	whole := float64(n * x)
	return ((p.hi - whole) - math.FMA(n, x, -whole)) + p.lo
}

func finite(x float64) bool { return x-x == 0 }

// moments holds the sums from which mean and standard deviation are computed.
type moments struct {
	n          int64 // finite numbers
	posInf     int64
	negInf     int64
	sum        pair // of the finite ones but those in large
	large      pair // the sum of numbers whose sum overflows, divided by 2**64; deviations are infinite
	deviations pair // sum of the squares of x-mean over the finite numbers
}

func (m *moments) merge(o *moments) {
	m.posInf += o.posInf
	m.negInf += o.negInf
	if o.n == 0 {
		return
	}
	if m.n > 0 {
		a, b := float64(m.n), float64(o.n)
		mean := m.sum.value() / a
		delta := o.sum.less(b, mean)/b - m.sum.less(a, mean)/a
		m.deviations.add(float64(float64(delta*delta) * float64(a/(a+b)*b)))
	}
	m.deviations.addPair(o.deviations)
	m.large.addPair(o.large)
	m.n += o.n
	sum := m.sum
	if sum.addPair(o.sum); finite(sum.hi + sum.lo) {
		m.sum = sum
		return
	}
	for _, p := range []pair{m.sum, o.sum} {
		m.large.addPair(pair{p.hi / large, p.lo / large})
	}
	m.sum, m.deviations = pair{}, pair{hi: math.Inf(1)}
}

// total returns the sum. Infinities count as in IEEE 754.
func (m *moments) total() float64 {
	if m.posInf+m.negInf > 0 {
		return infinite(m.posInf, m.negInf)
	}
	if m.large == (pair{}) {
		return m.sum.value()
	}
	sum := m.large
	sum.add(m.sum.hi / large)
	return sum.value() * large
}

// infinite returns the sum of infinities.
func infinite(positive, negative int64) float64 {
	switch {
	case positive > 0 && negative > 0:
		return math.NaN()
	case positive > 0:
		return math.Inf(1)
	}
	return math.Inf(-1)
}

func (m *moments) count() int64 { return m.n + m.posInf + m.negInf }

// A span holds the minimum and maximum of some floats without NaN, and the number of zeros.
type span struct {
	min, max float64
	zeros    int64
}

// addFinite adds numbers to empty moments. If a number or the sum is not finite it reports false, and m is meaningless.
func (m *moments) addFinite(xs []float64) (span, bool) {
	four := len(xs) &^ 3
	sums := bulk.NewSums()
	sums.Add(xs[:four])
	r := span{min: math.Inf(1), max: math.Inf(-1)}
	for i := range 4 {
		r.min, r.max = min(r.min, sums.Min[i]), max(r.max, sums.Max[i])
	}
	r.zeros = sums.Zeros[0] + sums.Zeros[1] + sums.Zeros[2] + sums.Zeros[3]
	all := pair{sums.Hi[0], sums.Lo[0]}
	for _, x := range xs[four:] {
		all.add(x)
		r.add(x)
		if x == 0 {
			r.zeros++
		}
	}
	for i := 1; i < 4; i++ {
		all.addPair(pair{sums.Hi[i], sums.Lo[i]})
	}
	m.n, m.sum = int64(len(xs)), all
	if !finite(all.hi + all.lo) {
		return r, false
	}
	m.deviations = pair{hi: deviations(xs, all.value()/float64(len(xs)))}
	return r, true
}

func (r *span) add(x float64) {
	if x < r.min {
		r.min = x
	}
	if x > r.max {
		r.max = x
	}
}

// deviations returns the sum of (x-mean)², corrected for the rounding of mean.
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

// addReal adds numbers without NaN to empty moments.
func (m *moments) addReal(xs []float64, buf *[]float64) {
	if len(xs) == 0 {
		return
	}
	if _, ok := m.addFinite(xs); ok {
		return
	}
	*m = moments{}
	rest := codec.Grow(buf, len(xs))[:0]
	for _, x := range xs {
		switch {
		case x > math.MaxFloat64:
			m.posInf++
		case x < -math.MaxFloat64:
			m.negInf++
		default:
			rest = append(rest, x)
		}
	}
	if len(rest) == 0 {
		return
	}
	if _, ok := m.addFinite(rest); !ok {
		m.overflow(rest)
	}
}

// large is the divisor of moments.large: sums of 2**63 numbers stay finite.
const large = 1 << 64

// overflow adds finite numbers whose sum overflows. Such numbers are so large that their squares overflow float64 as
// well.
func (m *moments) overflow(xs []float64) {
	m.sum = pair{}
	for _, x := range xs {
		m.large.add(x / large)
	}
	m.deviations = pair{hi: math.Inf(1)}
}
