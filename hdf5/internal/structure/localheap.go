package structure

import (
	"encoding/binary"

	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
)

// A localHeap has the names of the links of an old group.
type localHeap struct {
	f    *File
	at   uint64 // of the data
	size uint64
}

// localHeap reads the start of a local heap.
func (f *File) localHeap(at uint64) (localHeap, error) {
	c := f.Cursor("local heap", at, 8+2*f.LengthSize+f.OffsetSize)
	c.Signature("HEAP")
	c.Version(0, 0)
	c.Skip(3)
	h := localHeap{f: f, size: c.Length()}
	c.Length() // free space
	h.at = c.Address()
	if c.Err != nil {
		return h, c.Err
	}
	return h, f.Check("local heap", h.at, h.size)
}

// text returns the name at an offset.
func (h localHeap) text(offset uint64) (string, error) {
	const what = "local heap"
	if offset >= h.size {
		return "", fault.Invalid(what, h.f.Offset(h.at), "a name at byte %d of its %d", offset, h.size)
	}
	for n := uint64(64); ; n *= 8 {
		n = min(n, h.size-offset)
		b, err := h.f.Structure(what, h.at+offset, int(min(n, nameMax+1)))
		if err != nil {
			return "", err
		}
		s := storage.UpToNUL(b)
		switch {
		case len(s) < len(b):
			return s, nil
		case len(s) > nameMax:
			return "", fault.Invalid(what, h.f.Offset(h.at+offset), "a name of more than %d bytes", nameMax)
		case n == h.size-offset: // some writers leave out the NUL at the end of the heap
			return s, nil
		}
	}
}

// nameMax is the length of the longest name of a link, in bytes.
const nameMax = 1 << 20

// WriteLocalHeap writes a local heap with the given data, and returns its address.
func WriteLocalHeap(out *storage.Output, data []byte) (uint64, error) {
	at, err := out.Put(data)
	if err != nil {
		return 0, err
	}
	head := []byte("HEAP\x00\x00\x00\x00")
	for _, x := range []uint64{uint64(len(data)), 1, at} { // 1: no free space
		head = binary.LittleEndian.AppendUint64(head, x)
	}
	return out.Put(head)
}
