package atomicfile

import "golang.org/x/sys/unix"

// reserveMin is the size from which reserving pays.
const reserveMin = 1 << 20

// Reserve tells the file system that n bytes will be written, which makes writing them faster and a full disk known
// beforehand: its error is the one that the write would have met. File systems that cannot reserve are no error.
func (f *File) Reserve(n int64) error {
	if n < reserveMin || f.path == "" {
		return nil
	}
	err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, n)
	if err == unix.ENOSPC && awaitFreed() {
		err = unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, n)
	}
	if err == unix.ENOSPC || err == unix.EFBIG || err == unix.EDQUOT {
		return err
	}
	return nil
}
