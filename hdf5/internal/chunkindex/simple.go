package chunkindex

import (
	"context"
	"sort"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/chunkgrid"
)

// The simple indices of layout version 4: one chunk, chunks one after the other, and a B-tree of version 2.

// A singleChunk is the index of a dataset with one chunk.
type singleChunk struct {
	Grid
	at, size uint64 // size is undefined unless the chunk is filtered
	mask     uint32
}

// Find implements Index.
func (s singleChunk) Find(at []int) (chunkgrid.Chunk, bool, error) {
	for _, g := range at {
		if g != 0 {
			return chunkgrid.Chunk{}, false, nil
		}
	}
	if s.size == storage.Undefined {
		return chunkgrid.Chunk{At: s.at, Size: s.Bytes, Mask: ^uint32(0)}, true, nil
	}
	return chunkgrid.Chunk{At: s.at, Size: s.size, Mask: s.mask}, true, nil
}

// All implements Index.
func (s singleChunk) All(_ context.Context, visit func([]int, chunkgrid.Chunk) error) error {
	at := make([]int, len(s.Dims))
	c, _, _ := s.Find(at)
	return visit(at, c)
}

// An implicitIndex indexes chunks without filters that follow each other.
type implicitIndex struct {
	Grid
	at uint64
}

// Find implements Index.
func (x implicitIndex) Find(at []int) (chunkgrid.Chunk, bool, error) {
	i, ok := chunkgrid.Number(at, x.counts())
	if !ok || i > uint64(x.File.Size)/max(x.Bytes, 1) {
		return chunkgrid.Chunk{}, false, fault.Invalid("implicit chunk index", x.File.Offset(x.at), "chunk %v leaves the file", at)
	}
	c := chunkgrid.Chunk{At: x.at + i*x.Bytes, Size: x.Bytes, Mask: 0}
	return c, c.At != storage.Undefined, nil
}

// All implements Index.
func (x implicitIndex) All(ctx context.Context, visit func([]int, chunkgrid.Chunk) error) error {
	counts, at := x.counts(), make([]int, len(x.Dims))
	for i := uint64(0); chunkgrid.Position(i, counts, at); i++ {
		if uint64(at[0]) >= counts[0] {
			return nil
		}
		c, ok, err := x.Find(at)
		if err == nil && i&0xfff == 0 && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = x.File.Check("implicit chunk index", c.At, c.Size)
		}
		if err == nil && ok {
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
	Grid
	filtered bool
	size     int // of an entry, without the position in a record
}

// check fails unless entries can have their size.
func (e *chunkEntries) check(c *storage.Cursor) {
	low, high := e.File.OffsetSize, e.File.OffsetSize
	if e.filtered {
		low, high = low+1+4, high+8+4
	}
	if c.Err == nil && (e.size < low || e.size > high) {
		c.Fail("elements of %d bytes", e.size)
	}
}

// take takes an entry. It reports false for a chunk that the file does not have.
func (e *chunkEntries) take(c *storage.Cursor) (chunkgrid.Chunk, bool) {
	x := chunkgrid.Chunk{At: c.Address(), Size: e.Bytes, Mask: 0}
	if e.filtered {
		x.Size = c.Uint(e.size - e.File.OffsetSize - 4)
		x.Mask = c.U32()
	}
	return x, x.At != storage.Undefined
}

// at returns entry i of b.
func (e *chunkEntries) at(b []byte, i int) (chunkgrid.Chunk, bool) {
	return e.take(&storage.Cursor{In: e.File.Input, Data: b[i*e.size : (i+1)*e.size]})
}

// each visits the chunks of the entries of b, whose numbers begin with first.
func (e *chunkEntries) each(b []byte, first uint64, visit func(i uint64, c chunkgrid.Chunk) error) error {
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

func newChunkTree2(g Grid, at uint64) (chunkgrid.Index, error) {
	tree, err := g.File.BTree2(at, 10, 11)
	if err != nil {
		return nil, err
	}
	x := &chunkTree2{chunkEntries: chunkEntries{g, tree.Kind == 11, tree.Record - 8*len(g.Dims)}, tree: tree}
	c := &storage.Cursor{In: g.File.Input, What: "version 2 B-tree", At: at}
	x.check(c)
	return x, c.Err
}

// compare compares a position with the position of a record.
func (x *chunkTree2) compare(at []int, record []byte) int {
	c := &storage.Cursor{In: x.File.Input, Data: record, Pos: x.size}
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

// Find implements Index.
func (x *chunkTree2) Find(at []int) (chunkgrid.Chunk, bool, error) {
	node, t := x.tree.Root, x.tree
	if node.At == storage.Undefined || node.Count == 0 {
		return chunkgrid.Chunk{}, false, nil
	}
	for depth := t.Depth; ; depth-- {
		n, err := x.cache.Get(node.At, func() (structure.Node2, error) { return t.Read(node, depth) })
		if err != nil {
			return chunkgrid.Chunk{}, false, err
		}
		if count := len(n.Records) / t.Record; count != node.Count || (len(n.Children) > 0) != (depth > 0) {
			return chunkgrid.Chunk{}, false, fault.Invalid("version 2 B-tree node", x.File.Offset(node.At), "it has several parents")
		}
		i := sort.Search(node.Count, func(i int) bool { return x.compare(at, n.Records[i*t.Record:(i+1)*t.Record]) <= 0 })
		if i < node.Count && x.compare(at, n.Records[i*t.Record:(i+1)*t.Record]) == 0 {
			c, ok := x.take(&storage.Cursor{In: x.File.Input, Data: n.Records[i*t.Record : (i+1)*t.Record]})
			return c, ok, nil
		}
		if depth == 0 {
			return chunkgrid.Chunk{}, false, nil
		}
		if node = n.Children[i]; node.Count == 0 {
			return chunkgrid.Chunk{}, false, nil
		}
	}
}

// All implements Index.
func (x *chunkTree2) All(ctx context.Context, visit func([]int, chunkgrid.Chunk) error) error {
	at := make([]int, len(x.Dims))
	return x.tree.EachIn(ctx, func(record []byte) error {
		c := &storage.Cursor{In: x.File.Input, Data: record}
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
