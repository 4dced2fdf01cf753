package hdf5

import (
	"math/bits"
	"sync"

	"github.com/npygo/npy/internal/chunkfilter"
)

// A fractalHeap keeps objects of any size, such as the links of a large group, in blocks that a table of doubling sizes
// finds. See "Fractal Heap" in the format specification.
type fractalHeap struct {
	f       *file
	at      uint64
	idLen   int
	flags   int
	managed uint32 // the largest size of an object in a block
	width   int    // blocks in a row of the table
	start   uint64 // bytes of the blocks of the first row
	direct  uint64 // bytes of the largest direct block
	bits    int    // of an offset in the heap
	root    uint64
	rows    int // of the root, an indirect block; 0 if it is a direct block
	huge    uint64

	filters   []chunkfilter.Filter
	rootSize  uint64 // of the root in the file, if it is a filtered direct block
	rootMask  uint32
	offsetLen int // bytes of an offset and
	lengthLen int // of a length in the ID of an object
	indirects nodeCache[[]heapBlock]
	hugeMu    sync.Mutex
	hugeByID  map[uint64]heapBlock

	lastMu sync.Mutex
	lastAt uint64 // of the filtered block that was read last, and
	last   []byte // its data
}

// A heapBlock is a block of the heap, or a huge object.
type heapBlock struct {
	at   uint64
	size uint64 // in the file, if it is filtered or huge
	mask uint32
	full uint64 // the size of a filtered huge object in memory
}

// fractalHeap returns the heap at an address.
func (f *file) fractalHeap(at uint64) (*fractalHeap, error) {
	return f.fractals.get(at, func() (*fractalHeap, error) { return f.readFractalHeap(at) })
}

// readFractalHeap reads the header of a heap.
func (f *file) readFractalHeap(at uint64) (*fractalHeap, error) {
	const what = "fractal heap"
	fixed := 4 + 1 + 2 + 2 + 1 + 4 + 12*f.lengthSize + 3*f.offsetSize + 2 + 2 + 2 + 2
	c := f.cursor(what, at, fixed+4)
	if c.err == nil {
		if encoded := int(c.b[7]) | int(c.b[8])<<8; encoded > 0 {
			c = f.cursor(what, at, fixed+f.lengthSize+4+encoded+4)
		}
	}
	c.signature("FRHP")
	c.version(0, 0)
	h := &fractalHeap{f: f, at: at, idLen: c.u16()}
	encoded := c.u16()
	h.flags = c.u8()
	h.managed = c.u32()
	c.skip(f.lengthSize)
	h.huge = c.address()
	c.skip(f.lengthSize + f.offsetSize + 8*f.lengthSize)
	h.width = c.u16()
	h.start, h.direct = c.length(), c.length()
	h.bits = c.u16()
	c.skip(2)
	h.root = c.address()
	h.rows = c.u16()
	if encoded > 0 {
		h.rootSize, h.rootMask = c.length(), c.u32()
		b := c.bytes(encoded)
		if c.err == nil {
			var err error
			h.filters, err = f.filters(&cursor{f: f.input, what: what, at: at + uint64(c.pos-encoded), b: b})
			if err != nil {
				return nil, err
			}
		}
	}
	c.checksum()
	switch {
	case c.err != nil:
	case !isPower(h.start) || !isPower(h.direct) || !isPower(uint64(h.width)) || h.start > h.direct || h.direct > 1<<31 || h.bits == 0 || h.bits > 64:
		c.fail("blocks of %d to %d bytes in rows of %d, and offsets of %d bits", h.start, h.direct, h.width, h.bits)
	case h.idLen < 1 || h.idLen > 4096:
		c.fail("IDs of %d bytes", h.idLen)
	case h.rows > 64:
		c.fail("%d rows of blocks", h.rows)
	}
	h.offsetLen = (h.bits + 7) / 8
	h.lengthLen = min((bits.Len64(h.direct)-1+7)/8, minBytes(uint64(h.managed)))
	return h, c.err
}

// object returns the bytes of an object by its ID, and their address, which is that of the heap for filtered objects.
func (h *fractalHeap) object(id []byte) (uint64, []byte, error) {
	c := &cursor{f: h.f.input, what: "fractal heap ID", at: h.at, b: id}
	head := c.u8()
	if c.err == nil && head>>6 != 0 {
		c.unsupported("version %d", head>>6)
	}
	if c.err != nil {
		return 0, nil, c.err
	}
	switch head >> 4 & 3 {
	case 0:
		offset, n := c.uint(h.offsetLen), c.uint(h.lengthLen)
		if c.err != nil {
			return 0, nil, c.err
		}
		return h.inBlock(offset, n)
	case 1:
		return h.hugeObject(c)
	case 2:
		n := head&15 + 1
		if h.idLen-1 > 16 {
			n = (head&15)<<8 + c.u8() + 1
		}
		b := c.bytes(n)
		return h.at, b, c.err
	}
	c.fail("an object of type %d", head>>4&3)
	return 0, nil, c.err
}

// rowSize returns the size of the blocks of a row of the table.
func (h *fractalHeap) rowSize(row int) uint64 {
	if row == 0 {
		return h.start
	}
	if row > 64 || bits.Len64(h.start)+row-1 > 64 {
		return 0
	}
	return h.start << (row - 1)
}

// directRows returns the number of rows of direct blocks.
func (h *fractalHeap) directRows() int { return bits.Len64(h.direct) - bits.Len64(h.start) + 2 }

// inBlock returns n bytes at an offset of the heap.
func (h *fractalHeap) inBlock(offset, n uint64) (uint64, []byte, error) {
	const what = "fractal heap"
	if h.rows == 0 {
		return h.inDirect(heapBlock{at: h.root, size: h.rootSize, mask: h.rootMask}, h.start, offset, n)
	}
	at, rows := h.root, h.rows
	for range 64 {
		row, col, rest := h.locate(offset)
		if row >= rows {
			break
		}
		blocks, err := h.indirect(at, rows)
		if err != nil {
			return 0, nil, err
		}
		b := blocks[row*h.width+col]
		if b.at == undefined {
			break
		}
		size := h.rowSize(row)
		if row < h.directRows() {
			return h.inDirect(b, size, rest, n)
		}
		at, offset = b.at, rest
		rows = bits.Len64(size) - bits.Len64(h.start*uint64(h.width)) + 1
		if rows < 1 || rows > 64 {
			break
		}
	}
	return 0, nil, invalid(what, h.f.offset(h.at), "no block has its byte %d", offset)
}

// locate returns the row and column of the block with an offset, and the offset within the block.
func (h *fractalHeap) locate(offset uint64) (row, col int, rest uint64) {
	hi, first := bits.Mul64(h.start, uint64(h.width))
	if hi != 0 || offset < first {
		return 0, int(offset / h.start), offset % h.start
	}
	row = bits.Len64(offset) - bits.Len64(first) + 1
	size := h.rowSize(row)
	if size == 0 {
		return 1 << 10, 0, 0
	}
	offset -= size * uint64(h.width) // the rows before have as many bytes as the row itself
	return row, int(offset / size % uint64(h.width)), offset % size
}

// inDirect returns n bytes at an offset of a direct block.
func (h *fractalHeap) inDirect(b heapBlock, size, offset, n uint64) (uint64, []byte, error) {
	const what = "fractal heap block"
	head := uint64(4 + 1 + h.f.offsetSize + h.offsetLen)
	if h.flags&2 != 0 {
		head += 4
	}
	if offset < head || offset > size || n > size-offset {
		return 0, nil, invalid(what, h.f.offset(b.at), "an object of %d bytes at byte %d leaves the block of %d bytes", n, offset, size)
	}
	if len(h.filters) > 0 {
		h.lastMu.Lock()
		defer h.lastMu.Unlock()
		if h.last == nil || h.lastAt != b.at || uint64(len(h.last)) != size {
			data, err := h.filtered(b, size)
			if err != nil {
				return 0, nil, err
			}
			h.lastAt, h.last = b.at, data
		}
		return h.at, h.last[offset : offset+n], nil
	}
	c := h.f.cursor(what, b.at, 5)
	c.signature("FHDB")
	c.version(0, 0)
	if c.err != nil {
		return 0, nil, c.err
	}
	if err := h.f.check(what, b.at, size); err != nil {
		return 0, nil, err
	}
	data, err := h.f.structure(what, b.at+offset, int(n))
	return b.at + offset, data, err
}

// filtered returns the data of a filtered block or huge object.
func (h *fractalHeap) filtered(b heapBlock, size uint64) ([]byte, error) {
	const what = "fractal heap block"
	stored, err := h.f.bytes(what, b.at, b.size)
	if err != nil {
		return nil, err
	}
	if size > maxInt/4 {
		return nil, invalid(what, h.f.offset(b.at), "%d bytes are more than this machine can address", size)
	}
	p, err := chunkfilter.New(h.filters, int(size))
	if err == nil && uint64(p.Bound(len(stored), b.mask)) < size {
		err = fault{errShortChunk}
	}
	if err != nil {
		return nil, h.f.failed(what, b.at, err)
	}
	data := make([]byte, size)
	return data, h.f.failed(what, b.at, p.Decode(data, stored, b.mask))
}

// indirect returns the blocks of an indirect block.
func (h *fractalHeap) indirect(at uint64, rows int) ([]heapBlock, error) {
	blocks, err := h.indirects.get(at, func() ([]heapBlock, error) {
		const what = "fractal heap indirect block"
		direct, filtered := min(rows, h.directRows()), 0
		if len(h.filters) > 0 {
			filtered = h.f.lengthSize + 4
		}
		head := 4 + 1 + h.f.offsetSize + h.offsetLen
		c := h.f.cursor(what, at, head+h.width*(rows*h.f.offsetSize+direct*filtered)+4)
		c.signature("FHIB")
		c.version(0, 0)
		c.skip(head - 5)
		var blocks []heapBlock
		for i := range rows * h.width {
			b := heapBlock{at: c.address()}
			if filtered > 0 && i < direct*h.width {
				b.size, b.mask = c.length(), c.u32()
			}
			blocks = append(blocks, b)
		}
		c.checksum()
		return blocks, c.err
	})
	if err == nil && len(blocks) < rows*h.width {
		err = invalid("fractal heap indirect block", h.f.offset(at), "it has several parents")
	}
	return blocks, err
}

// hugeObject returns an object that has a place of its own in the file. c is in its ID.
func (h *fractalHeap) hugeObject(c *cursor) (uint64, []byte, error) {
	f := h.f
	direct := f.offsetSize + f.lengthSize
	if len(h.filters) > 0 {
		direct += 4 + f.lengthSize
	}
	var b heapBlock
	if h.idLen-1 >= direct {
		b.at, b.size = c.address(), c.length()
		if len(h.filters) > 0 {
			b.mask, b.full = c.u32(), c.length()
		}
	} else {
		id := c.uint(min(h.idLen-1, 8))
		if c.err != nil {
			return 0, nil, c.err
		}
		var err error
		if b, err = h.hugeRecord(id); err != nil {
			return 0, nil, err
		}
	}
	if c.err != nil {
		return 0, nil, c.err
	}
	if len(h.filters) > 0 {
		data, err := h.filtered(b, b.full)
		return h.at, data, err
	}
	data, err := f.bytes("fractal heap object", b.at, b.size)
	return b.at, data, err
}

// hugeRecord returns the place of a huge object by its number.
func (h *fractalHeap) hugeRecord(id uint64) (heapBlock, error) {
	h.hugeMu.Lock()
	defer h.hugeMu.Unlock()
	if h.hugeByID == nil {
		t, err := h.f.btree2(h.huge, 1, 2)
		if err != nil {
			return heapBlock{}, err
		}
		found := map[uint64]heapBlock{}
		err = t.each(func(record []byte) error {
			c := &cursor{f: h.f.input, what: "huge object record", at: h.huge, b: record}
			b := heapBlock{at: c.address(), size: c.length()}
			if t.kind == 2 {
				b.mask, b.full = c.u32(), c.length()
			}
			found[c.length()] = b
			return c.err
		})
		if err != nil {
			return heapBlock{}, err
		}
		h.hugeByID = found
	}
	b, ok := h.hugeByID[id]
	if !ok {
		return b, invalid("fractal heap", h.f.offset(h.at), "it has no huge object %d", id)
	}
	return b, nil
}
