package hdf5

import (
	"context"
	"sort"
)

// B-trees of version 1 index the links of old groups and the chunks of datasets.

const (
	treeGroup = 0
	treeChunk = 1
)

// A node1 is a node of a B-tree of version 1: n children, and n+1 keys around them.
type node1 struct {
	level    int
	keys     []byte // each of the same size, before each child and after the last
	children []uint64
}

// node1 reads a node of the given type, with keys of size bytes. level is that of the node, or -1 if it is not known.
func (f *file) node1(at uint64, kind, size, level int) (node1, error) {
	const what = "version 1 B-tree node"
	head := 8 + 2*f.offsetSize
	c := f.cursor(what, at, head)
	c.signature("TREE")
	if got := c.u8(); c.err == nil && got != kind {
		c.fail("a node of type %d, and one of type %d is needed", got, kind)
	}
	n := node1{level: c.u8()}
	count := c.u16()
	if c.err == nil && level >= 0 && n.level != level {
		c.fail("a node of level %d below one of level %d", n.level, level+1)
	}
	if c.err != nil {
		return n, c.err
	}
	c = f.cursor(what, at, head+count*(size+f.offsetSize)+size)
	c.skip(head)
	n.keys = make([]byte, 0, (count+1)*size)
	for range count {
		n.keys = append(n.keys, c.bytes(size)...)
		n.children = append(n.children, c.address())
	}
	n.keys = append(n.keys, c.bytes(size)...)
	return n, c.err
}

// symbolNodes visits the symbol table nodes of a group's B-tree, in the order of the names.
func (f *file) symbolNodes(root uint64, visit func(at uint64) error) error {
	return f.symbolNodesBelow(root, -1, seen{}, visit)
}

func (f *file) symbolNodesBelow(at uint64, level int, nodes seen, visit func(at uint64) error) error {
	if err := nodes.visit(f, "version 1 B-tree node", at); err != nil {
		return err
	}
	n, err := f.node1(at, treeGroup, f.lengthSize, level)
	if err != nil {
		return err
	}
	for _, child := range n.children {
		if n.level == 0 {
			err = nodes.visit(f, "symbol table node", child)
			if err == nil {
				err = visit(child)
			}
		} else {
			err = f.symbolNodesBelow(child, n.level-1, nodes, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A btree1 is the index of chunks by a B-tree of version 1.
type btree1 struct {
	grid
	root  uint64
	cache nodeCache[chunkNode]
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
	n, err := t.cache.get(at, func() (chunkNode, error) {
		rank := len(t.dims)
		size := 8 + 8*(rank+1)
		raw, err := t.f.node1(at, treeChunk, size, level)
		if err != nil {
			return chunkNode{}, err
		}
		n := chunkNode{level: raw.level, children: raw.children}
		c := &cursor{f: t.f.input, b: raw.keys}
		for range len(raw.children) + 1 {
			n.sizes, n.masks = append(n.sizes, c.u32()), append(n.masks, c.u32())
			for range rank {
				n.offsets = append(n.offsets, c.uint(8))
			}
			c.skip(8)
		}
		return n, c.err
	})
	if err == nil && level >= 0 && n.level != level {
		err = invalid("version 1 B-tree node", t.f.offset(at), "a node of level %d below one of level %d", n.level, level+1)
	}
	return n, err
}

// compare compares the position of a chunk with key i of a node.
func (t *btree1) compare(at []int, n chunkNode, i int) int {
	for k, g := range at {
		start, key := uint64(g)*uint64(t.chunk[k]), n.offsets[i*len(at)+k]
		switch {
		case start < key:
			return -1
		case start > key:
			return 1
		}
	}
	return 0
}

// find implements chunkIndex.
func (t *btree1) find(at []int) (storedChunk, bool, error) {
	node, level := t.root, -1
	for {
		n, err := t.node(node, level)
		if err != nil {
			return storedChunk{}, false, err
		}
		i := sort.Search(len(n.children), func(i int) bool { return t.compare(at, n, i) < 0 }) - 1
		switch {
		case i < 0:
			return storedChunk{}, false, nil
		case n.level > 0:
			node, level = n.children[i], n.level-1
		case t.compare(at, n, i) == 0:
			return storedChunk{n.children[i], uint64(n.sizes[i]), n.masks[i]}, true, nil
		default:
			return storedChunk{}, false, nil
		}
	}
}

// all implements chunkIndex.
func (t *btree1) all(ctx context.Context, visit func([]int, storedChunk) error) error {
	return t.below(ctx, t.root, -1, seen{}, make([]int, len(t.dims)), visit)
}

func (t *btree1) below(ctx context.Context, at uint64, level int, nodes seen, grid []int, visit func([]int, storedChunk) error) error {
	if err := nodes.visit(t.f, "version 1 B-tree node", at); err != nil {
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
		for k, chunk := range t.chunk {
			x := n.offsets[i*len(grid)+k]
			inside = inside && x%uint64(chunk) == 0 && x/uint64(chunk) <= maxInt
			grid[k] = int(x / uint64(chunk))
		}
		if !inside {
			continue
		}
		if err := visit(grid, storedChunk{child, uint64(n.sizes[i]), n.masks[i]}); err != nil {
			return err
		}
	}
	return nil
}
