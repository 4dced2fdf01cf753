package hdf5

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The types of the messages of object headers.
const (
	dataspaceMessage   = 0x01
	linkInfoMessage    = 0x02
	datatypeMessage    = 0x03
	fillMessage        = 0x05
	linkMessage        = 0x06
	layoutMessage      = 0x08
	groupInfoMessage   = 0x0a
	pipelineMessage    = 0x0b
	attributeMessage   = 0x0c
	symbolTableMessage = 0x11
)

// rankLimit is the largest number of dimensions in HDF5, H5S_MAX_RANK.
const rankLimit = 32

// A headerBuilder collects the messages of an object header of version 1, in one block.
type headerBuilder struct {
	buf   []byte
	count int
	refs  []pendingRef // places in buf
}

// append adds the messages of another header.
func (b *headerBuilder) append(more *headerBuilder) {
	for _, r := range more.refs {
		b.refs = append(b.refs, pendingRef{len(b.buf) + r.at, r.target})
	}
	b.buf = append(b.buf, more.buf...)
	b.count += more.count
}

// messageHead is the number of bytes before the data of a message, headHead the number before the first message.
const (
	headHead    = 16
	messageHead = 8
)

// add adds a message. constant says that the message never changes.
func (b *headerBuilder) add(kind int, data []byte, constant bool) {
	size := int(alignedSize(int64(len(data))))
	flags := byte(0)
	if constant {
		flags = 1
	}
	b.buf = binary.LittleEndian.AppendUint16(b.buf, uint16(kind))
	b.buf = binary.LittleEndian.AppendUint16(b.buf, uint16(size))
	b.buf = append(b.buf, flags, 0, 0, 0)
	b.buf = append(b.buf, data...)
	b.buf = append(b.buf, make([]byte, size-len(data))...)
	b.count++
}

// header returns the whole header, of an object to which hard links lead.
func (b *headerBuilder) header(links int) ([]byte, error) {
	if b.count > math.MaxUint16 || int64(len(b.buf)) > math.MaxUint32 {
		return nil, fmt.Errorf("hdf5: %d attributes and links of %d bytes, and an object of HDF5 has at most %d", b.count, len(b.buf), math.MaxUint16)
	}
	head := []byte{1, 0}
	head = binary.LittleEndian.AppendUint16(head, uint16(b.count))
	head = binary.LittleEndian.AppendUint32(head, uint32(links)) // HDF5 deletes an object after the last
	head = binary.LittleEndian.AppendUint32(head, uint32(len(b.buf)))
	return append(append(head, 0, 0, 0, 0), b.buf...), nil
}

// dataspace returns the data of a dataspace message. limits are the largest dimensions, nil for those of shape.
func dataspace(shape []int, limits []uint64) []byte {
	flags := byte(0)
	if limits != nil {
		flags = 1
	}
	b := []byte{1, byte(len(shape)), flags, 0, 0, 0, 0, 0}
	for _, n := range shape {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	for _, n := range limits {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// nullDataspace returns the data of a dataspace message that says that there are no elements and no shape.
func nullDataspace() []byte { return []byte{2, 0, 0, 2} }

// fillValue returns the data of a fill value message, for chunks that are allocated one by one or for data that is allocated
// when it is written. nil stands for zeros.
func fillValue(chunked bool, value []byte) []byte {
	b := []byte{2, 2, 2, 1}
	if chunked {
		b[1] = 3
	}
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(value))), value...)
}

// contiguousLayout returns the data of a layout message.
func contiguousLayout(addr, size uint64) []byte {
	b := []byte{3, 1}
	b = binary.LittleEndian.AppendUint64(b, addr)
	return binary.LittleEndian.AppendUint64(b, size)
}

// layoutIndex is the offset of the address of the chunk index in the data of a layout message.
const layoutIndex = 3

// chunkedLayout returns the data of a layout message.
func chunkedLayout(index uint64, chunk []int, itemSize int) []byte {
	b := []byte{3, 2, byte(len(chunk) + 1)}
	b = binary.LittleEndian.AppendUint64(b, index)
	for _, n := range chunk {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return binary.LittleEndian.AppendUint32(b, uint32(itemSize))
}
