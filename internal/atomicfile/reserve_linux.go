package atomicfile

import (
	"cmp"

	"golang.org/x/sys/unix"
)

// reserveMin is the size from which reserving space pays.
const reserveMin = 1 << 20

// Reserve tells the file system that n bytes will be written. Writing is then faster, and a full disk is reported
// before the write, with the same error. If the file system cannot reserve space, Reserve does nothing.
func (f *File) Reserve(n int64) error {
	if n < reserveMin || f.path == "" {
		return nil
	}
	err := f.allocate(n)
	if err == unix.ENOSPC { // it may be free by now, even if there is nothing to wait for any more
		awaitFreed()
		err = f.allocate(n)
	}
	if err == unix.ENOSPC || err == unix.EFBIG || err == unix.EDQUOT {
		return err
	}
	return nil
}

// allocate reserves space while it keeps the file open: AbortAll may close it at any time.
func (f *File) allocate(n int64) (err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	e := conn.Control(func(fd uintptr) { err = unix.Fallocate(int(fd), unix.FALLOC_FL_KEEP_SIZE, 0, n) })
	return cmp.Or(e, err)
}
