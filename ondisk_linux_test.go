package npy_test

import (
	"os"
	"syscall"
)

// onDisk returns the bytes that a file takes on disk.
func onDisk(path string) (int64, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return s.Blocks * 512, ok
}
