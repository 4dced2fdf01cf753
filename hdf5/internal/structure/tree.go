package structure

import (
	"encoding/binary"

	"github.com/npygo/npy/hdf5/internal/storage"
)

// A TreeBuilder is a B-tree of version 1 that is written as a whole. Every child has a key: in the tree of a group the
// last name within, which follows the child, and in the tree of chunks the first chunk within, which comes before the
// child. One more key is at the other end: the same for all groups, and for chunks the first after the last.
type TreeBuilder struct {
	Kind    byte
	K       int // half the number of children of a node
	KeySize int
	N       int // leaves below the lowest nodes: symbol nodes or chunks

	AppendKey func(b []byte, i int) []byte // of leaf i; n for the key at the end
	Addr      func(i int) uint64           // of leaf i
}

// NodeSize is the size of every node, rounded up to a multiple of 8.
func (t *TreeBuilder) NodeSize() int64 {
	return storage.AlignedSize(int64(treeHead + (2*t.K+1)*t.KeySize + 2*t.K*8))
}

const treeHead = 24

// Write writes the nodes, the lowest first, and returns the address of the root. A tree without leaves has one node.
func (t *TreeBuilder) Write(out *storage.Output) (root uint64, err error) {
	level := TreeLevel{TreeBuilder: t, Left: storage.Undefined, N: t.N, Span: 1, Addr: t.Addr}
	for {
		first, count, err := level.Write(out)
		if err != nil || count == 1 {
			return first, err
		}
		size := uint64(t.NodeSize())
		level = TreeLevel{TreeBuilder: t, Left: storage.Undefined, Height: level.Height + 1, N: count, Span: level.Span * 2 * t.K, Addr: func(i int) uint64 {
			return first + uint64(i)*size
		}}
	}
}

// A TreeLevel is the children of the nodes of one level.
type TreeLevel struct {
	*TreeBuilder
	Height int
	N      int // children
	Span   int // leaves below each
	Addr   func(i int) uint64
	Left   uint64 // the node before the first
}

// Write writes the nodes over the children one after the other, and returns their number and the address of the first.
func (l *TreeLevel) Write(out *storage.Output) (first uint64, count int, err error) {
	width := 2 * l.K
	count = max(1, (l.N+width-1)/width)
	size := l.NodeSize()
	at := out.Reserve(int64(count) * size)
	b := make([]byte, 0, size)
	for i := range count {
		left, right := l.Left, storage.Undefined
		if i > 0 {
			left = uint64(at + int64(i-1)*size)
		}
		if i+1 < count {
			right = uint64(at + int64(i+1)*size)
		}
		b = l.appendNode(b[:0], i*width, min((i+1)*width, l.N), left, right)
		if err := out.WriteAt(b[:size], at+int64(i)*size); err != nil {
			return 0, 0, err
		}
	}
	return uint64(at), count, nil
}

// appendNode appends a node with the children from low to high, and zeros up to the capacity of b.
func (l *TreeLevel) appendNode(b []byte, low, high int, left, right uint64) []byte {
	b = append(b, 'T', 'R', 'E', 'E', l.Kind, byte(l.Height))
	b = binary.LittleEndian.AppendUint16(b, uint16(high-low))
	b = binary.LittleEndian.AppendUint64(b, left)
	b = binary.LittleEndian.AppendUint64(b, right)
	b = l.appendBorder(b, low)
	for i := low; i < high; i++ {
		b = binary.LittleEndian.AppendUint64(b, l.Addr(i))
		b = l.appendBorder(b, i+1)
	}
	clear(b[len(b):cap(b)])
	return b
}

// appendBorder appends the key between the children i-1 and i.
func (l *TreeLevel) appendBorder(b []byte, i int) []byte {
	leaf := min(i*l.Span, l.TreeBuilder.N)
	switch {
	case l.Kind == TreeChunk:
		return l.AppendKey(b, leaf)
	case leaf == 0:
		return append(b, make([]byte, l.KeySize)...)
	}
	return l.AppendKey(b, leaf-1)
}
