package structure

import (
	"math/bits"
	"sync"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/chunkfilter"
)

// A FractalHeap keeps objects of any size, such as the links of a large group, in blocks that a table of doubling sizes
// finds. See "Fractal Heap" in the format specification.
type FractalHeap struct {
	f       *File
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
	indirects storage.NodeCache[[]heapBlock]
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

// FractalHeap returns the heap at an address.
func (f *File) fractalHeap(at uint64) (*FractalHeap, error) {
	return f.fractals.Get(at, func() (*FractalHeap, error) { return f.readFractalHeap(at) })
}

// readFractalHeap reads the header of a heap.
func (f *File) readFractalHeap(at uint64) (*FractalHeap, error) {
	const what = "fractal heap"
	fixed := 4 + 1 + 2 + 2 + 1 + 4 + 12*f.LengthSize + 3*f.OffsetSize + 2 + 2 + 2 + 2
	c := f.Cursor(what, at, fixed+4)
	if c.Err == nil {
		if encoded := int(c.Data[7]) | int(c.Data[8])<<8; encoded > 0 {
			c = f.Cursor(what, at, fixed+f.LengthSize+4+encoded+4)
		}
	}
	c.Signature("FRHP")
	c.Version(0, 0)
	h := &FractalHeap{f: f, at: at, idLen: c.U16()}
	encoded := c.U16()
	h.flags = c.U8()
	h.managed = c.U32()
	c.Skip(f.LengthSize)
	h.huge = c.Address()
	c.Skip(f.LengthSize + f.OffsetSize + 8*f.LengthSize)
	h.width = c.U16()
	h.start, h.direct = c.Length(), c.Length()
	h.bits = c.U16()
	c.Skip(2)
	h.root = c.Address()
	h.rows = c.U16()
	if encoded > 0 {
		h.rootSize, h.rootMask = c.Length(), c.U32()
		b := c.Bytes(encoded)
		if c.Err == nil {
			var err error
			h.filters, err = ReadFilters(&storage.Cursor{In: f.Input, What: what, At: at + uint64(c.Pos-encoded), Data: b})
			if err != nil {
				return nil, err
			}
		}
	}
	c.Checksum()
	switch {
	case c.Err != nil:
	case !storage.IsPower(h.start) || !storage.IsPower(h.direct) || !storage.IsPower(uint64(h.width)) || h.start > h.direct || h.direct > 1<<31 || h.bits == 0 || h.bits > 64:
		c.Fail("blocks of %d to %d bytes in rows of %d, and offsets of %d bits", h.start, h.direct, h.width, h.bits)
	case h.idLen < 1 || h.idLen > 4096:
		c.Fail("IDs of %d bytes", h.idLen)
	case h.rows > 64:
		c.Fail("%d rows of blocks", h.rows)
	}
	h.offsetLen = (h.bits + 7) / 8
	h.lengthLen = min((bits.Len64(h.direct)-1+7)/8, storage.MinBytes(uint64(h.managed)))
	return h, c.Err
}

// Object returns the bytes of an object by its ID, and their address. For filtered objects this is the address of the heap.
func (h *FractalHeap) Object(id []byte) (uint64, []byte, error) {
	c := &storage.Cursor{In: h.f.Input, What: "fractal heap ID", At: h.at, Data: id}
	head := c.U8()
	if c.Err == nil && head>>6 != 0 {
		c.Unsupported("version %d", head>>6)
	}
	if c.Err != nil {
		return 0, nil, c.Err
	}
	switch head >> 4 & 3 {
	case 0:
		offset, n := c.Uint(h.offsetLen), c.Uint(h.lengthLen)
		if c.Err != nil {
			return 0, nil, c.Err
		}
		return h.inBlock(offset, n)
	case 1:
		return h.hugeObject(c)
	case 2:
		n := head&15 + 1
		if h.idLen-1 > 16 {
			n = (head&15)<<8 + c.U8() + 1
		}
		b := c.Bytes(n)
		return h.at, b, c.Err
	}
	c.Fail("an object of type %d", head>>4&3)
	return 0, nil, c.Err
}

// rowSize returns the size of the blocks of a row of the table.
func (h *FractalHeap) rowSize(row int) uint64 {
	if row == 0 {
		return h.start
	}
	if row > 64 || bits.Len64(h.start)+row-1 > 64 {
		return 0
	}
	return h.start << (row - 1)
}

// directRows returns the number of rows of direct blocks.
func (h *FractalHeap) directRows() int { return bits.Len64(h.direct) - bits.Len64(h.start) + 2 }

// inBlock returns n bytes at an offset of the heap.
func (h *FractalHeap) inBlock(offset, n uint64) (uint64, []byte, error) {
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
		if b.at == storage.Undefined {
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
	return 0, nil, fault.Invalid(what, h.f.Offset(h.at), "no block has its byte %d", offset)
}

// locate returns the row and column of the block with an offset, and the offset within the block.
func (h *FractalHeap) locate(offset uint64) (row, col int, rest uint64) {
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
func (h *FractalHeap) inDirect(b heapBlock, size, offset, n uint64) (uint64, []byte, error) {
	const what = "fractal heap block"
	head := uint64(4 + 1 + h.f.OffsetSize + h.offsetLen)
	if h.flags&2 != 0 {
		head += 4
	}
	if offset < head || offset > size || n > size-offset {
		return 0, nil, fault.Invalid(what, h.f.Offset(b.at), "an object of %d bytes at byte %d leaves the block of %d bytes", n, offset, size)
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
	c := h.f.Cursor(what, b.at, 5)
	c.Signature("FHDB")
	c.Version(0, 0)
	if c.Err != nil {
		return 0, nil, c.Err
	}
	if err := h.f.Check(what, b.at, size); err != nil {
		return 0, nil, err
	}
	data, err := h.f.Structure(what, b.at+offset, int(n))
	return b.at + offset, data, err
}

// filtered returns the data of a filtered block or huge object.
func (h *FractalHeap) filtered(b heapBlock, size uint64) ([]byte, error) {
	const what = "fractal heap block"
	stored, err := h.f.Bytes(what, b.at, b.size)
	if err != nil {
		return nil, err
	}
	if size > storage.MaxInt/4 {
		return nil, fault.Invalid(what, h.f.Offset(b.at), "%d bytes are more than this machine can address", size)
	}
	p, err := chunkfilter.New(h.filters, int(size))
	if err == nil && uint64(p.Bound(len(stored), b.mask)) < size {
		err = fault.Malformed(fault.ErrShortChunk)
	}
	if err != nil {
		return nil, h.f.Failed(what, b.at, err)
	}
	data := make([]byte, size)
	return data, h.f.Failed(what, b.at, p.Decode(data, stored, b.mask))
}

// indirect returns the blocks of an indirect block.
func (h *FractalHeap) indirect(at uint64, rows int) ([]heapBlock, error) {
	blocks, err := h.indirects.Get(at, func() ([]heapBlock, error) {
		const what = "fractal heap indirect block"
		direct, filtered := min(rows, h.directRows()), 0
		if len(h.filters) > 0 {
			filtered = h.f.LengthSize + 4
		}
		head := 4 + 1 + h.f.OffsetSize + h.offsetLen
		c := h.f.Cursor(what, at, head+h.width*(rows*h.f.OffsetSize+direct*filtered)+4)
		c.Signature("FHIB")
		c.Version(0, 0)
		c.Skip(head - 5)
		var blocks []heapBlock
		for i := range rows * h.width {
			b := heapBlock{at: c.Address()}
			if filtered > 0 && i < direct*h.width {
				b.size, b.mask = c.Length(), c.U32()
			}
			blocks = append(blocks, b)
		}
		c.Checksum()
		return blocks, c.Err
	})
	if err == nil && len(blocks) < rows*h.width {
		err = fault.Invalid("fractal heap indirect block", h.f.Offset(at), "it has several parents")
	}
	return blocks, err
}

// hugeObject returns an object that has a place of its own in the file. c is in its ID.
func (h *FractalHeap) hugeObject(c *storage.Cursor) (uint64, []byte, error) {
	f := h.f
	direct := f.OffsetSize + f.LengthSize
	if len(h.filters) > 0 {
		direct += 4 + f.LengthSize
	}
	var b heapBlock
	if h.idLen-1 >= direct {
		b.at, b.size = c.Address(), c.Length()
		if len(h.filters) > 0 {
			b.mask, b.full = c.U32(), c.Length()
		}
	} else {
		id := c.Uint(min(h.idLen-1, 8))
		if c.Err != nil {
			return 0, nil, c.Err
		}
		var err error
		if b, err = h.hugeRecord(id); err != nil {
			return 0, nil, err
		}
	}
	if c.Err != nil {
		return 0, nil, c.Err
	}
	if len(h.filters) > 0 {
		data, err := h.filtered(b, b.full)
		return h.at, data, err
	}
	data, err := f.Bytes("fractal heap object", b.at, b.size)
	return b.at, data, err
}

// hugeRecord returns the place of a huge object by its number.
func (h *FractalHeap) hugeRecord(id uint64) (heapBlock, error) {
	h.hugeMu.Lock()
	defer h.hugeMu.Unlock()
	if h.hugeByID == nil {
		t, err := h.f.BTree2(h.huge, 1, 2)
		if err != nil {
			return heapBlock{}, err
		}
		found := map[uint64]heapBlock{}
		err = t.Each(func(record []byte) error {
			c := &storage.Cursor{In: h.f.Input, What: "huge object record", At: h.huge, Data: record}
			b := heapBlock{at: c.Address(), size: c.Length()}
			if t.Kind == 2 {
				b.mask, b.full = c.U32(), c.Length()
			}
			found[c.Length()] = b
			return c.Err
		})
		if err != nil {
			return heapBlock{}, err
		}
		h.hugeByID = found
	}
	b, ok := h.hugeByID[id]
	if !ok {
		return b, fault.Invalid("fractal heap", h.f.Offset(h.at), "it has no huge object %d", id)
	}
	return b, nil
}

// Dense takes the addresses of a fractal heap and of the B-tree over its objects, with records of the given type. Both
// are nil if the file has none.
func (f *File) Dense(c *storage.Cursor, kind int) (*FractalHeap, *BTree2, error) {
	heapAt, treeAt := c.Address(), c.Address()
	if c.Err != nil || heapAt == storage.Undefined || treeAt == storage.Undefined {
		return nil, nil, c.Err
	}
	heap, err := f.fractalHeap(heapAt)
	if err != nil {
		return nil, nil, err
	}
	tree, err := f.BTree2(treeAt, kind)
	return heap, tree, err
}
