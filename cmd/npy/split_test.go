package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// Parts equal the parts of np.array_split, byte for byte, along each axis and in both orders.
func TestSplitLive(t *testing.T) {
	dir := t.TempDir()
	oracle.NumPy(t, `
import os
os.chdir(sys.argv[1])
a = np.arange(7*5, dtype='<i4').reshape(7, 5)
for order, x in ('C', a), ('F', np.asfortranarray(a)):
    np.save(order, x)
    for axis in 0, 1:
        for name, cut in ('parts-3', 3), ('parts-9', 9), ('rows-2', range(2, x.shape[axis], 2)), ('at-3,1,-1,9', [3, 1, -1, 9]):
            os.makedirs(f'{order}{axis}-{name}')
            for i, part in enumerate(np.array_split(x, cut, axis)):
                np.save(f'{order}{axis}-{name}/want-{i}', part)
`, nil, dir)
	for _, order := range []string{"C", "F"} {
		for axis := range 2 {
			for name, flag := range map[string]string{"parts-3": "--parts=3", "parts-9": "--parts=9", "rows-2": "--rows=2", "at-3,1,-1,9": "--at=3,1,-1,9"} {
				folder := filepath.Join(dir, fmt.Sprintf("%s%d-%s", order, axis, name))
				args := []string{"split", "-q", flag, fmt.Sprintf("--axis=%d", axis), filepath.Join(dir, order+".npy"), filepath.Join(folder, "got-%d.npy")}
				var stderr bytes.Buffer
				if code := run(args, nil, io.Discard, &stderr); code != 0 {
					t.Fatalf("%v: exit %d: %s", args, code, &stderr)
				}
				want, err := filepath.Glob(filepath.Join(folder, "want-*"))
				if err != nil {
					t.Fatal(err)
				}
				got, _ := filepath.Glob(filepath.Join(folder, "got-*"))
				if len(got) != len(want) {
					t.Errorf("%s: %d parts, want %d", folder, len(got), len(want))
				}
				for i := range want {
					x, _ := os.ReadFile(filepath.Join(folder, fmt.Sprintf("got-%d.npy", i)))
					y, _ := os.ReadFile(filepath.Join(folder, fmt.Sprintf("want-%d.npy", i)))
					if !bytes.Equal(x, y) {
						t.Errorf("%s: part %d has other bytes than NumPy's", folder, i)
					}
				}
			}
		}
	}
}

// Small pieces are cut from windows, and are the same as pieces that are selected from the array.
func TestSplitWindows(t *testing.T) {
	const rows, size = 9, 4 << 20 // a window has four rows
	a, err := npy.New(dtype.Uint8, rows, size)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := a.ViewBytes()
	for i := range data {
		data[i] = byte(i / size * i)
	}
	from := window{of: a}
	for _, span := range [][2]int{{0, 1}, {1, 3}, {3, 5}, {5, 5}, {4, 5}, {5, 9}, {8, 9}, {0, 9}} {
		p := piece{axis: 0, span: span, shape: []int{span[1] - span[0], size}}
		part, err := from.part(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := part.ReadAll(t.Context())
		if err != nil || !slices.Equal(got.Shape(), p.shape) || !bytes.Equal(got.Bytes(), data[span[0]*size:span[1]*size]) {
			t.Errorf("rows %v: shape %v, error %v, or other elements", span, got.Shape(), err)
		}
	}
}
