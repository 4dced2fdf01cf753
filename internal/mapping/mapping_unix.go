//go:build unix

package mapping

import (
	"os"

	"golang.org/x/sys/unix"
)

// granularity is what the place of a mapping in a file has to be a multiple of.
func granularity() int64 { return int64(os.Getpagesize()) }

func mapPages(f *os.File, offset int64, size int) ([]byte, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	var pages []byte
	var failed error
	err = raw.Control(func(fd uintptr) {
		pages, failed = unix.Mmap(int(fd), offset, size, unix.PROT_READ, unix.MAP_SHARED)
	})
	if err != nil {
		return nil, err
	}
	return pages, failed
}

func unmapPages(pages []byte) error { return unix.Munmap(pages) }
