package moments

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// merged returns the exact sums of pieces of numbers, each added to cells of its own, merged in random order.
func merged(r *rand.Rand, parts [][]float64) *Sums {
	all := new(Sums)
	for _, i := range r.Perm(len(parts)) {
		part := NewCells(true)
		part.Grow(1, 1)
		part.AddEach(0, 0, parts[i])
		all.Merge(part.Exact(0, int64(len(parts[i]))))
	}
	return all
}

// same reports whether results have the same bits, but for the sign of 0.
func (w truth) same(got truth) bool {
	return got.sum == w.sum && got.mean == w.mean && got.variance == w.variance && got.std == w.std
}

// The results of cells are rounded once, as exact sums are, so that numbers that were divided and merged have the bits of one
// pass over all of them.
func TestPartitions(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 11))
	arrays := 0
	check := func(xs []float64) {
		t.Helper()
		arrays++
		whole := NewCells(true)
		whole.Grow(1, 1)
		whole.AddEach(0, 0, xs)
		got := whole.truth(0, len(xs))
		for range 2 {
			parts := pieces(r, xs)
			if want := merged(r, parts).truth(); !want.same(got) {
				t.Fatalf("%v in one pass:\n%+v\nin %d pieces:\n%+v", xs, got, len(parts), want)
			}
		}
		if w := exactly(xs); math.Abs(got.std) < math.MaxFloat64 && len(xs) < 100 && (w.variance != got.variance || w.std != got.std) {
			t.Fatalf("%v: %+v, rounded once %+v", xs, got, w)
		}
	}
	for range oracle.Cases(t, 500) { // integers
		xs := make([]float64, 1+r.IntN(1<<r.IntN(11)))
		from, size := r.Int64N(1<<r.IntN(52))-1<<20, r.Int64N(1<<r.IntN(20))+1
		for i := range xs {
			xs[i] = float64(from + r.Int64N(size))
		}
		check(xs)
	}
	alike := []int{0, 1, 2, 3, 6, 7} // kinds of numbers of which none is lost beside the others
	for exp := -1074; exp <= 1020; exp++ {
		for range oracle.Cases(t, 2) {
			check(numbers(r, alike[r.IntN(len(alike))], 1+r.IntN(1<<r.IntN(7)), exp))
		}
	}
	t.Logf("%d arrays, each divided in 2 ways", arrays)
}
