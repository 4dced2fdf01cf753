package structure

import (
	"context"
	"slices"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
)

// A BTree2 is a B-tree of version 2: records of one size, in nodes of one size.
type BTree2 struct {
	f      *File
	At     uint64
	Kind   int
	node   int // bytes of a node
	Record int // bytes of a record
	Depth  int
	Root   tree2Child
	counts int // bytes of the number of records of a child
	levels []level2
}

// A level2 has the capacity and the field sizes of all nodes of one depth; the leaves are at depth 0.
type level2 struct {
	most  int // records of a node
	total int // bytes of the number of records of a node and of all below it
}

// A tree2Child is a node, as its parent knows it.
type tree2Child struct {
	At    uint64
	Count int // of records
}

// depth2Max is the largest depth of a B-tree. Its nodes have two children at least, so that no file has a deeper one.
const depth2Max = 64

// BTree2 reads the header of a B-tree of the given type of records.
func (f *File) BTree2(at uint64, kinds ...int) (*BTree2, error) {
	const what = "version 2 B-tree"
	c := f.Cursor(what, at, 4+1+1+4+2+2+1+1+f.OffsetSize+2+f.LengthSize+4)
	c.Signature("BTHD")
	c.Version(0, 0)
	t := &BTree2{f: f, At: at, Kind: c.U8(), node: int(c.U32()), Record: c.U16(), Depth: c.U16()}
	c.Skip(2)
	t.Root.At = c.Address()
	t.Root.Count = c.U16()
	c.Length()
	c.Checksum()
	switch {
	case c.Err != nil:
	case !slices.Contains(kinds, t.Kind):
		c.Fail("records of type %d, and type %v is needed", t.Kind, kinds)
	case t.node < 16 || int64(t.node) > f.Size+1<<16 || t.Record == 0 || t.Depth > depth2Max:
		c.Fail("nodes of %d bytes with records of %d, in a depth of %d", t.node, t.Record, t.Depth)
	}
	if c.Err != nil {
		return nil, c.Err
	}
	const prefix = 4 + 1 + 1 + 4
	leaf := (t.node - prefix) / t.Record
	t.counts = storage.MinBytes(uint64(leaf))
	t.levels = []level2{{most: leaf}}
	total := uint64(leaf)
	for d := 1; d <= t.Depth; d++ {
		pointer := f.OffsetSize + t.counts + t.levels[d-1].total
		most := (t.node - prefix - pointer) / (t.Record + pointer)
		if most < 1 {
			c.Fail("nodes of %d bytes have no place for records of %d and their children", t.node, t.Record)
			return nil, c.Err
		}
		if total > storage.Undefined/uint64(most+2) {
			c.Fail("more records than 64 bits can count")
			return nil, c.Err
		}
		total = total*uint64(most+1) + uint64(most)
		t.levels = append(t.levels, level2{most: most, total: storage.MinBytes(total)})
	}
	return t, nil
}

// A Node2 is a node taken apart.
type Node2 struct {
	Records  []byte
	Children []tree2Child // one more than records, or none in a leaf
}

// Read reads a node of the given depth.
func (t *BTree2) Read(x tree2Child, depth int) (Node2, error) {
	what, letters := "version 2 B-tree leaf", "BTLF"
	if depth > 0 {
		what, letters = "version 2 B-tree node", "BTIN"
	}
	if most := t.levels[depth].most; x.Count > most {
		return Node2{}, fault.Invalid(what, t.f.Offset(x.At), "%d records in a node for %d", x.Count, most)
	}
	size := 4 + 1 + 1 + x.Count*t.Record + 4
	if depth > 0 {
		size += (x.Count + 1) * (t.f.OffsetSize + t.counts + t.levels[depth-1].total)
	}
	c := t.f.Cursor(what, x.At, size)
	c.Signature(letters)
	c.Version(0, 0)
	if kind := c.U8(); c.Err == nil && kind != t.Kind {
		c.Fail("records of type %d in a B-tree of type %d", kind, t.Kind)
	}
	n := Node2{Records: c.Bytes(x.Count * t.Record)}
	if depth > 0 {
		for range x.Count + 1 {
			n.Children = append(n.Children, tree2Child{c.Address(), int(c.Uint(t.counts))})
			c.Skip(t.levels[depth-1].total)
		}
	}
	c.Checksum()
	return n, c.Err
}

// Each visits all records in their order.
func (t *BTree2) Each(visit func(record []byte) error) error {
	return t.EachIn(context.Background(), visit)
}

// EachIn is Each until the context ends.
func (t *BTree2) EachIn(ctx context.Context, visit func(record []byte) error) error {
	if t.Root.At == storage.Undefined || t.Root.Count == 0 {
		return nil
	}
	return t.below(ctx, t.Root, t.Depth, storage.Seen{}, visit)
}

func (t *BTree2) below(ctx context.Context, x tree2Child, depth int, nodes storage.Seen, visit func(record []byte) error) error {
	if err := nodes.Visit(t.f.Input, "version 2 B-tree node", x.At); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	n, err := t.Read(x, depth)
	if err != nil {
		return err
	}
	for i := range x.Count + 1 {
		if depth > 0 {
			if err := t.below(ctx, n.Children[i], depth-1, nodes, visit); err != nil {
				return err
			}
		}
		if i == x.Count {
			break
		}
		if err := visit(n.Records[i*t.Record : (i+1)*t.Record]); err != nil {
			return err
		}
	}
	return nil
}
