//go:build unix && !purego

package bulk

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Vacate releases the mapped memory at pages and keeps the addresses reserved: a later access is a fault.
func Vacate(pages []byte) error {
	// MAP_FIXED replaces exactly the pages of a mapping that the caller owns. They are not in the Go heap.
	at, size := unsafe.Pointer(unsafe.SliceData(pages)), uintptr(len(pages))
	_, err := unix.MmapPtr(-1, 0, at, size, unix.PROT_NONE, unix.MAP_FIXED|unix.MAP_PRIVATE|unix.MAP_ANON)
	return err
}
