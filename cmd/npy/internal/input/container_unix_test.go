//go:build unix

package input

import (
	"bytes"
	"os"
	"testing"

	"github.com/npygo/npy/npz"
)

// An archive from standard input is kept in a file without a name, so that a killed process leaves nothing.
func TestSpooledArchiveHasNoName(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var archive bytes.Buffer
	w, err := npz.NewWriter(&archive)
	if err != nil {
		t.Fatal(err)
	}
	if err := npz.Add(w, "a", []int32{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	o := Opener{Stdin: &Stdin{Reader: &archive}, Temporary: func(func()) func() { return func() {} }}
	z, err := o.OpenArchive("-")
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the folder for temporary files has %v, error %v", entries, err)
	}
	if data, _, err := npz.Load[int32](z.NPZ(), "a"); err != nil || len(data) != 3 {
		t.Errorf("the archive holds %v, error %v", data, err)
	}
}
