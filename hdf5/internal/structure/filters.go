package structure

import (
	"encoding/binary"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/chunkfilter"
)

// ReadFilters reads a filter pipeline message.
func ReadFilters(c *storage.Cursor) ([]chunkfilter.Filter, error) {
	version, n := c.Version(1, 2), c.U8()
	if version == 1 {
		c.Skip(6)
	}
	var filters []chunkfilter.Filter
	for range n {
		x := chunkfilter.Filter{ID: uint16(c.U16())}
		length := 0
		if version == 1 || x.ID >= 256 {
			length = c.U16()
		}
		x.Flags = uint16(c.U16())
		count := c.U16()
		x.Name = c.Text(length)
		for range count {
			if c.Err != nil {
				return nil, c.Err
			}
			x.Values = append(x.Values, c.U32())
		}
		if version == 1 && count%2 == 1 {
			c.Skip(min(4, c.Left()))
		}
		filters = append(filters, x)
	}
	return filters, c.Err
}

// FilterMessage returns the data of a filter pipeline message. The level that stands for a choice becomes zlib's
// default.
func FilterMessage(filters []chunkfilter.Filter) []byte {
	b := []byte{1, byte(len(filters)), 0, 0, 0, 0, 0, 0}
	names := map[uint16]string{chunkfilter.Shuffle: "shuffle", chunkfilter.Deflate: "deflate", chunkfilter.Zstd: "zstd", chunkfilter.Fletcher32: "fletcher32"}
	for _, f := range filters {
		name := PaddedName(names[f.ID])
		for _, x := range []int{int(f.ID), len(name), int(f.Flags), len(f.Values)} {
			b = binary.LittleEndian.AppendUint16(b, uint16(x))
		}
		b = append(b, name...)
		for _, v := range f.Values {
			if f.ID == chunkfilter.Deflate && v == 0 {
				v = 6
			}
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		if len(f.Values)%2 == 1 {
			b = append(b, 0, 0, 0, 0)
		}
	}
	return b
}
