package chunkindex

import (
	"context"
	"math/bits"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/chunkgrid"
)

// A fixedArray is the index of chunks of a dataset that cannot grow: an element for each chunk, in C order. A large
// array is divided into pages, and a bitmap tells which of them exist.
type fixedArray struct {
	chunkEntries
	numbers []uint64 // of chunks along each axis
	count   uint64   // of elements
	page    uint64   // elements on a page; 0 if the array has none
	data    uint64   // the address of the elements or of the pages
	bitmap  []byte
	cache   storage.NodeCache[[]byte] // elements of a page, or all
}

// newFixedArray reads the header at an address.
func newFixedArray(g Grid, at uint64) (chunkgrid.Index, error) {
	const what = "fixed array"
	f := g.File
	c := f.Cursor(what, at, 4+1+1+1+1+f.LengthSize+f.OffsetSize+4)
	c.Signature("FAHD")
	c.Version(0, 0)
	a := &fixedArray{chunkEntries: chunkEntries{g, c.U8() == 1, c.U8()}, numbers: g.counts()}
	pageBits := c.U8()
	a.count, a.data = c.Length(), c.Address()
	c.Checksum()
	a.check(&c)
	if c.Err == nil && pageBits > 62 {
		c.Fail("pages of 2**%d elements", pageBits)
	}
	if c.Err != nil || a.data == storage.Undefined {
		return a, c.Err
	}
	return a, a.block(pageBits)
}

// block reads the start of the data block.
func (a *fixedArray) block(pageBits int) error {
	const what = "fixed array data block"
	f, head := a.File, 4+1+1+a.File.OffsetSize
	c := f.Cursor(what, a.data, head)
	c.Signature("FADB")
	c.Version(0, 0)
	at := a.data
	a.data += uint64(head)
	if hi, n := bits.Mul64(a.count, uint64(a.size)); c.Err == nil && (hi != 0 || n>>3 > uint64(f.Size)<<pageBits) {
		return f.Failed(what, at, fault.Invalid(what, f.Offset(at), "%d elements leave the file", a.count).Err)
	}
	if a.count <= 1<<pageBits || c.Err != nil {
		return c.Err
	}
	a.page = 1 << pageBits
	n := ((a.count-1)/a.page + 8) / 8
	if err := f.Check(what, at, n); err != nil {
		return err
	}
	c = f.Cursor(what, at, head+int(n)+4)
	c.Skip(head)
	a.bitmap = c.Bytes(int(n))
	c.Checksum()
	a.data += n + 4
	return c.Err
}

// elements returns the elements of page k, or all of an array without pages; nil if the page does not exist.
func (a *fixedArray) elements(k uint64) ([]byte, error) {
	const what = "fixed array data block"
	f, n, at := a.File, a.count, a.data
	head := uint64(4 + 1 + 1 + f.OffsetSize) // before the elements of an array without pages, and part of its checksum
	if a.page > 0 {
		if !bitOf(a.bitmap, k) {
			return nil, nil
		}
		at, n, head = at+k*(a.page*uint64(a.size)+4), min(a.page, a.count-k*a.page), 0
	}
	return a.cache.Get(k, func() ([]byte, error) {
		if err := f.Check(what, at-head, head+n*uint64(a.size)+4); err != nil {
			return nil, err
		}
		c := f.Cursor(what, at-head, int(head+n*uint64(a.size)+4))
		c.Skip(int(head))
		b := c.Bytes(int(n) * a.size)
		c.Checksum()
		return b, c.Err
	})
}

// bitOf returns bit i of a bitmap, whose first bit is the highest of its first byte.
func bitOf(bitmap []byte, i uint64) bool {
	return i/8 < uint64(len(bitmap)) && bitmap[i/8]&(0x80>>(i%8)) != 0
}

// Find implements Index.
func (a *fixedArray) Find(at []int) (chunkgrid.Chunk, bool, error) {
	i, ok := chunkgrid.Number(at, a.numbers)
	if !ok || i >= a.count || a.data == storage.Undefined {
		return chunkgrid.Chunk{}, false, nil
	}
	k := uint64(0)
	if a.page > 0 {
		k, i = i/a.page, i%a.page
	}
	b, err := a.elements(k)
	if b == nil || err != nil {
		return chunkgrid.Chunk{}, false, err
	}
	c, ok := a.at(b, int(i))
	return c, ok, nil
}

// All implements Index.
func (a *fixedArray) All(ctx context.Context, visit func([]int, chunkgrid.Chunk) error) error {
	if a.data == storage.Undefined {
		return nil
	}
	at, pages, page := make([]int, len(a.Dims)), uint64(1), a.count
	if a.page > 0 {
		pages, page = (a.count-1)/a.page+1, a.page
	}
	for k := range pages {
		b, err := a.elements(k)
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if err := a.each(b, k*page, func(i uint64, c chunkgrid.Chunk) error {
			if !chunkgrid.Position(i, a.numbers, at) {
				return nil
			}
			return visit(at, c)
		}); err != nil {
			return err
		}
	}
	return nil
}
