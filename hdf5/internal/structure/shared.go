package structure

import (
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
)

// Resolve returns c, or if it is shared, a cursor over the message of the same kind that it names, in a committed datatype
// or in the table of shared messages.
func (f *File) Resolve(c storage.Cursor, kind int, shared bool) storage.Cursor {
	if !shared || c.Err != nil {
		return c
	}
	what := c.What
	c.What = "shared message"
	fail := func(err error) storage.Cursor { return storage.Cursor{In: f.Input, What: what, Err: err} }
	version, where := c.Version(1, 3), c.U8()
	switch {
	case version == 1:
		c.Skip(6 + f.LengthSize) // of a symbol table entry
	case version == 3 && where == 1:
		id := c.Bytes(8)
		if c.Err != nil {
			return fail(c.Err)
		}
		at, b, err := f.SharedMessage(kind, id)
		if err != nil {
			return fail(err)
		}
		return storage.Cursor{In: f.Input, What: what, At: at, Data: b}
	}
	at := c.Address()
	if c.Err != nil {
		return fail(c.Err)
	}
	h, err := f.Header(at)
	if err != nil {
		return fail(err)
	}
	m, ok := h.Find(kind)
	if !ok || m.Shared { // a shared message is never shared again, so that no circle can arise
		return fail(fault.Invalid(what, f.Offset(at), "it is shared with an object that has none of its own"))
	}
	return storage.Cursor{In: f.Input, What: what, At: m.At, Data: m.Data}
}

// SharedMessage returns a message of the table of shared messages, by its place in a fractal heap.
func (f *File) SharedMessage(kind int, id []byte) (uint64, []byte, error) {
	heaps, err := f.sharedHeaps()
	if err != nil {
		return 0, nil, err
	}
	for _, x := range heaps {
		if x.kinds>>kind&1 == 0 {
			continue
		}
		h, err := f.fractalHeap(x.heap)
		if err != nil {
			return 0, nil, err
		}
		return h.Object(id)
	}
	return 0, nil, fault.Invalid("shared message table", -1, "it has no messages of type %d", kind)
}

// A sharedHeap is an index of the table of shared messages: a fractal heap for some kinds of messages.
type sharedHeap struct {
	kinds int // a bit for each
	heap  uint64
}

// sharedHeaps reads the table of shared messages, which the extension of the superblock names.
func (f *File) sharedHeaps() ([]sharedHeap, error) {
	if f.Super.Extension == storage.Undefined {
		return nil, fault.Invalid("superblock", f.Offset(0), "it names no table of shared messages, and a message is there")
	}
	h, err := f.Header(f.Super.Extension)
	if err != nil {
		return nil, err
	}
	m, ok := h.Find(sharedTableMessage)
	if !ok {
		return nil, fault.Invalid("superblock extension", f.Offset(h.At), "it names no table of shared messages, and a message is there")
	}
	c := h.Cursor(m, "shared message table message")
	c.Version(0, 0)
	at, count := c.Address(), c.U8()
	if c.Err != nil {
		return nil, c.Err
	}
	const what = "shared message table"
	entry := 1 + 1 + 2 + 4 + 2 + 2 + 2 + 2*f.OffsetSize
	c = f.Cursor(what, at, 4+count*entry+4)
	c.Signature("SMTB")
	var heaps []sharedHeap
	for range count {
		c.Skip(2) // version, list or B-tree
		x := sharedHeap{kinds: c.U16()}
		c.Skip(4 + 2 + 2 + 2 + f.OffsetSize)
		x.heap = c.Address()
		heaps = append(heaps, x)
	}
	c.Checksum()
	return heaps, c.Err
}
