//go:build unix

package npyio

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/parts"
)

// Parts of manifests are regular files of their folder, and other files are regular ones, too: nothing waits for a pipe.
func TestOpenUnusualFiles(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside.npy")
	m := parts.Manifest{DType: dtype.Float64, Shape: []int{1}, Parts: []parts.Part{{Path: "0.npy", Rows: 1}}}
	manifest, part := filepath.Join(dir, "m.npy.json"), filepath.Join(dir, "0.npy")
	for _, err := range []error{m.WriteFile(manifest), npy.Save(outside, []float64{7})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for want, create := range map[string]func() error{
		"it is a pipe":                   func() error { return syscall.Mkfifo(part, 0o666) },
		"a link leads out of the folder": func() error { return os.Symlink(outside, part) },
		"":                               func() error { return npy.Save(part, []float64{7}) },
	} {
		if err := create(); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), manifest)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `part "0.npy"`)) {
			t.Errorf("error %v, want %q", err, want)
		}
		if want == "it is a pipe" {
			if _, err := Open(t.Context(), part); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
				t.Errorf("a pipe: error %v", err)
			}
		}
		if err := os.Remove(part); err != nil {
			t.Fatal(err)
		}
	}
}
