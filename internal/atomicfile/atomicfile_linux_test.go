package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestNamedPipe(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	got := make(chan string, 1)
	go func() {
		r, err := os.Open(path)
		if err != nil {
			got <- err.Error()
			return
		}
		defer r.Close()
		b, _ := io.ReadAll(r)
		got <- string(b)
	}()
	write(t, path, "through the pipe", true)
	if s := <-got; s != "through the pipe" {
		t.Errorf("the reader of the pipe got %q", s)
	}
	wantNames(t, dir, "pipe")
}

// TestDiskFull needs a file system that it may fill.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("cannot mount a small file system: %v", err)
	}
	defer unix.Unmount(dir, unix.MNT_DETACH)
	path := filepath.Join(dir, "a.npy")
	plain(t, path, "old", 0o644)
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Reserve(4 << 20); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("Reserve on a full disk: error %v, want %v", err, unix.ENOSPC)
	}
	if _, err := f.Write(make([]byte, 4<<20)); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("Write on a full disk: error %v, want %v", err, unix.ENOSPC)
	}
	f.Abort()
	wantText(t, path, "old")
	wantNames(t, dir, "a.npy")
}

// The space of a large replaced file is available to the next file, although it is freed in the background.
func TestReplaceLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=80m"); err != nil {
		t.Skipf("cannot mount a small file system: %v", err)
	}
	defer unix.Unmount(dir, unix.MNT_DETACH)
	path := filepath.Join(dir, "a.npy")
	data := make([]byte, 32<<20)
	for i := range 20 {
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Reserve(int64(len(data))); err != nil {
			t.Fatalf("file %d: %v", i, err)
		}
		data[0] = byte(i)
		if _, err := f.Write(data); err != nil {
			t.Fatalf("file %d: %v", i, err)
		}
		if err := f.Commit(false); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || len(got) != len(data) || got[0] != byte(i) {
			t.Fatalf("file %d: %d bytes, %v", i, len(got), err)
		}
	}
	wantNames(t, dir, "a.npy")
}
