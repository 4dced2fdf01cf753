package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// sparseFile makes a file of 100 GB that takes no space on disk, or skips the test.
func sparseFile(t *testing.T, h format.Header) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sparse.npy")
	head, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, head, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(len(head))+h.NBytes()); err != nil {
		t.Skip(err) // no sparse files on this system
	}
	return path
}

// fullFile makes a file of zeros that takes little space on disk, with holes that are too small to be counted in place of being
// read.
func fullFile(t *testing.T, h format.Header) string {
	t.Helper()
	path := sparseFile(t, h)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for at := h.NBytes(); at > 4096; at -= 512 << 10 {
		if _, err := f.WriteAt([]byte{0}, at); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// Parts and edges of a file of any size are shown at once and in little memory.
func TestShowSparse(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("more than this machine can address")
	}
	elements := int64(100 << 30 / 8)
	for _, fortran := range []bool{false, true} {
		path := sparseFile(t, format.Header{DType: dtype.Float64, Shape: []int{int(elements / 2), 2}, FortranOrder: fortran})
		for _, x := range []struct{ command, arg, want string }{
			{"show", path + "[5000000000:5000000003, 0]", "[0. 0. 0.]\n"},
			{"show", path, "[[0. 0.]\n [0. 0.]\n [0. 0.]\n ...\n [0. 0.]\n [0. 0.]\n [0. 0.]]\n"},
			{"show", path + "[::-1, 1]", "[0. 0. 0. ... 0. 0. 0.]\n"},
			{"stats", path + "[-3:, 0]", "zeros   3"},
			{"info", path, "107 GB"},
		} {
			var before, after runtime.MemStats
			var out, talk bytes.Buffer
			runtime.ReadMemStats(&before)
			code := run([]string{x.command, x.arg}, nil, &out, &talk)
			runtime.ReadMemStats(&after)
			if code != exitDone || !strings.Contains(out.String(), x.want) {
				t.Errorf("%s %s: exit code %d, %s%s", x.command, x.arg, code, &out, &talk)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
				t.Errorf("%s %s: %d bytes allocated", x.command, x.arg, n)
			}
		}
	}
}
