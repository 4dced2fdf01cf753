package mmap_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/mmap"
)

// A mapping lives longer than the file it was made of, and leaves the position of the file as it was.
func TestOpenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.Save(path, []int32{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mmap.Options{}.OpenFile(f)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if at, err := f.Seek(0, io.SeekCurrent); at != 0 || err != nil {
		t.Errorf("the position is %d after OpenFile, want 0 (%v)", at, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	err = m.Do(func(a *npy.Array) error {
		if got := a.String(); got != "[1 2 3]" {
			t.Errorf("the mapping holds %s", got)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
