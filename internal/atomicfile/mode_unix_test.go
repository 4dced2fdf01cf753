//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Until Commit, a file that replaces another is readable only by its owner, whatever the umask. After Commit it has the
// permissions of the old file.
func TestPrivateUntilCommit(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	path := filepath.Join(t.TempDir(), "a.npy")
	for _, perm := range []fs.FileMode{0o600, 0o640, 0o644, 0o666, 0o700, 0o444} {
		plain(t, path, "old", perm)
		f := create(t, path)
		if info, err := os.Stat(f.temp); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("for a file of mode %v the new one has %v, error %v", perm, info.Mode(), err)
		}
		if err := f.Commit(false); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != perm {
			t.Errorf("a file of mode %v has become %v, error %v", perm, info.Mode(), err)
		}
	}
}

// The group of the old file keeps its permissions, and no other group gets them.
func TestGroup(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root")
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	plain(t, path, "old", 0o640)
	if err := os.Chown(path, 0, 4321); err != nil {
		t.Fatal(err)
	}
	write(t, path, "new", false)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if gid := info.Sys().(*syscall.Stat_t).Gid; gid != 4321 || info.Mode().Perm() != 0o640 {
		t.Errorf("a file of group 4321 and mode 0640 has become one of group %d and mode %v", gid, info.Mode())
	}
	for _, c := range []struct{ old, want fs.FileMode }{{0o640, 0o600}, {0o664, 0o644}, {0o660, 0o600}, {0o675, 0o655}} {
		if got := modeWithout(c.old); got != c.want {
			t.Errorf("mode %v without its group is %v, want %v", c.old, got, c.want)
		}
	}
}
