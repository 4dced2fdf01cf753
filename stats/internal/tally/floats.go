package tally

import (
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/stats/internal/items"
)

// addFloats adds real numbers. Almost always all are finite, and the fast path is enough.
func (t *Tally) addFloats(s *items.Scratch, xs []float64) {
	var m Reals
	r, ok := m.AddPlain(xs)
	all := len(xs)
	if !ok {
		xs = notNaN(s, xs)
		m.add(xs, &s.Finite)
	}
	if len(xs) > 0 {
		t.floats(r.Min, r.Max, t.Count == t.NaNs)
	}
	t.Re.merge(&m)
	t.Count += int64(all)
	t.NaNs += int64(all - len(xs))
	t.Infs += m.PosInf + m.NegInf
	t.Zeros += r.Zeros
}

// notNaN returns a copy of xs without NaNs.
func notNaN(s *items.Scratch, xs []float64) []float64 {
	out := codec.Grow(&s.Parts, len(xs))[:0]
	for _, x := range xs {
		if x == x {
			out = append(out, x)
		}
	}
	return out
}

// addComplexes adds complex numbers, given as alternating real and imaginary parts.
func (t *Tally) addComplexes(s *items.Scratch, xs []float64) {
	n := len(xs) / 2
	parts := codec.Grow(&s.Parts, 2*n)
	re, im := parts[:0:n], parts[n:n:2*n]
	for i := 0; i+1 < len(xs); i += 2 {
		a, b := xs[i], xs[i+1]
		switch {
		case a != a || b != b:
			t.NaNs++
			continue
		case !items.IsFinite(a) || !items.IsFinite(b):
			t.Infs++
		case a == 0 && b == 0:
			t.Zeros++
		}
		re, im = append(re, a), append(im, b)
	}
	t.Count += int64(n)
	var x, y Reals
	x.add(re, &s.Finite)
	y.add(im, &s.Finite)
	t.Re.merge(&x)
	t.Im.merge(&y)
}
