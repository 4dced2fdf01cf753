package chunkindex

import (
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/chunkgrid"
)

// Open returns the index of chunks that a layout message names.
func Open(g Grid, l *structure.Layout) (chunkgrid.Index, error) {
	switch l.Index {
	case structure.IndexBTree1:
		return &btree1{Grid: g, root: l.At}, nil
	case structure.IndexSingle:
		return singleChunk{g, l.At, l.Single, l.Mask}, nil
	case structure.IndexImplicit:
		return implicitIndex{g, l.At}, nil
	case structure.IndexFixed:
		return newFixedArray(g, l.At)
	case structure.IndexExtensible:
		return newExtensibleArray(g, l.At)
	}
	return newChunkTree2(g, l.At)
}
