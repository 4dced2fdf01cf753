package structure

import (
	"sync"

	"github.com/npygo/npy/hdf5/internal/storage"
)

// File reads the structures of a file, when they are needed. Heaps, which many elements and links lie in, are kept.
type File struct {
	*storage.Input
	Super     superblock
	maxHeader int // bytes of an object header

	heapMu      sync.Mutex
	collections map[uint64]*collection
	heapBytes   int
	fractals    storage.NodeCache[*FractalHeap]
}

// Open reads the superblock of a file.
func Open(in *storage.Input, maxHeader int) (*File, error) {
	super, err := readSuperblock(in)
	return &File{Input: in, Super: super, maxHeader: maxHeader}, err
}
