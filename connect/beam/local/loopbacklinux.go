//go:build linux

package local

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// onlyLoopback makes the socket that listens at a port of all interfaces take connections of the loopback interface alone.
// Prism has no option for the address. The listener is not accessible either, but its descriptor belongs to this process.
func onlyLoopback(port int) error {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil || !listens(fd, port) {
			continue
		}
		return os.NewSyscallError("setsockopt", unix.BindToDevice(fd, "lo"))
	}
	return fmt.Errorf("no socket listens at port %d", port)
}

// listens reports whether a descriptor is a socket that listens at a port.
func listens(fd, port int) bool {
	listening, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ACCEPTCONN)
	if err != nil || listening == 0 {
		return false
	}
	switch at, _ := unix.Getsockname(fd); at := at.(type) {
	case *unix.SockaddrInet6:
		return at.Port == port
	case *unix.SockaddrInet4:
		return at.Port == port
	}
	return false
}
