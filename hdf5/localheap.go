package hdf5

// A localHeap has the names of the links of an old group.
type localHeap struct {
	f    *file
	at   uint64 // of the data
	size uint64
}

// localHeap reads the start of a local heap.
func (f *file) localHeap(at uint64) (localHeap, error) {
	c := f.cursor("local heap", at, 8+2*f.lengthSize+f.offsetSize)
	c.signature("HEAP")
	c.version(0, 0)
	c.skip(3)
	h := localHeap{f: f, size: c.length()}
	c.length() // free space
	h.at = c.address()
	if c.err != nil {
		return h, c.err
	}
	return h, f.check("local heap", h.at, h.size)
}

// text returns the name at an offset.
func (h localHeap) text(offset uint64) (string, error) {
	const what = "local heap"
	if offset >= h.size {
		return "", invalid(what, h.f.offset(h.at), "a name at byte %d of its %d", offset, h.size)
	}
	for n := uint64(64); ; n *= 8 {
		n = min(n, h.size-offset)
		b, err := h.f.structure(what, h.at+offset, int(min(n, nameMax+1)))
		if err != nil {
			return "", err
		}
		s := upToNUL(b)
		switch {
		case len(s) < len(b):
			return s, nil
		case len(s) > nameMax:
			return "", invalid(what, h.f.offset(h.at+offset), "a name of more than %d bytes", nameMax)
		case n == h.size-offset: // some writers leave out the NUL at the end of the heap
			return s, nil
		}
	}
}

// nameMax is the length of the longest name of a link, in bytes.
const nameMax = 1 << 20
