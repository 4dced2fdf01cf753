package main

import "testing"

// Files that the shell has opened are not replaced. Others are, wherever they are.
func TestIsOpen(t *testing.T) {
	for path, want := range map[string]bool{
		"/dev/stdout": true, "/dev/stderr": true, "/dev/fd/7": true, "/proc/self/fd/1": true,
		"/dev/shm/a.npy": false, "/dev/stdout.npy": false, "/proc/1/fd/1": false, "stdout": false, "a.npy": false,
	} {
		if got := isOpen(path); got != want {
			t.Errorf("isOpen(%q) is %v", path, got)
		}
	}
}
