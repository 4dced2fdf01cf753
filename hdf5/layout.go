package hdf5

import (
	"math"
	"slices"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/chunkfilter"
)

// The classes of layouts.
const (
	layoutCompact = iota
	layoutContiguous
	layoutChunked
	layoutVirtual
)

// The indices of chunks. B-trees of version 1 have no number in the file.
const (
	indexBTree1 = iota
	indexSingle
	indexImplicit
	indexFixed
	indexExtensible
	indexBTree2
)

// A layout says where the elements of a dataset are.
type layout struct {
	class   int
	data    []byte // compact elements
	at      uint64 // of contiguous elements or of the index; undefined if nothing is stored
	size    uint64 // of contiguous elements; undefined where the message does not say it
	chunk   []int  // the shape of a chunk
	index   int
	whole   bool   // partial chunks at the edges are not filtered
	single  uint64 // the stored bytes of a single filtered chunk; undefined if it is not filtered
	mask    uint32 // of a single chunk
	version int
}

// layout reads a layout message for a dataspace of the given rank.
func (f *file) layout(c *cursor, rank int) (layout, error) {
	l := layout{version: c.version(1, 5), at: undefined, size: undefined, single: undefined}
	if l.version < 3 {
		c.layoutV1(&l)
	} else {
		l.class = c.u8()
		switch l.class {
		case layoutCompact:
			l.data = c.bytes(c.u16())
		case layoutContiguous:
			l.at, l.size = c.address(), c.length()
		case layoutChunked:
			if l.version == 3 {
				n := c.u8()
				l.at = c.address()
				l.chunk = c.dims(n, 4)
			} else {
				c.chunkedV4(&l)
			}
		case layoutVirtual:
			c.unsupported("a virtual dataset, whose elements are in other datasets")
		}
	}
	if c.err == nil && (l.class < 0 || l.class > layoutVirtual) {
		c.fail("layout class %d", l.class)
	}
	if c.err != nil || l.class != layoutChunked {
		return l, c.err
	}
	if len(l.chunk) != rank+1 {
		c.fail("chunks of %d dimensions for a dataspace of %d", len(l.chunk)-1, rank)
		return l, c.err
	}
	l.chunk = l.chunk[:rank] // the datatype knows the size of an element better than the last one
	if slices.Contains(l.chunk, 0) {
		c.fail("chunks of shape %v", l.chunk)
	}
	if _, ok := bounded.Count(l.chunk, 1); !ok {
		c.fail("chunks of shape %v are more than this machine can address", l.chunk)
	}
	return l, c.err
}

// layoutV1 takes the rest of versions 1 and 2.
func (c *cursor) layoutV1(l *layout) {
	n := c.u8()
	l.class = c.u8()
	c.skip(5)
	if l.class != layoutCompact {
		l.at = c.address()
	}
	dims := c.dims(n, 4)
	switch l.class {
	case layoutChunked:
		l.chunk = dims
	case layoutCompact:
		l.data = c.bytes(int(c.u32()))
	}
}

// dims takes n dimensions of size bytes each.
func (c *cursor) dims(n, size int) []int {
	if c.err == nil && n > rankLimit+1 {
		c.fail("%d dimensions, and HDF5 allows %d", n-1, rankLimit)
	}
	var dims []int
	for range n {
		x := c.uint(size)
		if c.err == nil && x > maxInt {
			c.fail("a dimension of %d is more than this machine can address", x)
		}
		if c.err != nil {
			return nil
		}
		dims = append(dims, int(x))
	}
	return dims
}

// chunkedV4 takes the properties of chunks from version 4 on.
func (c *cursor) chunkedV4(l *layout) {
	flags, n, width := c.u8(), c.u8(), c.u8()
	if c.err == nil && (width == 0 || width > 8) {
		c.fail("dimensions of %d bytes", width)
		return
	}
	l.chunk = c.dims(n, width)
	l.whole = flags&1 != 0
	switch l.index = c.u8(); l.index {
	case indexSingle:
		if flags&2 != 0 {
			l.single, l.mask = c.length(), c.u32()
		}
	case indexImplicit:
	case indexFixed:
		c.skip(1) // its header has them, too
	case indexExtensible:
		c.skip(5) // its header has them, too
	case indexBTree2:
		c.skip(6) // its header has them, too
	default:
		c.fail("chunk index %d", l.index)
	}
	l.at = c.address()
}

// filters reads a filter pipeline message.
func (f *file) filters(c *cursor) ([]chunkfilter.Filter, error) {
	version, n := c.version(1, 2), c.u8()
	if version == 1 {
		c.skip(6)
	}
	var filters []chunkfilter.Filter
	for range n {
		x := chunkfilter.Filter{ID: uint16(c.u16())}
		length := 0
		if version == 1 || x.ID >= 256 {
			length = c.u16()
		}
		x.Flags = uint16(c.u16())
		count := c.u16()
		x.Name = c.text(length)
		for range count {
			if c.err != nil {
				return nil, c.err
			}
			x.Values = append(x.Values, c.u32())
		}
		if version == 1 && count%2 == 1 {
			c.skip(min(4, c.left()))
		}
		filters = append(filters, x)
	}
	return filters, c.err
}

// fill reads the fill value of a dataset, nil for zeros.
func (h *header) fill(size int) ([]byte, error) {
	m, ok := h.find(fillMessage)
	if !ok {
		if m, ok = h.find(oldFillMessage); !ok {
			return nil, nil
		}
		c := h.cursor(m, "fill value message")
		return c.fill(size), c.err
	}
	c := h.cursor(m, "fill value message")
	defined := false
	if version := c.version(1, 3); version < 3 {
		c.skip(2)
		defined = c.u8() != 0 || version == 1
	} else {
		defined = c.u8()&0x20 != 0
	}
	if !defined || c.err != nil {
		return nil, c.err
	}
	return c.fill(size), c.err
}

// fill takes a fill value of an element's size, or nil for one of zeros or of another size. A size of -1 says that there is
// none, whatever the message says before.
func (c *cursor) fill(size int) []byte {
	n := c.u32()
	if n == math.MaxUint32 {
		return nil
	}
	b := c.bytes(int(n))
	if len(b) != size || !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) {
		return nil
	}
	return slices.Clone(b)
}
