package reading

import (
	"cmp"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/chunkgrid"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/magic"
)

// A File is an open file. Structures are read when they are needed, and kept if they will be needed again.
type File struct {
	*structure.File
	limits Limits
	large  chunkgrid.Cache

	expanded atomic.Int64 // bytes of elements that were read and are not stored

	groupMu sync.Mutex
	groups  map[uint64]*group // by the addresses of their headers
	links   int               // of all groups

	pathsOnce sync.Once
	paths     map[uint64]string // of all objects, by the addresses of their headers
}

// Open opens a file of size bytes, and reads its superblock.
func Open(r *closable.ReaderAt, size int64, l Limits) (*File, error) {
	base, ok := structure.FindSignature(r, size)
	if !ok {
		why := cmp.Or(magic.ExplainFile(r, magic.HDF5), "its signature is at no offset where it can be")
		return nil, &fault.Error{Offset: -1, Err: fault.Malformed(errors.New("not an HDF5 file: " + why))}
	}
	in := &storage.Input{Reader: r, Base: base, Size: size - base, Unsummed: l.Unsummed}
	s, err := structure.Open(in, l.Header)
	if err != nil {
		return nil, err
	}
	return &File{File: s, limits: l}, nil
}

// expand counts n bytes of elements that the file does not store, if MaxRatio is a limit of all reads.
func (f *File) expand(n int) error {
	l := f.limits
	if !l.Total || n == 0 || l.Ratio < 0 {
		return nil
	}
	total := f.expanded.Add(int64(n))
	if ratio := total / max(f.Size, 1); total > freeBytes && ratio > l.Ratio {
		return bounded.Over("MaxRatio", l.Ratio, ratio, "%d bytes of elements that a file of %d does not store have been read, and are over MaxRatio %d", total, f.Size, l.Ratio)
	}
	return nil
}
