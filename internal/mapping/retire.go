package mapping

import "sync"

// Addresses of closed mappings are kept, without access, so that no other memory comes to lie where a program still
// holds a slice: within these bounds, beyond which those closed first are given back.
const (
	retiredBytes  = 256 << 20 << (16 * (^uint(0) >> 63)) // 256 MiB of 4 GiB of addresses, or 16 TiB of 128
	retiredRanges = 4096                                 // the system has an account of each
)

var retired struct {
	sync.Mutex
	ranges [][]byte // oldest first
	bytes  int
}

// retire gives the memory of pages back and keeps their addresses.
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
