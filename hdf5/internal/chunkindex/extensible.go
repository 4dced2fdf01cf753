package chunkindex

import (
	"context"
	"math/bits"
	"slices"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/chunkgrid"
)

// An extensibleArray is the index of chunks of a dataset that can grow along one axis: an element for each chunk, in C
// order with that axis first. The first elements are in the index block, the next in data blocks that it names, and all
// others in data blocks of super blocks, whose numbers and sizes double in turn.
type extensibleArray struct {
	chunkEntries
	numbers []uint64 // of chunks along each axis, the one that grows first
	axis    int      // the one that grows
	offset  int      // bytes of the offset of a block
	first   uint64   // elements in the index block
	least   uint64   // elements in the smallest data block
	page    uint64   // elements on a page of a data block
	supers  int      // the number of super blocks
	direct  int      // the number of super blocks whose data blocks the index block names

	index  []byte   // elements
	blocks []uint64 // the addresses of data blocks
	super  []uint64 // the addresses of super blocks

	cache      storage.NodeCache[[]byte] // elements of data blocks and of pages
	superCache storage.NodeCache[superBlock]
}

// A superBlock has the data blocks of one size.
type superBlock struct {
	blocks []uint64
	bitmap []byte // of the pages of all blocks
}

// newExtensibleArray reads the header at an address, and the index block.
func newExtensibleArray(g Grid, at uint64) (chunkgrid.Index, error) {
	f := g.File
	c := f.Cursor("extensible array", at, 4+1+1+6+6*f.LengthSize+f.OffsetSize+4)
	c.Signature("EAHD")
	c.Version(0, 0)
	a := &extensibleArray{chunkEntries: chunkEntries{g, c.U8() == 1, c.U8()}}
	most := c.U8()
	a.first, a.least = uint64(c.U8()), uint64(c.U8())
	pointers, pageBits := c.U8(), c.U8()
	c.Skip(6 * f.LengthSize)
	index := c.Address()
	c.Checksum()
	a.check(&c)
	if c.Err == nil && (most > 64 || !storage.IsPower(a.least) || !storage.IsPower(uint64(pointers)) || bits.Len64(a.least)-1 > most || pageBits > 62) {
		c.Fail("elements with numbers of %d bits, blocks of %d elements, %d pointers and pages of 2**%d elements", most, a.least, pointers, pageBits)
	}
	if c.Err != nil {
		return nil, c.Err
	}
	a.page, a.offset = 1<<pageBits, (most+7)/8
	a.supers = 1 + most - (bits.Len64(a.least) - 1)
	a.direct = min(2*(bits.Len(uint(pointers))-1), a.supers)
	a.numbers, a.axis = g.counts(), max(slices.Index(g.Most, structure.Unlimited), 0)
	a.numbers = turn(a.numbers, a.axis)
	if index == storage.Undefined {
		return a, nil
	}
	return a, a.indexBlock(index, 2*(pointers-1))
}

// turn returns list with the item at axis first.
func turn[T any](list []T, axis int) []T {
	return slices.Concat(list[axis:axis+1], list[:axis], list[axis+1:])
}

// indexBlock reads the index block, which names a number of data blocks.
func (a *extensibleArray) indexBlock(at uint64, blocks int) error {
	f, head := a.File, 4+1+1+a.File.OffsetSize
	supers := a.supers - a.direct
	c := f.Cursor("extensible array index block", at, head+int(a.first)*a.size+(blocks+supers)*f.OffsetSize+4)
	c.Signature("EAIB")
	c.Version(0, 0)
	c.Skip(head - 5)
	a.index = c.Bytes(int(a.first) * a.size)
	for range blocks {
		a.blocks = append(a.blocks, c.Address())
	}
	for range supers {
		a.super = append(a.super, c.Address())
	}
	c.Checksum()
	return c.Err
}

// level returns the number of data blocks of super block k, and the number of elements of each.
func (a *extensibleArray) level(k int) (blocks, elements uint64) {
	return 1 << (k / 2), a.least << ((k + 1) / 2)
}

// A dataBlock is a data block of an extensible array.
type dataBlock struct {
	at       uint64
	first    uint64 // the number of its first element
	elements uint64
	bitmap   []byte // of the pages of all blocks of its super block, and
	bit      uint64 // the first bit that is its own
}

// paged reports whether a block of elements has pages.
func (a *extensibleArray) paged(elements uint64) bool { return elements > a.page }

// blockOf returns the data block with element i, which is not in the index block. It reports false if there is none.
func (a *extensibleArray) blockOf(i uint64) (dataBlock, bool, error) {
	i -= a.first
	k := bits.Len64(i/a.least+1) - 1
	if k >= a.supers {
		return dataBlock{}, false, nil
	}
	start := a.least * (1<<k - 1) // elements of all super blocks before
	return a.blockIn(k, (i-start)>>uint(bits.Len64(a.least<<((k+1)/2))-1))
}

// blockIn returns data block j of super block k.
func (a *extensibleArray) blockIn(k int, j uint64) (dataBlock, bool, error) {
	_, elements := a.level(k)
	b := dataBlock{first: a.first + a.least*(1<<k-1) + j*elements, elements: elements}
	if k < a.direct {
		before := uint64(0)
		for l := range k {
			n, _ := a.level(l)
			before += n
		}
		if before+j >= uint64(len(a.blocks)) {
			return b, false, nil
		}
		b.at = a.blocks[before+j]
		return b, b.at != storage.Undefined, nil
	}
	if k-a.direct >= len(a.super) || a.super[k-a.direct] == storage.Undefined {
		return b, false, nil
	}
	s, err := a.superBlock(a.super[k-a.direct], k)
	if err != nil || j >= uint64(len(s.blocks)) {
		return b, false, err
	}
	b.at, b.bitmap = s.blocks[j], s.bitmap
	if a.paged(elements) {
		b.bit = j * ((elements/a.page + 7) / 8) * 8
	}
	return b, b.at != storage.Undefined, nil
}

// superBlock reads super block k at an address.
func (a *extensibleArray) superBlock(at uint64, k int) (superBlock, error) {
	return a.superCache.Get(at, func() (superBlock, error) {
		const what = "extensible array super block"
		f, head := a.File, uint64(4+1+1+a.File.OffsetSize+a.offset)
		n, elements := a.level(k)
		bitmap := uint64(0)
		if a.paged(elements) {
			bitmap = n * ((elements/a.page + 7) / 8)
		}
		if n > uint64(f.Size) || bitmap > uint64(f.Size) {
			return superBlock{}, fault.Invalid(what, f.Offset(at), "%d data blocks leave the file", n)
		}
		size := head + bitmap + n*uint64(f.OffsetSize) + 4
		if err := f.Check(what, at, size); err != nil {
			return superBlock{}, err
		}
		c := f.Cursor(what, at, int(size))
		c.Signature("EASB")
		c.Version(0, 0)
		c.Skip(int(head) - 5)
		s := superBlock{bitmap: c.Bytes(int(bitmap))}
		for range n {
			s.blocks = append(s.blocks, c.Address())
		}
		c.Checksum()
		return s, c.Err
	})
}

// elements returns some elements of a data block, the elements of page p if it has pages, and the number of the first of them
// in the block. They are nil if the page does not exist.
func (a *extensibleArray) elements(b dataBlock, p uint64) ([]byte, error) {
	const what = "extensible array data block"
	f, head, n, at := a.File, uint64(4+1+1+a.File.OffsetSize+a.offset), b.elements, b.at
	if a.paged(b.elements) {
		if b.bitmap != nil && !bitOf(b.bitmap, b.bit+p) {
			return nil, nil
		}
		at, n, head = at+head+4+p*(a.page*uint64(a.size)+4), a.page, 0
	}
	return a.cache.Get(at, func() ([]byte, error) {
		if n > uint64(f.Size) {
			return nil, fault.Invalid(what, f.Offset(at), "%d elements leave the file", n)
		}
		size := head + n*uint64(a.size) + 4
		if err := f.Check(what, at, size); err != nil {
			return nil, err
		}
		c := f.Cursor(what, at, int(size))
		if head > 0 {
			c.Signature("EADB")
			c.Version(0, 0)
			c.Skip(int(head) - 5)
		}
		e := c.Bytes(int(n) * a.size)
		c.Checksum()
		return e, c.Err
	})
}

// Find implements Index.
func (a *extensibleArray) Find(at []int) (chunkgrid.Chunk, bool, error) {
	i, ok := chunkgrid.Number(turn(at, a.axis), a.numbers)
	if !ok {
		return chunkgrid.Chunk{}, false, nil
	}
	elements := a.index
	if i >= a.first {
		b, ok, err := a.blockOf(i)
		if !ok || err != nil {
			return chunkgrid.Chunk{}, false, err
		}
		page := uint64(0)
		if i -= b.first; a.paged(b.elements) {
			page, i = i/a.page, i%a.page
		}
		if elements, err = a.elements(b, page); err != nil {
			return chunkgrid.Chunk{}, false, err
		}
	}
	if (i+1)*uint64(a.size) > uint64(len(elements)) {
		return chunkgrid.Chunk{}, false, nil
	}
	c, ok := a.at(elements, int(i))
	return c, ok, nil
}

// All implements Index.
func (a *extensibleArray) All(ctx context.Context, visit func([]int, chunkgrid.Chunk) error) error {
	turned, at := make([]int, len(a.Dims)), make([]int, len(a.Dims))
	each := func(elements []byte, first uint64) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return a.each(elements, first, func(i uint64, c chunkgrid.Chunk) error {
			if !chunkgrid.Position(i, a.numbers, turned) {
				return nil
			}
			copy(at, turned[1:1+a.axis])
			at[a.axis] = turned[0]
			copy(at[a.axis+1:], turned[1+a.axis:])
			return visit(at, c)
		})
	}
	if err := each(a.index, 0); err != nil {
		return err
	}
	blocks := storage.Seen{}
	for k := range a.supers {
		if k >= a.direct && (k-a.direct >= len(a.super) || a.super[k-a.direct] == storage.Undefined) {
			continue
		}
		n, _ := a.level(k)
		for j := range n {
			b, ok, err := a.blockIn(k, j)
			if err == nil && ok {
				if err = blocks.Visit(a.File.Input, "extensible array data block", b.at); err == nil {
					err = a.eachPage(b, each)
				}
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// eachPage visits the elements of a data block.
func (a *extensibleArray) eachPage(b dataBlock, each func(elements []byte, first uint64) error) error {
	pages := uint64(1)
	if a.paged(b.elements) {
		pages = b.elements / a.page
	}
	for p := range pages {
		e, err := a.elements(b, p)
		if err == nil && e != nil {
			err = each(e, b.first+p*a.page)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
