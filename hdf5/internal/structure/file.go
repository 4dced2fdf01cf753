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

// A superblock is the start of a file: where everything else begins.
type superblock struct {
	Version   int
	Root      uint64 // the address of the root group's header
	Extension uint64 // the address of the header with more messages, or undefined
}
