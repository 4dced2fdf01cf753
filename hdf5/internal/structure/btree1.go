package structure

import (
	"github.com/npygo/npy/hdf5/internal/storage"
)

// B-trees of version 1 index the links of old groups and the chunks of datasets.

const (
	treeGroup = 0
	TreeChunk = 1
)

// A node1 is a node of a B-tree of version 1: n children, and n+1 keys around them.
type node1 struct {
	Level    int
	Keys     []byte // each of the same size, before each child and after the last
	Children []uint64
}

// Node1 reads a node of the given type, with keys of size bytes. level is the level of the node, or -1 if it is not known.
func (f *File) Node1(at uint64, kind, size, level int) (node1, error) {
	const what = "version 1 B-tree node"
	head := 8 + 2*f.OffsetSize
	c := f.Cursor(what, at, head)
	c.Signature("TREE")
	if got := c.U8(); c.Err == nil && got != kind {
		c.Fail("a node of type %d, and one of type %d is needed", got, kind)
	}
	n := node1{Level: c.U8()}
	count := c.U16()
	if c.Err == nil && level >= 0 && n.Level != level {
		c.Fail("a node of level %d below one of level %d", n.Level, level+1)
	}
	if c.Err != nil {
		return n, c.Err
	}
	c = f.Cursor(what, at, head+count*(size+f.OffsetSize)+size)
	c.Skip(head)
	n.Keys = make([]byte, 0, (count+1)*size)
	for range count {
		n.Keys = append(n.Keys, c.Bytes(size)...)
		n.Children = append(n.Children, c.Address())
	}
	n.Keys = append(n.Keys, c.Bytes(size)...)
	return n, c.Err
}

// symbolNodes visits the symbol table nodes of a group's B-tree, in the order of the names.
func (f *File) symbolNodes(root uint64, visit func(at uint64) error) error {
	return f.symbolNodesBelow(root, -1, storage.Seen{}, visit)
}

func (f *File) symbolNodesBelow(at uint64, level int, nodes storage.Seen, visit func(at uint64) error) error {
	if err := nodes.Visit(f.Input, "version 1 B-tree node", at); err != nil {
		return err
	}
	n, err := f.Node1(at, treeGroup, f.LengthSize, level)
	if err != nil {
		return err
	}
	for _, child := range n.Children {
		if n.Level == 0 {
			err = nodes.Visit(f.Input, "symbol table node", child)
			if err == nil {
				err = visit(child)
			}
		} else {
			err = f.symbolNodesBelow(child, n.Level-1, nodes, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
