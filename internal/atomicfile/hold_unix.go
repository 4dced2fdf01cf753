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

// hold takes the lock of f until what it returns is closed: f may be closed and renamed before.
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

// A handle keeps a file open and nothing else.
type handle int

func (h handle) Close() error { return unix.Close(int(h)) }

// openLeft opens a file for its lock. It follows no link, and does not wait for what is no file by now.
func openLeft(in folder, temp string) (*os.File, error) {
	const flag = unix.O_NOFOLLOW | unix.O_NONBLOCK
	f, err := in.OpenFile(temp, os.O_RDWR|flag, 0)
	if errors.Is(err, fs.ErrPermission) {
		f, err = in.OpenFile(temp, os.O_RDONLY|flag, 0)
	}
	return f, err
}
