package source

import (
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy/internal/nd"
)

// Every element of an array is in one box and one run, and the runs of consecutive boxes follow each other.
func TestBoxesCover(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		shape := make([]int, 1+r.IntN(5))
		for i := range shape {
			shape[i] = 1 + r.IntN(9)
		}
		limit, columns := 1+r.IntN(200), 1+r.IntN(20)
		checkBoxes(t, inFileOrder(shape, limit), limit, true)
		checkBoxes(t, forCache(shape, limit, columns), limit, false)
	}
}

func checkBoxes(t *testing.T, b boxes, limit int, consecutive bool) {
	t.Helper()
	seen := make([]bool, nd.Size(b.shape))
	next := 0
	for k := range b.count {
		x := b.at(k)
		if n := nd.Size(x.shape); n > limit || n > nd.Size(b.box) {
			t.Fatalf("%v: a box of %d elements is over %d", b, n, limit)
		}
		have := 0
		_ = b.runs(x, func(first, n int) error {
			if consecutive && first != next {
				t.Fatalf("%v: box %d reads from %d on, want %d", b, k, first, next)
			}
			next, have = first+n, have+n
			for i := first; i < first+n; i++ {
				if seen[i] || !contains(b.shape, x, i) {
					t.Fatalf("%v: element %d comes twice, or is not in box %v", b, i, x)
				}
				seen[i] = true
			}
			return nil
		})
		if have != nd.Size(x.shape) {
			t.Fatalf("%v: the runs of box %v have %d elements", b, x, have)
		}
	}
	for i, ok := range seen {
		if !ok {
			t.Fatalf("%v: element %d is in no box", b, i)
		}
	}
}

// contains reports whether the element at a position in Fortran order is in the box.
func contains(shape []int, x box, position int) bool {
	for i, n := range shape {
		at := position%n - x.origin[i]
		if at < 0 || at >= x.shape[i] {
			return false
		}
		position /= n
	}
	return true
}
