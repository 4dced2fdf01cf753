//go:build unix

package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/npygo/npy/internal/filelock"
)

// hold locks f until the result is closed. f itself may be closed and renamed earlier.
func hold(_ folder, _ string, f *os.File) (io.Closer, error) {
	if err := filelock.TryLock(f); err != nil {
		return nil, err
	}
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("fcntl", err)
	}
	return handle(fd), nil
}

// A handle is a file descriptor that keeps a file open.
type handle int

func (h handle) Close() error { return unix.Close(int(h)) }

// openLeft opens a file to lock it. It does not follow links, and does not block on a pipe or device.
func openLeft(in folder, temp string) (*os.File, error) {
	const flag = unix.O_NOFOLLOW | unix.O_NONBLOCK
	f, err := in.OpenFile(temp, os.O_RDWR|flag, 0)
	if errors.Is(err, fs.ErrPermission) {
		f, err = in.OpenFile(temp, os.O_RDONLY|flag, 0)
	}
	return f, err
}
