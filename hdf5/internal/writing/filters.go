package writing

import "github.com/npygo/npy/internal/chunkfilter"

// filters returns the filters for elements of a size.
func (e Settings) filters(itemSize int, checksum bool) []chunkfilter.Filter {
	filters := e.compression(itemSize)
	if checksum {
		filters = append(filters, chunkfilter.Filter{ID: chunkfilter.Fletcher32})
	}
	return filters
}

func (e Settings) compression(itemSize int) []chunkfilter.Filter {
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
