package hdf5

import (
	"github.com/npygo/npy/internal/bounded"
)

// The types of the messages that are not written. write_header.go has the others.
const (
	oldFillMessage       = 0x04
	externalMessage      = 0x07
	sharedTableMessage   = 0x0f
	continuationMessage  = 0x10
	attributeInfoMessage = 0x15
	linkCountMessage     = 0x16
	fileSpaceMessage     = 0x17
)

// A message is one piece of an object header.
type message struct {
	kind   int
	shared bool   // the data says where the message is
	at     uint64 // the address of the data
	data   []byte
}

// A header is the object header of a group, a dataset or a committed datatype.
type header struct {
	f        *file
	at       uint64
	linked   uint32 // the number of links to the object, in version 1
	messages []message
}

// find returns the first message of a kind.
func (h *header) find(kind int) (message, bool) {
	for _, m := range h.messages {
		if m.kind == kind {
			return m, true
		}
	}
	return message{}, false
}

// has reports whether there is a message of a kind.
func (h *header) has(kind int) bool {
	_, ok := h.find(kind)
	return ok
}

// hasLinks reports whether the file says that several links lead to the object.
func (h *header) hasLinks() bool {
	return h.linked > 1 || h.has(linkCountMessage) // which version 2 has for other numbers than 1
}

// cursor returns a cursor over a message, after following it to the place where it is shared.
func (h *header) cursor(m message, what string) cursor {
	return h.f.resolve(cursor{f: h.f.input, what: what, at: m.at, b: m.data}, m.kind, m.shared)
}

// message returns a cursor over the first message of a kind, which a dataset must have.
func (h *header) message(kind int, what string) cursor {
	m, ok := h.find(kind)
	if !ok {
		return cursor{f: h.f.input, err: invalid("object header", h.f.offset(h.at), "a dataset without a %s", what)}
	}
	return h.cursor(m, what)
}

// A block is a part of an object header: its first bytes, or a continuation.
type block struct {
	at   uint64
	size uint64
}

// header reads the object header at an address, with all its continuations.
func (f *file) header(at uint64) (*header, error) {
	c := f.upTo("object header", at, 16)
	if c.err != nil {
		return nil, c.err
	}
	h := &header{f: f, at: at}
	if string(c.b[:min(4, len(c.b))]) == "OHDR" {
		return h, h.readV2()
	}
	return h, h.readV1(&c)
}

// readV1 reads a header of version 1. c is at its start.
func (h *header) readV1(c *cursor) error {
	c.version(1, 1)
	c.skip(1)
	count := c.u16()
	h.linked = c.u32()
	size := c.u32()
	c.skip(4)
	if c.err != nil {
		return c.err
	}
	h.messages = make([]message, 0, min(count, 16))
	blocks := []block{{h.at + 16, uint64(size)}}
	for i := 0; i < len(blocks); i++ {
		b := blocks[i]
		c, err := h.blockCursor(b)
		if err != nil {
			return err
		}
		for c.err == nil && c.left() >= 8 && len(h.messages) < count {
			kind, n := c.u16(), c.u16()
			flags := c.u8()
			c.skip(3)
			blocks = h.take(&c, kind, n, flags, blocks)
		}
		if c.err != nil {
			return c.err
		}
		if err := h.checkBlocks(blocks); err != nil {
			return err
		}
	}
	return nil
}

// blockCursor returns a cursor over a block of the header.
func (h *header) blockCursor(b block) (cursor, error) {
	const what = "object header"
	if err := h.f.check(what, b.at, b.size); err != nil {
		return cursor{}, err
	}
	if most := uint64(h.f.limits.header); b.size > most {
		return cursor{}, h.f.failed(what, b.at, bounded.Over("MaxHeader", most, b.size, "%d bytes of an object header are over MaxHeader %d", b.size, most))
	}
	c := h.f.cursor(what, b.at, int(b.size))
	return c, c.err
}

// checkBlocks limits the number and the bytes of blocks, so that continuations cannot lead in a circle for long.
func (h *header) checkBlocks(blocks []block) error {
	total := uint64(0)
	for i, b := range blocks {
		if total += b.size; total < b.size || total > uint64(h.f.limits.header) {
			return h.f.failed("object header", h.at, bounded.Over("MaxHeader", uint64(h.f.limits.header), total, "an object header of %d blocks is over MaxHeader %d", len(blocks), h.f.limits.header))
		}
		for _, earlier := range blocks[:i] {
			if earlier.at == b.at {
				return invalid("object header", h.f.offset(h.at), "its continuations lead in a circle")
			}
		}
	}
	return nil
}

// take takes the data of a message of n bytes.
func (h *header) take(c *cursor, kind, n, flags int, blocks []block) []block {
	at := c.at + uint64(c.pos)
	data := c.bytes(n)
	if c.err != nil {
		return blocks
	}
	if kind == continuationMessage {
		m := &cursor{f: h.f.input, what: "continuation message", at: at, b: data}
		b := block{m.address(), m.length()}
		if c.err = m.err; c.err == nil {
			blocks = append(blocks, b)
		}
	}
	h.messages = append(h.messages, message{kind, flags&2 != 0, at, data})
	return blocks
}

// readV2 reads a header of version 2.
func (h *header) readV2() error {
	c := h.f.upTo("object header", h.at, 38)
	c.signature("OHDR")
	c.version(2, 2)
	flags := c.u8()
	if flags&0x20 != 0 {
		c.skip(16) // times
	}
	if flags&0x10 != 0 {
		c.skip(4) // numbers of attributes at which their storage changes
	}
	size := c.uint(1 << (flags & 3))
	if c.err != nil {
		return c.err
	}
	start := uint64(c.pos)
	if size > uint64(h.f.size) {
		return h.f.check("object header", h.at, size)
	}
	blocks := []block{{h.at, start + size + 4}}
	for i := 0; i < len(blocks); i++ {
		c, err := h.blockCursor(blocks[i])
		if err != nil {
			return err
		}
		if i == 0 {
			c.skip(int(start))
		} else {
			c.signature("OCHK")
		}
		blocks = h.readBlockV2(&c, flags, blocks)
		if c.err != nil {
			return c.err
		}
		if err := h.checkBlocks(blocks); err != nil {
			return err
		}
	}
	return nil
}

// readBlockV2 reads the messages of a block, and verifies its checksum.
func (h *header) readBlockV2(c *cursor, flags int, blocks []block) []block {
	prefix := 4
	if flags&4 != 0 {
		prefix += 2 // the order of creation
	}
	if len(c.b) < c.pos+4 {
		c.fail("%d bytes are too short for it", len(c.b))
		return blocks
	}
	whole := c.b
	c.b = whole[:len(whole)-4]
	for c.err == nil && c.left() >= prefix {
		kind, n, mflags := c.u8(), c.u16(), c.u8()
		c.skip(prefix - 4)
		blocks = h.take(c, kind, n, mflags, blocks)
	}
	if c.err == nil {
		c.b, c.pos = whole, len(whole)-4
		c.checksum()
	}
	return blocks
}
