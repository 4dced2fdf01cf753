package hdf5

import (
	"encoding/binary"

	"github.com/npygo/npy/internal/chunkfilter"
)

// filters returns the filters for elements of a size.
func (e Encoder) filters(itemSize int, checksum bool) []chunkfilter.Filter {
	filters := e.compression(itemSize)
	if checksum {
		filters = append(filters, chunkfilter.Filter{ID: chunkfilter.Fletcher32})
	}
	return filters
}

func (e Encoder) compression(itemSize int) []chunkfilter.Filter {
	if e.Store {
		return nil
	}
	var filters []chunkfilter.Filter
	if itemSize > 1 {
		filters = append(filters, chunkfilter.Filter{ID: chunkfilter.Shuffle, Flags: 1, Values: []uint32{uint32(itemSize)}})
	}
	if e.Zstd {
		level := e.Level
		if level == 0 {
			level = 3
		}
		return append(filters, chunkfilter.Filter{ID: chunkfilter.Zstd, Flags: 1, Values: []uint32{uint32(level)}})
	}
	return append(filters, chunkfilter.Filter{ID: chunkfilter.Deflate, Flags: 1, Values: []uint32{uint32(e.Level)}})
}

// pipelineMessageData returns the data of a filter pipeline message. The level that stands for a choice becomes zlib's
// default.
func pipelineMessageData(filters []chunkfilter.Filter) []byte {
	b := []byte{1, byte(len(filters)), 0, 0, 0, 0, 0, 0}
	names := map[uint16]string{chunkfilter.Shuffle: "shuffle", chunkfilter.Deflate: "deflate", chunkfilter.Zstd: "zstd", chunkfilter.Fletcher32: "fletcher32"}
	for _, f := range filters {
		name := paddedName(names[f.ID])
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
