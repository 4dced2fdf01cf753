package hdf5

import (
	"context"
	"slices"
)

// A btree2 is a B-tree of version 2: records of one size, in nodes of one size.
type btree2 struct {
	f      *file
	at     uint64
	kind   int
	node   int // bytes of a node
	record int // bytes of a record
	depth  int
	root   tree2Child
	counts int // bytes of the number of records of a child
	levels []level2
}

// A level2 is what the nodes of one depth have in common; the leaves are at depth 0.
type level2 struct {
	most  int // records of a node
	total int // bytes of the number of records of a node and of all below it
}

// A tree2Child is a node, as its parent knows it.
type tree2Child struct {
	at    uint64
	count int // of records
}

// depth2Max is the largest depth of a B-tree. Its nodes have two children at least, so that no file has a deeper one.
const depth2Max = 64

// btree2 reads the header of a B-tree of the given type of records.
func (f *file) btree2(at uint64, kinds ...int) (*btree2, error) {
	const what = "version 2 B-tree"
	c := f.cursor(what, at, 4+1+1+4+2+2+1+1+f.offsetSize+2+f.lengthSize+4)
	c.signature("BTHD")
	c.version(0, 0)
	t := &btree2{f: f, at: at, kind: c.u8(), node: int(c.u32()), record: c.u16(), depth: c.u16()}
	c.skip(2)
	t.root.at = c.address()
	t.root.count = c.u16()
	c.length()
	c.checksum()
	switch {
	case c.err != nil:
	case !slices.Contains(kinds, t.kind):
		c.fail("records of type %d, and type %v is needed", t.kind, kinds)
	case t.node < 16 || int64(t.node) > f.size+1<<16 || t.record == 0 || t.depth > depth2Max:
		c.fail("nodes of %d bytes with records of %d, in a depth of %d", t.node, t.record, t.depth)
	}
	if c.err != nil {
		return nil, c.err
	}
	const prefix = 4 + 1 + 1 + 4
	leaf := (t.node - prefix) / t.record
	t.counts = minBytes(uint64(leaf))
	t.levels = []level2{{most: leaf}}
	total := uint64(leaf)
	for d := 1; d <= t.depth; d++ {
		pointer := f.offsetSize + t.counts + t.levels[d-1].total
		most := (t.node - prefix - pointer) / (t.record + pointer)
		if most < 1 {
			c.fail("nodes of %d bytes have no place for records of %d and their children", t.node, t.record)
			return nil, c.err
		}
		if total > undefined/uint64(most+2) {
			c.fail("more records than 64 bits can count")
			return nil, c.err
		}
		total = total*uint64(most+1) + uint64(most)
		t.levels = append(t.levels, level2{most: most, total: minBytes(total)})
	}
	return t, nil
}

// A node2 is a node taken apart.
type node2 struct {
	records  []byte
	children []tree2Child // one more than records, or none in a leaf
}

// read reads a node of the given depth.
func (t *btree2) read(x tree2Child, depth int) (node2, error) {
	what, letters := "version 2 B-tree leaf", "BTLF"
	if depth > 0 {
		what, letters = "version 2 B-tree node", "BTIN"
	}
	if most := t.levels[depth].most; x.count > most {
		return node2{}, invalid(what, t.f.offset(x.at), "%d records in a node for %d", x.count, most)
	}
	size := 4 + 1 + 1 + x.count*t.record + 4
	if depth > 0 {
		size += (x.count + 1) * (t.f.offsetSize + t.counts + t.levels[depth-1].total)
	}
	c := t.f.cursor(what, x.at, size)
	c.signature(letters)
	c.version(0, 0)
	if kind := c.u8(); c.err == nil && kind != t.kind {
		c.fail("records of type %d in a B-tree of type %d", kind, t.kind)
	}
	n := node2{records: c.bytes(x.count * t.record)}
	if depth > 0 {
		for range x.count + 1 {
			n.children = append(n.children, tree2Child{c.address(), int(c.uint(t.counts))})
			c.skip(t.levels[depth-1].total)
		}
	}
	c.checksum()
	return n, c.err
}

// each visits all records in their order.
func (t *btree2) each(visit func(record []byte) error) error {
	return t.eachIn(context.Background(), visit)
}

func (t *btree2) eachIn(ctx context.Context, visit func(record []byte) error) error {
	if t.root.at == undefined || t.root.count == 0 {
		return nil
	}
	return t.below(ctx, t.root, t.depth, seen{}, visit)
}

func (t *btree2) below(ctx context.Context, x tree2Child, depth int, nodes seen, visit func(record []byte) error) error {
	if err := nodes.visit(t.f, "version 2 B-tree node", x.at); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	n, err := t.read(x, depth)
	if err != nil {
		return err
	}
	for i := range x.count + 1 {
		if depth > 0 {
			if err := t.below(ctx, n.children[i], depth-1, nodes, visit); err != nil {
				return err
			}
		}
		if i == x.count {
			break
		}
		if err := visit(n.records[i*t.record : (i+1)*t.record]); err != nil {
			return err
		}
	}
	return nil
}
