package nd

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Boxes never exceed their limit, and follow each other where they must. Few runs are short.
func TestCutBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 3000 {
		shape := make([]int, 1+r.IntN(5))
		for i := range shape {
			shape[i] = 1 + r.IntN(12)
		}
		n := Size(shape)
		maxSize, sequence := 1+r.IntN(n), r.IntN(2) == 0
		from, to := r.Perm(len(shape)), FastestFirst(len(shape), r.IntN(2) == 0)
		b := CutBoxes(shape, from, to, maxSize, sequence)
		if b.Size() > maxSize {
			t.Fatalf("%v has %d elements, over %d", b, b.Size(), maxSize)
		}
		total := 0
		for x := range b.All() {
			size := Size(x.Shape)
			if sequence && total%b.Size() != 0 && size > b.Size() {
				t.Fatalf("%v: a piece of %d after %d elements", b, size, total)
			}
			total += size
		}
		if total != n {
			t.Fatalf("%v: %d elements of %d", b, total, n)
		}
	}
	// A square with a quarter of it in memory is reordered in runs of half its side; a thin one, in strips.
	if b := CutBoxes([]int{1 << 12, 1 << 12}, []int{0, 1}, []int{1, 0}, 1<<20, false); b.runs([]int{0, 1})+b.runs([]int{1, 0}) > 1<<15 {
		t.Errorf("a square is cut into %v", b.box)
	}
	if b := CutBoxes([]int{1 << 20, 4}, []int{0, 1}, []int{1, 0}, 1<<18, false); !slices.Equal(b.box, []int{1 << 16, 4}) {
		t.Errorf("a thin array is cut into %v", b.box)
	}
}

// Consecutive runs cover an array once, and each is contiguous and at most as long as asked for.
func TestRunFrom(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		shape := make([]int, r.IntN(5))
		for i := range shape {
			shape[i] = 1 + r.IntN(6)
		}
		a := numbered(shape...)
		maxSize := 1 + r.IntN(2*a.Size())
		var got []int
		for at := 0; at < a.Size(); {
			part := a.Box(RunFrom(shape, at, maxSize))
			n := part.Size()
			if n == 0 || n > maxSize {
				t.Fatalf("shape %v: a run of %d elements from %d, want 1 to %d", shape, n, at, maxSize)
			}
			got, at = append(got, numbers(part)...), at+n
		}
		if !slices.Equal(got, numbers(a)) {
			t.Fatalf("shape %v in runs of %d: elements %v", shape, maxSize, got)
		}
	}
}
