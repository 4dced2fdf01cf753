package chunkgrid

import (
	"context"
	"math"
)

// A Chunk has the place of a chunk in a file.
type Chunk struct {
	At   uint64
	Size uint64 // bytes in the file
	Mask uint32 // bit i: filter i was not applied
}

// An Index finds chunks by their position in the grid of chunks. It may be used by several goroutines.
type Index interface {
	// Find returns a chunk, and false if it is not stored.
	Find(grid []int) (Chunk, bool, error)

	// All visits every chunk that is stored, in any order. The position is valid during the visit. A position may lie
	// outside of the grid, and may come more than once in a malformed file.
	All(ctx context.Context, visit func(grid []int, c Chunk) error) error
}

// Number returns the number of a chunk in C order of the axes, given the number of chunks along each. It reports false
// if there is no such number.
func Number(at []int, counts []uint64) (uint64, bool) {
	x := uint64(0)
	for i, g := range at {
		next := x*counts[i] + uint64(g)
		if counts[i] != 0 && x > (math.MaxUint64-uint64(g))/counts[i] {
			return 0, false
		}
		x = next
	}
	return x, true
}

// Position sets at to the position of a chunk by its number.
func Position(x uint64, counts []uint64, at []int) bool {
	for i := len(at) - 1; i >= 0; i-- {
		n := counts[i]
		if i == 0 {
			n = math.MaxUint64
		}
		if n == 0 || x%n > math.MaxInt {
			return false
		}
		at[i] = int(x % n)
		x /= n
	}
	return x == 0
}
