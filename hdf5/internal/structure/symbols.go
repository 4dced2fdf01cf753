package structure

import (
	"encoding/binary"
	"fmt"

	"github.com/npygo/npy/hdf5/internal/storage"
)

// Symbols adds the links of an old group, which are in the order of their names.
func (f *File) Symbols(tree, heap uint64, add func(l Link) error) error {
	names, err := f.localHeap(heap)
	if err != nil {
		return err
	}
	if tree == storage.Undefined {
		return nil
	}
	count := 0
	return f.symbolNodes(tree, func(at uint64) error { return f.symbolNode(at, names, &count, add) })
}

// symbolNode adds the links of one node. A link whose name cannot be read is named by its number.
func (f *File) symbolNode(at uint64, names localHeap, done *int, add func(l Link) error) error {
	const what = "symbol table node"
	c := f.Cursor(what, at, 8)
	c.Signature("SNOD")
	c.Version(1, 1)
	c.Skip(1)
	count := c.U16()
	if c.Err != nil {
		return c.Err
	}
	c = f.Cursor(what, at, 8+count*(2*f.OffsetSize+24))
	c.Skip(8)
	for range count {
		offset := c.Uint(f.OffsetSize)
		l := Link{At: c.Address()}
		kind := c.U32()
		c.Skip(4)
		value := c.U32()
		c.Skip(12)
		if c.Err != nil {
			return c.Err
		}
		if l.Name, l.Err = names.text(offset); l.Err != nil {
			l.Name = fmt.Sprintf("?%d", *done)
		} else if kind == 2 {
			l.Kind = LinkSoft
			l.Target, l.Err = names.text(uint64(value))
		}
		*done++
		if err := add(l); err != nil {
			return err
		}
	}
	return nil
}

// Group parameters of the superblock: half the number of entries of a leaf and of a node within.
const (
	leafK     = 4
	internalK = 16
)

// A Symbol is an entry of a symbol table that is written.
type Symbol struct {
	Name    uint64 // the place of the name in the local heap
	Addr    uint64 // of the object; undefined for a soft link
	Kind    byte   // of the scratch space
	Scratch []byte // for a group the addresses of its symbol table, for a soft link the place of its path in the heap
}

// Contents of the scratch space of a symbol.
const (
	noScratch = iota
	TableScratch
	PathScratch
)

// WriteSymbols writes the symbol nodes of a group and their B-tree. Nodes have their full size even if they are empty.
func WriteSymbols(out *storage.Output, symbols []Symbol) (root uint64, err error) {
	const size = 8 + 2*leafK*symbolSize
	t := TreeBuilder{Kind: treeGroup, K: internalK, KeySize: 8, N: (len(symbols) + 2*leafK - 1) / (2 * leafK)}
	first := out.Reserve(int64(t.N) * size)
	for i := range t.N {
		low, high := i*2*leafK, min((i+1)*2*leafK, len(symbols))
		b := binary.LittleEndian.AppendUint16([]byte("SNOD\x01\x00"), uint16(high-low))
		for _, s := range symbols[low:high] {
			b = s.append(b)
		}
		b = append(b, make([]byte, size-len(b))...)
		if err := out.WriteAt(b, first+int64(i)*size); err != nil {
			return 0, err
		}
	}
	t.AppendKey = func(b []byte, i int) []byte {
		return binary.LittleEndian.AppendUint64(b, symbols[min((i+1)*2*leafK, len(symbols))-1].Name)
	}
	t.Addr = func(i int) uint64 { return uint64(first + int64(i)*size) }
	return t.Write(out)
}

// symbolSize is the size of an entry of a symbol table.
const symbolSize = 40

// append appends the entry of a symbol table.
func (s Symbol) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, s.Name)
	b = binary.LittleEndian.AppendUint64(b, s.Addr)
	b = append(b, s.Kind, 0, 0, 0, 0, 0, 0, 0)
	b = append(b, s.Scratch...)
	return append(b, make([]byte, 16-len(s.Scratch))...)
}
