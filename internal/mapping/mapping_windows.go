//go:build windows && !purego

package mapping

import (
	"os"

	"golang.org/x/sys/windows"

	"github.com/npygo/npy/internal/bulk"
)

// granularity is the unit of a mapping's offset in a file: dwAllocationGranularity, which is the same on every Windows.
func granularity() int64 { return 64 << 10 }

func mapPages(f *os.File, offset int64, size int, access Access) ([]byte, error) {
	protect, desired := uint32(windows.PAGE_READONLY), uint32(windows.FILE_MAP_READ)
	switch access {
	case ReadWrite:
		protect, desired = windows.PAGE_READWRITE, windows.FILE_MAP_READ|windows.FILE_MAP_WRITE
	case CopyOnWrite:
		protect, desired = windows.PAGE_WRITECOPY, windows.FILE_MAP_COPY
	}
	section, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, protect, 0, 0, nil)
	if err != nil {
		return nil, err
	}
	defer windows.CloseHandle(section) // the view keeps the section open
	address, err := windows.MapViewOfFile(section, desired, uint32(offset>>32), uint32(offset), uintptr(size))
	if err != nil {
		return nil, err
	}
	return bulk.Mapped(address, size), nil
}

// flushSyncs says that the bytes are not on disk when flushPages returns: FlushViewOfFile passes them to the file
// system.
const flushSyncs = false

func flushPages(pages []byte) error {
	return windows.FlushViewOfFile(bulk.MappedAt(pages), uintptr(len(pages)))
}

// advisePages does nothing: Windows has no such hints for views of files.
func advisePages([]byte, Advice) {}

// vacatePages unmaps the view and reserves its addresses, unless another thread takes them in between.
func vacatePages(pages []byte) (kept bool, err error) {
	address := bulk.MappedAt(pages)
	if err := windows.UnmapViewOfFile(address); err != nil {
		return false, err
	}
	at, err := windows.VirtualAlloc(address, uintptr(len(pages)), windows.MEM_RESERVE, windows.PAGE_NOACCESS)
	return err == nil && at == address, nil
}

func freePages(pages []byte) error {
	return windows.VirtualFree(bulk.MappedAt(pages), 0, windows.MEM_RELEASE)
}
