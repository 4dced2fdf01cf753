package mapping

import "sync"

// Addresses of closed mappings stay reserved, without access, so that no other memory is mapped where a program may
// still hold a slice. When the bounds are exceeded, the mapping closed first is given back first.
const (
	retiredBytes  = 256 << 20 << (16 * (^uint(0) >> 63)) // 256 MiB of 4 GiB of addresses, or 16 TiB of 128
	retiredRanges = 4096                                 // the kernel keeps a record of each
)

var retired struct {
	sync.Mutex
	ranges [][]byte // oldest first
	bytes  int
}

// retire releases the memory of pages and keeps their addresses reserved.
func retire(pages []byte) error {
	if kept, err := vacatePages(pages); !kept {
		return err
	}
	retired.Lock()
	defer retired.Unlock()
	retired.ranges = append(retired.ranges, pages)
	retired.bytes += len(pages)
	for retired.bytes > retiredBytes || len(retired.ranges) > retiredRanges {
		oldest := retired.ranges[0]
		retired.ranges, retired.bytes = retired.ranges[1:], retired.bytes-len(oldest)
		if err := freePages(oldest); err != nil {
			return err
		}
	}
	return nil
}
