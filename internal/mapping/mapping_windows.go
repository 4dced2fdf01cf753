//go:build windows && !purego

package mapping

import (
	"os"

	"golang.org/x/sys/windows"

	"github.com/npygo/npy/internal/bulk"
)

// granularity is what the place of a mapping in a file has to be a multiple of: dwAllocationGranularity, which is the
// same on every Windows there is.
func granularity() int64 { return 64 << 10 }

func mapPages(f *os.File, offset int64, size int) ([]byte, error) {
	section, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, err
	}
	defer windows.CloseHandle(section) // the view keeps it
	address, err := windows.MapViewOfFile(section, windows.FILE_MAP_READ, uint32(offset>>32), uint32(offset), uintptr(size))
	if err != nil {
		return nil, err
	}
	return bulk.Mapped(address, size), nil
}

func unmapPages(pages []byte) error { return windows.UnmapViewOfFile(bulk.MappedAt(pages)) }
