package holes

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// mostlyStored is the part of a file on disk from which holes are not worth a look: reading it all costs at most four times what
// reading the stored part does.
const mostlyStored = 4

// stored returns the parts of a file from low up to high that are on disk.
func stored(f *os.File, low, high int64) ([]Range, bool) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	const sector = 512 // the unit of st_blocks
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || s.Blocks*sector >= (high-low)/mostlyStored {
		return nil, false
	}
	again, err := reopened(f)
	if err != nil {
		return nil, false
	}
	defer again.Close()
	data, err := extents(again, low, high)
	return data, err == nil
}

// reopened opens a file once more, because looking for holes moves the position, which other users of f share.
func reopened(f *os.File) (again *os.File, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	e := conn.Control(func(fd uintptr) { again, err = os.Open(fmt.Sprintf("/proc/self/fd/%d", fd)) })
	return again, cmp.Or(e, err)
}

// extents returns the parts that are on disk. Parts with small holes between them are one.
func extents(f *os.File, low, high int64) (data []Range, err error) {
	for at := low; at < high; {
		start, err := f.Seek(at, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) { // nothing but a hole follows
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if start >= high {
			return data, nil
		}
		end, err := f.Seek(start, unix.SEEK_HOLE)
		if err != nil {
			return nil, err
		}
		start, end = max(start, low), min(end, high)
		if k := len(data) - 1; k >= 0 && start-data[k].End < least {
			data[k].End = end
		} else {
			data = append(data, Range{start, end})
		}
		at = end
	}
	return data, nil
}
