package structure

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/npygo/npy/hdf5/internal/storage"
)

// Fill reads the fill value of a dataset, nil for zeros.
func (h *Header) Fill(size int) ([]byte, error) {
	m, ok := h.Find(FillMessage)
	if !ok {
		if m, ok = h.Find(oldFillMessage); !ok {
			return nil, nil
		}
		c := h.Cursor(m, "fill value message")
		return readFill(&c, size), c.Err
	}
	c := h.Cursor(m, "fill value message")
	defined := false
	if version := c.Version(1, 3); version < 3 {
		c.Skip(2)
		defined = c.U8() != 0 || version == 1
	} else {
		defined = c.U8()&0x20 != 0
	}
	if !defined || c.Err != nil {
		return nil, c.Err
	}
	return readFill(&c, size), c.Err
}

// readFill takes a fill value of an element's size, or nil for one of zeros or of another size. A size of -1 means no fill
// value, even if the message has a flag for one.
func readFill(c *storage.Cursor, size int) []byte {
	n := c.U32()
	if n == math.MaxUint32 {
		return nil
	}
	b := c.Bytes(int(n))
	if len(b) != size || !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) {
		return nil
	}
	return slices.Clone(b)
}

// FillValue returns the data of a fill value message, for chunks that are allocated one by one or for data that is allocated
// when it is written. nil stands for zeros.
func FillValue(chunked bool, value []byte) []byte {
	b := []byte{2, 2, 2, 1}
	if chunked {
		b[1] = 3
	}
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(value))), value...)
}
