package hdf5

import (
	"context"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// A storedChunk is a chunk that the file has.
type storedChunk struct {
	at   uint64
	size uint64 // bytes in the file
	mask uint32 // bit i: the chunk lacks filter i
}

// A chunkIndex finds chunks by their position in the grid of chunks. It may be used by several goroutines.
type chunkIndex interface {
	// find returns a chunk, and false if the file does not have it.
	find(grid []int) (storedChunk, bool, error)

	// all visits every chunk that the file has, in any order. The position is valid during the visit. A position may lie
	// outside of the grid, and may come more than once in a malformed file.
	all(ctx context.Context, visit func(grid []int, c storedChunk) error) error
}

// A grid is the positions of the chunks of a dataset.
type grid struct {
	dims  []int // of the dataset, in elements
	most  []uint64
	chunk []int
	bytes uint64 // of a chunk
	f     *structure.File
}

// counts returns the number of chunks along each axis, for the largest size that the dataset may have. Unlimited axes
// have the number of their present size.
func (g *grid) counts() []uint64 {
	counts := make([]uint64, len(g.dims))
	for i, n := range g.most {
		if n == structure.Unlimited || n < uint64(g.dims[i]) {
			n = uint64(g.dims[i])
		}
		counts[i] = (n + uint64(g.chunk[i]) - 1) / uint64(g.chunk[i])
		if n > storage.Undefined-uint64(g.chunk[i]) {
			counts[i] = n / uint64(g.chunk[i])
		}
	}
	return counts
}

// number returns the number of a chunk in C order of the axes, given the number of chunks along each. It reports false
// if there is no such number.
func number(at []int, counts []uint64) (uint64, bool) {
	x := uint64(0)
	for i, g := range at {
		next := x*counts[i] + uint64(g)
		if counts[i] != 0 && x > (storage.Undefined-uint64(g))/counts[i] {
			return 0, false
		}
		x = next
	}
	return x, true
}

// position sets at to the position of a chunk by its number.
func position(x uint64, counts []uint64, at []int) bool {
	for i := len(at) - 1; i >= 0; i-- {
		n := counts[i]
		if i == 0 {
			n = storage.Undefined
		}
		if n == 0 || x%n > storage.MaxInt {
			return false
		}
		at[i] = int(x % n)
		x /= n
	}
	return x == 0
}
