package hdf5

// resolve returns c, or if it is shared, a cursor over the message of the same kind that it names: that of a committed
// datatype, or one of the table of shared messages.
func (f *file) resolve(c cursor, kind int, shared bool) cursor {
	if !shared || c.err != nil {
		return c
	}
	what := c.what
	c.what = "shared message"
	fail := func(err error) cursor { return cursor{f: f.input, what: what, err: err} }
	version, where := c.version(1, 3), c.u8()
	switch {
	case version == 1:
		c.skip(6 + f.lengthSize) // of a symbol table entry
	case version == 3 && where == 1:
		id := c.bytes(8)
		if c.err != nil {
			return fail(c.err)
		}
		at, b, err := f.sharedMessage(kind, id)
		if err != nil {
			return fail(err)
		}
		return cursor{f: f.input, what: what, at: at, b: b}
	}
	at := c.address()
	if c.err != nil {
		return fail(c.err)
	}
	h, err := f.header(at)
	if err != nil {
		return fail(err)
	}
	m, ok := h.find(kind)
	if !ok || m.shared { // a shared message is never shared again, so that no circle can arise
		return fail(invalid(what, f.offset(at), "it is shared with an object that has none of its own"))
	}
	return cursor{f: f.input, what: what, at: m.at, b: m.data}
}

// sharedMessage returns a message of the table of shared messages, by its place in a fractal heap.
func (f *file) sharedMessage(kind int, id []byte) (uint64, []byte, error) {
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
		return h.object(id)
	}
	return 0, nil, invalid("shared message table", -1, "it has no messages of type %d", kind)
}

// A sharedHeap is an index of the table of shared messages: a fractal heap for some kinds of messages.
type sharedHeap struct {
	kinds int // a bit for each
	heap  uint64
}

// sharedHeaps reads the table of shared messages, which the extension of the superblock names.
func (f *file) sharedHeaps() ([]sharedHeap, error) {
	if f.super.extension == undefined {
		return nil, invalid("superblock", f.offset(0), "it names no table of shared messages, and a message is there")
	}
	h, err := f.header(f.super.extension)
	if err != nil {
		return nil, err
	}
	m, ok := h.find(sharedTableMessage)
	if !ok {
		return nil, invalid("superblock extension", f.offset(h.at), "it names no table of shared messages, and a message is there")
	}
	c := h.cursor(m, "shared message table message")
	c.version(0, 0)
	at, count := c.address(), c.u8()
	if c.err != nil {
		return nil, c.err
	}
	const what = "shared message table"
	entry := 1 + 1 + 2 + 4 + 2 + 2 + 2 + 2*f.offsetSize
	c = f.cursor(what, at, 4+count*entry+4)
	c.signature("SMTB")
	var heaps []sharedHeap
	for range count {
		c.skip(2) // version, list or B-tree
		x := sharedHeap{kinds: c.u16()}
		c.skip(4 + 2 + 2 + 2 + f.offsetSize)
		x.heap = c.address()
		heaps = append(heaps, x)
	}
	c.checksum()
	return heaps, c.err
}
