package axes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// place returns the result of element i of an array, and its number among the elements of that result.
func place(shape []int, reduced []bool, i int) (result, position int) {
	index := make([]int, len(shape))
	for axis, n := range slices.Backward(shape) {
		index[axis], i = i%n, i/n
	}
	for axis, n := range shape {
		if reduced[axis] {
			position = position*n + index[axis]
		} else {
			result = result*n + index[axis]
		}
	}
	return result, position
}

// However the elements are cut and divided, each is in one block, with its result and its position, after those before it.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		shape, reduced, size := make([]int, r.IntN(5)), make([]bool, 5), 1
		for axis := range shape {
			shape[axis], reduced[axis] = 1+r.IntN(5), r.IntN(2) == 0
			if size < 300 && r.IntN(4) == 0 {
				shape[axis] = 1 + r.IntN(2*tileCells)
			}
			size *= shape[axis]
		}
		what := fmt.Sprint(shape, reduced)
		gs := Of(shape, reduced[:len(shape)])
		seen, next := make([]bool, size), map[int]int{}
		for from := 0; from < size; {
			to := from + 1 + r.IntN(size-from)
			var mu sync.Mutex
			err := gs.Blocks(t.Context(), from, to, 1+r.IntN(4), func(_ int, b Block) {
				mu.Lock()
				defer mu.Unlock()
				if !b.Along && b.Cols > 2048 {
					t.Errorf("%s: %d columns", what, b.Cols)
				}
				for row := range b.Rows {
					for col := range b.Cols {
						i := b.First + row*b.Stride + col
						if i < from || i >= to || seen[i] {
							t.Fatalf("%s: element %d of %d to %d twice or outside", what, i, from, to)
						}
						seen[i] = true
						result, position := b.Result+col, b.Position+row
						if b.Along {
							result, position = b.Result, b.Position+col
						}
						wantResult, wantPosition := place(shape, reduced, i)
						if result != wantResult || position != wantPosition {
							t.Fatalf("%s: element %d is number %d of result %d, want %d of %d", what, i, position, result, wantPosition, wantResult)
						}
						if position < next[result] {
							t.Fatalf("%s: number %d of result %d comes late", what, position, result)
						}
						next[result] = position + 1
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			from = to
		}
		if slices.Contains(seen, false) {
			t.Fatalf("%s: an element is missing", what)
		}
	}
}
