//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// keepMode gives f the permissions of the file that it replaces. If it cannot have the same group, it gives its own no more
// than all others have.
func keepMode(f *os.File, old fs.FileInfo) {
	mode := old.Mode().Perm()
	if other := modeWithout(mode); other != mode && !keepGroup(f, old) {
		mode = other
	}
	_ = f.Chmod(mode)
}

// modeWithout returns permissions of which a group has only those that all others have.
func modeWithout(mode fs.FileMode) fs.FileMode { return mode & (mode<<3 | ^fs.FileMode(0o070)) }

// keepGroup reports whether f has the group of another file, which it gives it if it may.
func keepGroup(f *os.File, old fs.FileInfo) bool {
	want, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	has, ok := info.Sys().(*syscall.Stat_t)
	return ok && has.Gid == want.Gid || f.Chown(-1, int(want.Gid)) == nil
}
