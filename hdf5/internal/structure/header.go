package structure

import (
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/bounded"
)

// A Header is the object header of a group, a dataset or a committed datatype.
type Header struct {
	File     *File
	At       uint64
	linked   uint32 // the number of links to the object, in version 1
	Messages []Message
}

// Find returns the first message of a kind.
func (h *Header) Find(kind int) (Message, bool) {
	for _, m := range h.Messages {
		if m.Kind == kind {
			return m, true
		}
	}
	return Message{}, false
}

// Has reports whether there is a message of a kind.
func (h *Header) Has(kind int) bool {
	_, ok := h.Find(kind)
	return ok
}

// HasLinks reports whether the file says that several links lead to the object.
func (h *Header) HasLinks() bool {
	return h.linked > 1 || h.Has(linkCountMessage) // which version 2 has for other numbers than 1
}

// IsGroup reports whether the object with a header is a group.
func (h *Header) IsGroup() bool {
	return h.Has(SymbolTableMessage) || h.Has(LinkInfoMessage) || h.Has(GroupInfoMessage) || h.Has(LinkMessage)
}

// IsDataset reports whether the object with a header is a dataset.
func (h *Header) IsDataset() bool {
	return h.Has(LayoutMessage) || h.Has(DataspaceMessage) && h.Has(DatatypeMessage)
}

// Cursor returns a cursor over a message, after following it to the place where it is shared.
func (h *Header) Cursor(m Message, what string) storage.Cursor {
	return h.File.Resolve(storage.Cursor{In: h.File.Input, What: what, At: m.At, Data: m.Data}, m.Kind, m.Shared)
}

// Message returns a cursor over the first message of a kind, which a dataset must have.
func (h *Header) Message(kind int, what string) storage.Cursor {
	m, ok := h.Find(kind)
	if !ok {
		return storage.Cursor{In: h.File.Input, Err: fault.Invalid("object header", h.File.Offset(h.At), "a dataset without a %s", what)}
	}
	return h.Cursor(m, what)
}

// A block is a part of an object header: its first bytes, or a continuation.
type block struct {
	at   uint64
	size uint64
}

// Header reads the object header at an address, with all its continuations.
func (f *File) Header(at uint64) (*Header, error) {
	c := f.UpTo("object header", at, 16)
	if c.Err != nil {
		return nil, c.Err
	}
	h := &Header{File: f, At: at}
	if string(c.Data[:min(4, len(c.Data))]) == "OHDR" {
		return h, h.readV2()
	}
	return h, h.readV1(&c)
}

// readV1 reads a header of version 1. c is at its start.
func (h *Header) readV1(c *storage.Cursor) error {
	c.Version(1, 1)
	c.Skip(1)
	count := c.U16()
	h.linked = c.U32()
	size := c.U32()
	c.Skip(4)
	if c.Err != nil {
		return c.Err
	}
	h.Messages = make([]Message, 0, min(count, 16))
	blocks := []block{{h.At + 16, uint64(size)}}
	for i := 0; i < len(blocks); i++ {
		b := blocks[i]
		c, err := h.blockCursor(b)
		if err != nil {
			return err
		}
		for c.Err == nil && c.Left() >= 8 && len(h.Messages) < count {
			kind, n := c.U16(), c.U16()
			flags := c.U8()
			c.Skip(3)
			blocks = h.take(&c, kind, n, flags, blocks)
		}
		if c.Err != nil {
			return c.Err
		}
		if err := h.checkBlocks(blocks); err != nil {
			return err
		}
	}
	return nil
}

// blockCursor returns a cursor over a block of the header.
func (h *Header) blockCursor(b block) (storage.Cursor, error) {
	const what = "object header"
	if err := h.File.Check(what, b.at, b.size); err != nil {
		return storage.Cursor{}, err
	}
	if most := uint64(h.File.maxHeader); b.size > most {
		return storage.Cursor{}, h.File.Failed(what, b.at, bounded.Over("MaxHeader", most, b.size, "%d bytes of an object header are over MaxHeader %d", b.size, most))
	}
	c := h.File.Cursor(what, b.at, int(b.size))
	return c, c.Err
}

// checkBlocks limits the number and the bytes of blocks, so that continuations cannot lead in a circle for long.
func (h *Header) checkBlocks(blocks []block) error {
	total := uint64(0)
	for i, b := range blocks {
		if total += b.size; total < b.size || total > uint64(h.File.maxHeader) {
			return h.File.Failed("object header", h.At, bounded.Over("MaxHeader", uint64(h.File.maxHeader), total, "an object header of %d blocks is over MaxHeader %d", len(blocks), h.File.maxHeader))
		}
		for _, earlier := range blocks[:i] {
			if earlier.at == b.at {
				return fault.Invalid("object header", h.File.Offset(h.At), "its continuations lead in a circle")
			}
		}
	}
	return nil
}

// take takes the data of a message of n bytes.
func (h *Header) take(c *storage.Cursor, kind, n, flags int, blocks []block) []block {
	at := c.At + uint64(c.Pos)
	data := c.Bytes(n)
	if c.Err != nil {
		return blocks
	}
	if kind == continuationMessage {
		m := &storage.Cursor{In: h.File.Input, What: "continuation message", At: at, Data: data}
		b := block{m.Address(), m.Length()}
		if c.Err = m.Err; c.Err == nil {
			blocks = append(blocks, b)
		}
	}
	h.Messages = append(h.Messages, Message{kind, flags&2 != 0, at, data})
	return blocks
}

// readV2 reads a header of version 2.
func (h *Header) readV2() error {
	c := h.File.UpTo("object header", h.At, 38)
	c.Signature("OHDR")
	c.Version(2, 2)
	flags := c.U8()
	if flags&0x20 != 0 {
		c.Skip(16) // times
	}
	if flags&0x10 != 0 {
		c.Skip(4) // numbers of attributes at which their storage changes
	}
	size := c.Uint(1 << (flags & 3))
	if c.Err != nil {
		return c.Err
	}
	start := uint64(c.Pos)
	if size > uint64(h.File.Size) {
		return h.File.Check("object header", h.At, size)
	}
	blocks := []block{{h.At, start + size + 4}}
	for i := 0; i < len(blocks); i++ {
		c, err := h.blockCursor(blocks[i])
		if err != nil {
			return err
		}
		if i == 0 {
			c.Skip(int(start))
		} else {
			c.Signature("OCHK")
		}
		blocks = h.readBlockV2(&c, flags, blocks)
		if c.Err != nil {
			return c.Err
		}
		if err := h.checkBlocks(blocks); err != nil {
			return err
		}
	}
	return nil
}

// readBlockV2 reads the messages of a block, and verifies its checksum.
func (h *Header) readBlockV2(c *storage.Cursor, flags int, blocks []block) []block {
	prefix := 4
	if flags&4 != 0 {
		prefix += 2 // the order of creation
	}
	if len(c.Data) < c.Pos+4 {
		c.Fail("%d bytes are too short for it", len(c.Data))
		return blocks
	}
	whole := c.Data
	c.Data = whole[:len(whole)-4]
	for c.Err == nil && c.Left() >= prefix {
		kind, n, mflags := c.U8(), c.U16(), c.U8()
		c.Skip(prefix - 4)
		blocks = h.take(c, kind, n, mflags, blocks)
	}
	if c.Err == nil {
		c.Data, c.Pos = whole, len(whole)-4
		c.Checksum()
	}
	return blocks
}
