//go:build unix

package atomicfile

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// openDescriptor returns a copy of the open file of this process that a path names, as /dev/stdout and /dev/fd/3 do. It returns nil
// for every other path.
func openDescriptor(path string) (*os.File, error) {
	n, ok := descriptor(path)
	if !ok {
		return nil, nil
	}
	fd, err := unix.FcntlInt(uintptr(n), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(fd), path), nil
}

// descriptor returns the number of the open file of this process that a path names.
func descriptor(path string) (int, bool) {
	path = filepath.Clean(path)
	switch path {
	case "/dev/stdout":
		return 1, true
	case "/dev/stderr":
		return 2, true
	}
	dir, name := filepath.Split(path)
	own := dir == "/dev/fd/" || dir == "/proc/self/fd/" || dir == "/proc/thread-self/fd/" || dir == "/proc/"+strconv.Itoa(os.Getpid())+"/fd/"
	n, err := strconv.Atoi(name)
	return n, own && err == nil && n >= 0 && !strings.HasPrefix(name, "+")
}
