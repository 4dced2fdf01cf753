package structure

import (
	"encoding/binary"
	"slices"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/bounded"
)

// The classes of layouts.
const (
	LayoutCompact = iota
	LayoutContiguous
	LayoutChunked
	layoutVirtual
)

// The indices of chunks. B-trees of version 1 have no number in the file.
const (
	IndexBTree1 = iota
	IndexSingle
	IndexImplicit
	IndexFixed
	IndexExtensible
	indexBTree2
)

// A Layout describes the storage of the elements of a dataset.
type Layout struct {
	Class   int
	Data    []byte // compact elements
	At      uint64 // of contiguous elements or of the index; undefined if nothing is stored
	size    uint64 // of contiguous elements; undefined where the message has none
	Chunk   []int  // the shape of a chunk
	Index   int
	Whole   bool   // partial chunks at the edges are not filtered
	Single  uint64 // the stored bytes of a single filtered chunk; undefined if it is not filtered
	Mask    uint32 // of a single chunk
	Version int
}

// ReadLayout reads a layout message for a dataspace of the given rank.
func ReadLayout(c *storage.Cursor, rank int) (Layout, error) {
	l := Layout{Version: c.Version(1, 5), At: storage.Undefined, size: storage.Undefined, Single: storage.Undefined}
	if l.Version < 3 {
		l.readV1(c)
	} else {
		l.Class = c.U8()
		switch l.Class {
		case LayoutCompact:
			l.Data = c.Bytes(c.U16())
		case LayoutContiguous:
			l.At, l.size = c.Address(), c.Length()
		case LayoutChunked:
			if l.Version == 3 {
				n := c.U8()
				l.At = c.Address()
				l.Chunk = readDims(c, n, 4)
			} else {
				l.readChunkedV4(c)
			}
		case layoutVirtual:
			c.Unsupported("a virtual dataset, whose elements are in other datasets")
		}
	}
	if c.Err == nil && (l.Class < 0 || l.Class > layoutVirtual) {
		c.Fail("layout class %d", l.Class)
	}
	if c.Err != nil || l.Class != LayoutChunked {
		return l, c.Err
	}
	if len(l.Chunk) != rank+1 {
		c.Fail("chunks of %d dimensions for a dataspace of %d", len(l.Chunk)-1, rank)
		return l, c.Err
	}
	l.Chunk = l.Chunk[:rank] // the datatype knows the size of an element better than the last one
	if slices.Contains(l.Chunk, 0) {
		c.Fail("chunks of shape %v", l.Chunk)
	}
	if _, ok := bounded.Count(l.Chunk, 1); !ok {
		c.Fail("chunks of shape %v are more than this machine can address", l.Chunk)
	}
	return l, c.Err
}

// readV1 takes the rest of versions 1 and 2.
func (l *Layout) readV1(c *storage.Cursor) {
	n := c.U8()
	l.Class = c.U8()
	c.Skip(5)
	if l.Class != LayoutCompact {
		l.At = c.Address()
	}
	dims := readDims(c, n, 4)
	switch l.Class {
	case LayoutChunked:
		l.Chunk = dims
	case LayoutCompact:
		l.Data = c.Bytes(int(c.U32()))
	}
}

// readDims takes n dimensions of size bytes each.
func readDims(c *storage.Cursor, n, size int) []int {
	if c.Err == nil && n > MaxRank+1 {
		c.Fail("%d dimensions, and HDF5 allows %d", n-1, MaxRank)
	}
	var dims []int
	for range n {
		x := c.Uint(size)
		if c.Err == nil && x > storage.MaxInt {
			c.Fail("a dimension of %d is more than this machine can address", x)
		}
		if c.Err != nil {
			return nil
		}
		dims = append(dims, int(x))
	}
	return dims
}

// readChunkedV4 takes the properties of chunks from version 4 on.
func (l *Layout) readChunkedV4(c *storage.Cursor) {
	flags, n, width := c.U8(), c.U8(), c.U8()
	if c.Err == nil && (width == 0 || width > 8) {
		c.Fail("dimensions of %d bytes", width)
		return
	}
	l.Chunk = readDims(c, n, width)
	l.Whole = flags&1 != 0
	switch l.Index = c.U8(); l.Index {
	case IndexSingle:
		if flags&2 != 0 {
			l.Single, l.Mask = c.Length(), c.U32()
		}
	case IndexImplicit:
	case IndexFixed:
		c.Skip(1) // its header has them, too
	case IndexExtensible:
		c.Skip(5) // its header has them, too
	case indexBTree2:
		c.Skip(6) // its header has them, too
	default:
		c.Fail("chunk index %d", l.Index)
	}
	l.At = c.Address()
}

// ContiguousLayout returns the data of a layout message.
func ContiguousLayout(addr, size uint64) []byte {
	b := []byte{3, 1}
	b = binary.LittleEndian.AppendUint64(b, addr)
	return binary.LittleEndian.AppendUint64(b, size)
}

// LayoutIndex is the offset of the address of the chunk index in the data of a layout message.
const LayoutIndex = 3

// ChunkedLayout returns the data of a layout message.
func ChunkedLayout(index uint64, chunk []int, itemSize int) []byte {
	b := []byte{3, 2, byte(len(chunk) + 1)}
	b = binary.LittleEndian.AppendUint64(b, index)
	for _, n := range chunk {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return binary.LittleEndian.AppendUint32(b, uint32(itemSize))
}
