package rank

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/keys"
)

// The rank of a number is its position after sorting, with any limit on held numbers and any distance between numbers.
func TestSelectionSorts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, next := range map[string]func() float64{
		"spread":      r.NormFloat64,
		"few":         func() float64 { return float64(r.IntN(5) - 2) },
		"near":        func() float64 { return math.Float64frombits(math.Float64bits(1) + uint64(r.IntN(300))) },
		"any at all":  func() float64 { return math.Float64frombits(r.Uint64()) },
		"the same":    func() float64 { return -3.5 },
		"with extras": func() float64 { return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, r.Float64()}[r.IntN(5)] },
	} {
		xs := make([]float64, 3000)
		for i := range xs {
			xs[i] = next()
		}
		a, err := npy.FromSlice(xs)
		if err != nil {
			t.Fatal(err)
		}
		sorted := slices.DeleteFunc(slices.Clone(xs), math.IsNaN)
		slices.Sort(sorted)
		for _, some := range []int{1, 7, 500} {
			qs := make([]float64, some)
			for i := range qs {
				qs[i] = r.Float64()
			}
			for _, most := range []int64{0, 100, heldNumbers} {
				s := selectionsOf(items.ColumnsOf(a.DType()), a.DType().ItemSize(), qs, most)[0]
				for limit := s.passes(); !s.done(); {
					left := s.passes()
					s.add(a.Bytes(), 1)
					if err := s.next(); err != nil {
						t.Fatal(err)
					}
					if s.passes() >= left {
						t.Fatalf("%s, %d ranks, %d held: %d of %d passes are left, and %d after one more", name, some, most, left, limit, s.passes())
					}
				}
				for _, rank := range s.ranks() {
					if got := keys.FloatOf(s.key(rank)); got != sorted[rank] {
						t.Fatalf("%s, %d ranks, %d held: rank %d is %v, want %v", name, some, most, rank, got, sorted[rank])
					}
				}
			}
		}
	}
}
