package hdf5

import (
	"context"
	"sort"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// The simple indices of layout version 4: one chunk, chunks one after the other, and a B-tree of version 2.

// A singleChunk is the index of a dataset with one chunk.
type singleChunk struct {
	grid
	at, size uint64 // size is undefined unless the chunk is filtered
	mask     uint32
}

// find implements chunkIndex.
func (s singleChunk) find(at []int) (storedChunk, bool, error) {
	for _, g := range at {
		if g != 0 {
			return storedChunk{}, false, nil
		}
	}
	if s.size == storage.Undefined {
		return storedChunk{s.at, s.bytes, ^uint32(0)}, true, nil
	}
	return storedChunk{s.at, s.size, s.mask}, true, nil
}

// all implements chunkIndex.
func (s singleChunk) all(_ context.Context, visit func([]int, storedChunk) error) error {
	at := make([]int, len(s.dims))
	c, _, _ := s.find(at)
	return visit(at, c)
}

// An implicitIndex is that of chunks without filters that follow each other.
type implicitIndex struct {
	grid
	at uint64
}

// find implements chunkIndex.
func (x implicitIndex) find(at []int) (storedChunk, bool, error) {
	i, ok := number(at, x.counts())
	if !ok || i > uint64(x.f.Size)/max(x.bytes, 1) {
		return storedChunk{}, false, fault.Invalid("implicit chunk index", x.f.Offset(x.at), "chunk %v leaves the file", at)
	}
	return storedChunk{x.at + i*x.bytes, x.bytes, 0}, true, nil
}

// all implements chunkIndex.
func (x implicitIndex) all(ctx context.Context, visit func([]int, storedChunk) error) error {
	counts, at := x.counts(), make([]int, len(x.dims))
	for i := uint64(0); position(i, counts, at); i++ {
		if uint64(at[0]) >= counts[0] {
			return nil
		}
		c, _, err := x.find(at)
		if err == nil && i&0xfff == 0 && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = x.f.Check("implicit chunk index", c.at, c.size)
		}
		if err == nil {
			err = visit(at, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// chunkEntries are the elements of an array of chunks, or the records of their B-tree.
type chunkEntries struct {
	grid
	filtered bool
	size     int // of an entry, without the position in a record
}

// check fails unless entries can have their size.
func (e *chunkEntries) check(c *storage.Cursor) {
	low, high := e.f.OffsetSize, e.f.OffsetSize
	if e.filtered {
		low, high = low+1+4, high+8+4
	}
	if c.Err == nil && (e.size < low || e.size > high) {
		c.Fail("elements of %d bytes", e.size)
	}
}

// take takes an entry. It reports false for a chunk that the file does not have.
func (e *chunkEntries) take(c *storage.Cursor) (storedChunk, bool) {
	x := storedChunk{at: c.Address(), size: e.bytes, mask: 0}
	if e.filtered {
		x.size = c.Uint(e.size - e.f.OffsetSize - 4)
		x.mask = c.U32()
	}
	return x, x.at != storage.Undefined
}

// at returns entry i of b.
func (e *chunkEntries) at(b []byte, i int) (storedChunk, bool) {
	return e.take(&storage.Cursor{In: e.f.Input, Data: b[i*e.size : (i+1)*e.size]})
}

// each visits the chunks of the entries of b, whose numbers begin with first.
func (e *chunkEntries) each(b []byte, first uint64, visit func(i uint64, c storedChunk) error) error {
	for i := range len(b) / e.size {
		c, ok := e.at(b, i)
		if !ok {
			continue
		}
		if err := visit(first+uint64(i), c); err != nil {
			return err
		}
	}
	return nil
}

// A chunkTree2 is the index of chunks by a B-tree of version 2.
type chunkTree2 struct {
	chunkEntries
	tree  *structure.BTree2
	cache storage.NodeCache[structure.Node2]
}

func newChunkTree2(g grid, at uint64) (chunkIndex, error) {
	tree, err := g.f.BTree2(at, 10, 11)
	if err != nil {
		return nil, err
	}
	x := &chunkTree2{chunkEntries: chunkEntries{g, tree.Kind == 11, tree.Record - 8*len(g.dims)}, tree: tree}
	c := &storage.Cursor{In: g.f.Input, What: "version 2 B-tree", At: at}
	x.check(c)
	return x, c.Err
}

// compare compares a position with that of a record.
func (x *chunkTree2) compare(at []int, record []byte) int {
	c := &storage.Cursor{In: x.f.Input, Data: record, Pos: x.size}
	for _, g := range at {
		switch key := c.Uint(8); {
		case uint64(g) < key:
			return -1
		case uint64(g) > key:
			return 1
		}
	}
	return 0
}

// find implements chunkIndex.
func (x *chunkTree2) find(at []int) (storedChunk, bool, error) {
	node, t := x.tree.Root, x.tree
	if node.At == storage.Undefined || node.Count == 0 {
		return storedChunk{}, false, nil
	}
	for depth := t.Depth; ; depth-- {
		n, err := x.cache.Get(node.At, func() (structure.Node2, error) { return t.Read(node, depth) })
		if err != nil {
			return storedChunk{}, false, err
		}
		if count := len(n.Records) / t.Record; count != node.Count || (len(n.Children) > 0) != (depth > 0) {
			return storedChunk{}, false, fault.Invalid("version 2 B-tree node", x.f.Offset(node.At), "it has several parents")
		}
		i := sort.Search(node.Count, func(i int) bool { return x.compare(at, n.Records[i*t.Record:(i+1)*t.Record]) <= 0 })
		if i < node.Count && x.compare(at, n.Records[i*t.Record:(i+1)*t.Record]) == 0 {
			c, ok := x.take(&storage.Cursor{In: x.f.Input, Data: n.Records[i*t.Record : (i+1)*t.Record]})
			return c, ok, nil
		}
		if depth == 0 {
			return storedChunk{}, false, nil
		}
		if node = n.Children[i]; node.Count == 0 {
			return storedChunk{}, false, nil
		}
	}
}

// all implements chunkIndex.
func (x *chunkTree2) all(ctx context.Context, visit func([]int, storedChunk) error) error {
	at := make([]int, len(x.dims))
	return x.tree.EachIn(ctx, func(record []byte) error {
		c := &storage.Cursor{In: x.f.Input, Data: record}
		chunk, ok := x.take(c)
		for i := range at {
			key := c.Uint(8)
			ok = ok && key <= storage.MaxInt
			at[i] = int(key)
		}
		if !ok {
			return nil
		}
		return visit(at, chunk)
	})
}
