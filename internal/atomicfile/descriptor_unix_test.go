//go:build unix

package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A path of a file that is open already writes where the last write ended, and replaces nothing.
func TestDescriptor(t *testing.T) {
	for _, flag := range []int{os.O_APPEND, os.O_TRUNC, 0} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.txt")
		plain(t, path, "old,", 0o644)
		out, err := os.OpenFile(path, os.O_WRONLY|flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		name := fmt.Sprintf("/dev/fd/%d", out.Fd())
		if _, err := os.Stat(name); err != nil {
			t.Skip("no names of open files here:", err)
		}
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(name, link); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(out, "one,")
		write(t, name, "two,", true)
		fmt.Fprint(out, "three,")
		write(t, link, "four,", false)
		f, err := Create(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(f, "never")
		f.Abort()
		if f, err = Create(name); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(f, "five")
		if err := f.CommitNew(false); err != nil {
			t.Error(err)
		}
		want := "one,two,three,four,five"
		if flag == os.O_APPEND {
			want = "old," + want
		}
		wantText(t, path, want)
		wantNames(t, dir, "a.txt")
	}
}

// A file that was removed while it was open has no folder for a temporary file any more.
func TestDescriptorOfRemovedFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(dir, "a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	name := fmt.Sprintf("/dev/fd/%d", out.Fd())
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); err != nil {
		t.Skip("no names of open files here:", err)
	}
	write(t, name, "text", false)
	got := make([]byte, 10)
	if n, _ := out.ReadAt(got, 0); string(got[:n]) != "text" {
		t.Errorf("the file holds %q", got[:n])
	}
}

func TestDescriptorNames(t *testing.T) {
	for path, want := range map[string]int{
		"/dev/stdout": 1, "/dev/stderr": 2, "/dev//fd/7": 7, "/proc/self/fd/12": 12, fmt.Sprintf("/proc/%d/fd/3", os.Getpid()): 3,
		"/dev/fd/": -1, "/dev/fd/x": -1, "/dev/fd/-1": -1, "/dev/fd/+1": -1, "/proc/1/fd/3": -1, "stdout": -1, "/dev/fd/1/a.npy": -1, "": -1,
	} {
		n, ok := descriptor(path)
		if ok != (want >= 0) || ok && n != want {
			t.Errorf("descriptor(%q) = %d, %v", path, n, ok)
		}
	}
}
