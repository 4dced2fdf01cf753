//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// keepMode gives f the permissions of the file that it replaces. If f cannot have the same group, its group gets only
// the permissions that everyone has.
func keepMode(f *os.File, old fs.FileInfo) {
	mode := old.Mode().Perm()
	if other := modeWithout(mode); other != mode && !keepGroup(f, old) {
		mode = other
	}
	_ = f.Chmod(mode)
}

// modeWithout returns mode with the permissions of the group reduced to everyone's.
func modeWithout(mode fs.FileMode) fs.FileMode { return mode & (mode<<3 | ^fs.FileMode(0o070)) }

// keepGroup sets the group of f to the group of the old file, and reports whether it has that group.
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
