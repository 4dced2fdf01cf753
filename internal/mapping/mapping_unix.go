//go:build unix

package mapping

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/npygo/npy/internal/bulk"
)

// granularity is the unit of a mapping's offset in a file.
func granularity() int64 { return int64(os.Getpagesize()) }

func mapPages(f *os.File, offset int64, size int, access Access) ([]byte, error) {
	prot, flags := unix.PROT_READ, unix.MAP_SHARED
	switch access {
	case ReadWrite:
		prot |= unix.PROT_WRITE
	case CopyOnWrite:
		prot, flags = prot|unix.PROT_WRITE, unix.MAP_PRIVATE
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	var pages []byte
	var failed error
	err = raw.Control(func(fd uintptr) {
		pages, failed = unix.Mmap(int(fd), offset, size, prot, flags)
	})
	if err != nil { // the error of package os is not os.ErrClosed here
		return nil, fmt.Errorf("%w: %w", os.ErrClosed, err)
	}
	return pages, failed
}

// flushSyncs says that the bytes are on disk when flushPages returns.
const flushSyncs = true

func flushPages(pages []byte) error { return unix.Msync(pages, unix.MS_SYNC) }

// vacatePages unmaps the pages and reserves their addresses if it can.
func vacatePages(pages []byte) (kept bool, err error) {
	if bulk.Vacate(pages) == nil {
		return true, nil
	}
	return false, unix.Munmap(pages)
}

func freePages(pages []byte) error { return unix.Munmap(pages) }

func advisePages(pages []byte, a Advice) {
	advice := [...]int{unix.MADV_NORMAL, unix.MADV_SEQUENTIAL, unix.MADV_RANDOM, unix.MADV_WILLNEED, hugePages}[a]
	_ = unix.Madvise(pages, advice)
}
