//go:build linux

package local

import (
	"net"
	"os"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// A socket that listens on all interfaces takes connections of the loopback interface alone afterwards.
func TestOnlyLoopback(t *testing.T) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	if err := onlyLoopback(port); err != nil {
		t.Fatal(err)
	}
	if got := deviceOf(t, port); got != "lo" {
		t.Errorf("the socket is bound to %q, want lo", got)
	}
	c, err := net.Dial("tcp", net.JoinHostPort("localhost", strconv.Itoa(port)))
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if err := onlyLoopback(0); err == nil {
		t.Error("no error for a port without a socket")
	}
}

// Embedded Prism is such a socket.
func TestPrismOnLoopback(t *testing.T) {
	endpoint, err := start()
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := net.SplitHostPort(endpoint)
	port, _ := strconv.Atoi(text)
	if got := deviceOf(t, port); got != "lo" {
		t.Errorf("Prism is bound to %q, want lo", got)
	}
}

// deviceOf returns the interface that the socket at a port is bound to.
func deviceOf(t *testing.T, port int) string {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && listens(fd, port) {
			device, err := unix.GetsockoptString(fd, unix.SOL_SOCKET, unix.SO_BINDTODEVICE)
			if err != nil {
				t.Fatal(err)
			}
			return device
		}
	}
	t.Fatalf("no socket listens at port %d", port)
	return ""
}
