package structure

import (
	"encoding/binary"
	"math"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/diag"
)

// A HeaderBuilder collects the messages of an object header of version 1, in one block.
type HeaderBuilder struct {
	Buf   []byte
	count int
	Refs  []PendingRef // places in buf
}

// A PendingRef is a reference to an object whose address is not known: eight bytes of encoded elements.
type PendingRef struct {
	At     int
	Target string
}

// Append adds the messages of another header.
func (b *HeaderBuilder) Append(more *HeaderBuilder) {
	for _, r := range more.Refs {
		b.Refs = append(b.Refs, PendingRef{len(b.Buf) + r.At, r.Target})
	}
	b.Buf = append(b.Buf, more.Buf...)
	b.count += more.count
}

// MessageHead is the number of bytes before the data of a message, HeadHead the number before the first message.
const (
	HeadHead    = 16
	MessageHead = 8
)

// Add adds a message. constant says that the message never changes.
func (b *HeaderBuilder) Add(kind int, data []byte, constant bool) {
	size := int(storage.AlignedSize(int64(len(data))))
	flags := byte(0)
	if constant {
		flags = 1
	}
	b.Buf = binary.LittleEndian.AppendUint16(b.Buf, uint16(kind))
	b.Buf = binary.LittleEndian.AppendUint16(b.Buf, uint16(size))
	b.Buf = append(b.Buf, flags, 0, 0, 0)
	b.Buf = append(b.Buf, data...)
	b.Buf = append(b.Buf, make([]byte, size-len(data))...)
	b.count++
}

// Header returns the whole header, of an object to which hard links lead.
func (b *HeaderBuilder) Header(links int) ([]byte, error) {
	if b.count > math.MaxUint16 || int64(len(b.Buf)) > math.MaxUint32 {
		return nil, diag.Errorf("hdf5", "%d attributes and links of %d bytes, and an object of HDF5 has at most %d", b.count, len(b.Buf), math.MaxUint16)
	}
	head := []byte{1, 0}
	head = binary.LittleEndian.AppendUint16(head, uint16(b.count))
	head = binary.LittleEndian.AppendUint32(head, uint32(links)) // HDF5 deletes an object after the last
	head = binary.LittleEndian.AppendUint32(head, uint32(len(b.Buf)))
	return append(append(head, 0, 0, 0, 0), b.Buf...), nil
}

// Attribute adds the message of an attribute: version 1, or version 3 for a name that is not ASCII.
func (b *HeaderBuilder) Attribute(name string, datatype, space, data []byte, refs []PendingRef) {
	plain := IsASCII(name)
	m := []byte{1, 0}
	if !plain {
		m[0] = 3
	}
	for _, n := range []int{len(name) + 1, len(datatype), len(space)} {
		m = binary.LittleEndian.AppendUint16(m, uint16(n))
	}
	if !plain {
		m = append(m, 1) // UTF-8
	}
	for _, part := range [][]byte{append([]byte(name), 0), datatype, space} {
		m = append(m, part...)
		if plain {
			m = append(m, make([]byte, storage.AlignedSize(int64(len(part)))-int64(len(part)))...)
		}
	}
	at := len(b.Buf) + MessageHead + len(m)
	for _, r := range refs {
		b.Refs = append(b.Refs, PendingRef{at + r.At, r.Target})
	}
	b.Add(AttributeMessage, append(m, data...), false)
}
