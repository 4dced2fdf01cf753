package chunkindex

import (
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// A Grid is the positions of the chunks of a dataset.
type Grid struct {
	Dims  []int // of the dataset, in elements
	Most  []uint64
	Chunk []int
	Bytes uint64 // of a chunk
	File  *structure.File
}

// counts returns the number of chunks along each axis, for the largest size that the dataset may have. Unlimited axes
// have the number of their present size.
func (g *Grid) counts() []uint64 {
	counts := make([]uint64, len(g.Dims))
	for i, n := range g.Most {
		if n == structure.Unlimited || n < uint64(g.Dims[i]) {
			n = uint64(g.Dims[i])
		}
		counts[i] = (n + uint64(g.Chunk[i]) - 1) / uint64(g.Chunk[i])
		if n > storage.Undefined-uint64(g.Chunk[i]) {
			counts[i] = n / uint64(g.Chunk[i])
		}
	}
	return counts
}
