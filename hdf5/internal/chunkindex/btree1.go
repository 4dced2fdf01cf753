package chunkindex

import (
	"context"
	"sort"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/chunkgrid"
)

// A btree1 is the index of chunks by a B-tree of version 1.
type btree1 struct {
	Grid
	root  uint64
	cache storage.NodeCache[chunkNode]
}

// A chunkNode is a node1 of chunks, taken apart.
type chunkNode struct {
	level    int
	offsets  []uint64 // of each key: an offset for each axis, in elements
	sizes    []uint32
	masks    []uint32
	children []uint64
}

func (t *btree1) node(at uint64, level int) (chunkNode, error) {
	n, err := t.cache.Get(at, func() (chunkNode, error) {
		rank := len(t.Dims)
		size := 8 + 8*(rank+1)
		raw, err := t.File.Node1(at, structure.TreeChunk, size, level)
		if err != nil {
			return chunkNode{}, err
		}
		n := chunkNode{level: raw.Level, children: raw.Children}
		c := &storage.Cursor{In: t.File.Input, Data: raw.Keys}
		for range len(raw.Children) + 1 {
			n.sizes, n.masks = append(n.sizes, c.U32()), append(n.masks, c.U32())
			for range rank {
				n.offsets = append(n.offsets, c.Uint(8))
			}
			c.Skip(8)
		}
		return n, c.Err
	})
	if err == nil && level >= 0 && n.level != level {
		err = fault.Invalid("version 1 B-tree node", t.File.Offset(at), "a node of level %d below one of level %d", n.level, level+1)
	}
	return n, err
}

// compare compares the position of a chunk with key i of a node.
func (t *btree1) compare(at []int, n chunkNode, i int) int {
	for k, g := range at {
		start, key := uint64(g)*uint64(t.Chunk[k]), n.offsets[i*len(at)+k]
		switch {
		case start < key:
			return -1
		case start > key:
			return 1
		}
	}
	return 0
}

// Find implements Index.
func (t *btree1) Find(at []int) (chunkgrid.Chunk, bool, error) {
	node, level := t.root, -1
	for {
		n, err := t.node(node, level)
		if err != nil {
			return chunkgrid.Chunk{}, false, err
		}
		i := sort.Search(len(n.children), func(i int) bool { return t.compare(at, n, i) < 0 }) - 1
		switch {
		case i < 0:
			return chunkgrid.Chunk{}, false, nil
		case n.level > 0:
			node, level = n.children[i], n.level-1
		case t.compare(at, n, i) == 0:
			return chunkgrid.Chunk{At: n.children[i], Size: uint64(n.sizes[i]), Mask: n.masks[i]}, n.children[i] != storage.Undefined, nil
		default:
			return chunkgrid.Chunk{}, false, nil
		}
	}
}

// All implements Index.
func (t *btree1) All(ctx context.Context, visit func([]int, chunkgrid.Chunk) error) error {
	return t.below(ctx, t.root, -1, storage.Seen{}, make([]int, len(t.Dims)), visit)
}

func (t *btree1) below(ctx context.Context, at uint64, level int, nodes storage.Seen, grid []int, visit func([]int, chunkgrid.Chunk) error) error {
	if err := nodes.Visit(t.File.Input, "version 1 B-tree node", at); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	n, err := t.node(at, level)
	if err != nil {
		return err
	}
	for i, child := range n.children {
		if n.level > 0 {
			if err := t.below(ctx, child, n.level-1, nodes, grid, visit); err != nil {
				return err
			}
			continue
		}
		inside := true
		for k, chunk := range t.Chunk {
			x := n.offsets[i*len(grid)+k]
			inside = inside && x%uint64(chunk) == 0 && x/uint64(chunk) <= storage.MaxInt
			grid[k] = int(x / uint64(chunk))
		}
		if !inside || child == storage.Undefined {
			continue
		}
		if err := visit(grid, chunkgrid.Chunk{At: child, Size: uint64(n.sizes[i]), Mask: n.masks[i]}); err != nil {
			return err
		}
	}
	return nil
}
