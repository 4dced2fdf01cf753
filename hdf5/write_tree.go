package hdf5

import "encoding/binary"

// A treeBuilder is a B-tree of version 1 that is written as a whole. Every child has a key: in the tree of a group the last name
// within, which follows the child, and in that of chunks the first chunk within, which comes before it. One more key is
// at the other end: the same for all groups, and for chunks the first after the last.
type treeBuilder struct {
	kind    byte
	k       int // half the number of children of a node
	keySize int
	n       int // leaves below the lowest nodes: symbol nodes or chunks

	appendKey func(b []byte, i int) []byte // of leaf i; n for the key at the end
	addr      func(i int) uint64           // of leaf i
}

// nodeSize is the size of every node, rounded up to a multiple of 8.
func (t *treeBuilder) nodeSize() int64 {
	return alignedSize(int64(treeHead + (2*t.k+1)*t.keySize + 2*t.k*8))
}

const treeHead = 24

// write writes the nodes, the lowest first, and returns the address of the root. A tree without leaves has one node.
func (t *treeBuilder) write(out *output) (root uint64, err error) {
	level := treeLevel{treeBuilder: t, left: undefined, n: t.n, span: 1, addr: t.addr}
	for {
		first, count, err := level.write(out)
		if err != nil || count == 1 {
			return first, err
		}
		size := uint64(t.nodeSize())
		level = treeLevel{treeBuilder: t, left: undefined, height: level.height + 1, n: count, span: level.span * 2 * t.k, addr: func(i int) uint64 {
			return first + uint64(i)*size
		}}
	}
}

// A treeLevel is the children of the nodes of one level.
type treeLevel struct {
	*treeBuilder
	height int
	n      int // children
	span   int // leaves below each
	addr   func(i int) uint64
	left   uint64 // the node before the first
}

// write writes the nodes over the children one after the other, and returns their number and the address of the first.
func (l *treeLevel) write(out *output) (first uint64, count int, err error) {
	width := 2 * l.k
	count = max(1, (l.n+width-1)/width)
	size := l.nodeSize()
	at := out.reserve(int64(count) * size)
	b := make([]byte, 0, size)
	for i := range count {
		left, right := l.left, undefined
		if i > 0 {
			left = uint64(at + int64(i-1)*size)
		}
		if i+1 < count {
			right = uint64(at + int64(i+1)*size)
		}
		b = l.appendNode(b[:0], i*width, min((i+1)*width, l.n), left, right)
		if err := out.writeAt(b[:size], at+int64(i)*size); err != nil {
			return 0, 0, err
		}
	}
	return uint64(at), count, nil
}

// appendNode appends a node with the children from low to high, and zeros up to the capacity of b.
func (l *treeLevel) appendNode(b []byte, low, high int, left, right uint64) []byte {
	b = append(b, 'T', 'R', 'E', 'E', l.kind, byte(l.height))
	b = binary.LittleEndian.AppendUint16(b, uint16(high-low))
	b = binary.LittleEndian.AppendUint64(b, left)
	b = binary.LittleEndian.AppendUint64(b, right)
	b = l.appendBorder(b, low)
	for i := low; i < high; i++ {
		b = binary.LittleEndian.AppendUint64(b, l.addr(i))
		b = l.appendBorder(b, i+1)
	}
	clear(b[len(b):cap(b)])
	return b
}

// appendBorder appends the key between the children i-1 and i.
func (l *treeLevel) appendBorder(b []byte, i int) []byte {
	leaf := min(i*l.span, l.treeBuilder.n)
	switch {
	case l.kind == treeChunk:
		return l.appendKey(b, leaf)
	case leaf == 0:
		return append(b, make([]byte, l.keySize)...)
	}
	return l.appendKey(b, leaf-1)
}
