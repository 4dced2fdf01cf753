package npy_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
)

var (
	transposes = [][]int{{2, 1, 0}, {0, 1, 2}, {1, 0, 2}, {-1, 0, 1}, {0, 2, 1}}
	reshapes   = [][]int{{-1}, {5, 6}, {2, 3, 5}, {2, 1, 3, 5}, {3, -1, 2}, {30, 1}, {6, 5, 1}}
)

// Axes and shapes equal NumPy's, byte for byte, from files in both orders.
func TestCopierAxesAndShapeLive(t *testing.T) {
	dir := t.TempDir()
	oracle.NumPy(t, fmt.Sprintf(`
import os
os.chdir(sys.argv[1])
a = np.arange(2*3*5, dtype='>i2').reshape(2, 3, 5)
for name, x in ('C', a), ('F', np.asfortranarray(a)):
    np.save(name, x)
    for i, axes in enumerate(%s):
        np.save(f'{name}-t{i}', x.transpose(axes))
        np.save(f'{name}-t{i}-s', x[:, 1:].transpose(axes).reshape(4, -1))
    for i, shape in enumerate(%s):
        np.save(f'{name}-r{i}', x.reshape(shape))
        np.save(f'{name}-r{i}-F', np.reshape(x, shape, order='F'))
np.save('line', np.arange(6.)), np.save('line-F', np.reshape(np.arange(6.), (2, 3), order='F'))
np.save('one', np.array([7])), np.save('one-0', np.array(7))
`, python(transposes), python(reshapes)), nil, dir)
	check := func(want, from string, c npy.Copier, index ...npy.Index) {
		t.Helper()
		f, err := npy.Open(filepath.Join(dir, from+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		file, err := os.ReadFile(filepath.Join(dir, want+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out.npy")
		if err := c.WriteFile(context.Background(), out, must(f.Select(index...))); err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if !bytes.Equal(must(os.ReadFile(out)), file) {
			t.Errorf("%s: other bytes than NumPy's", want)
		}
		var b bytes.Buffer
		if err := c.Write(context.Background(), &b, must(f.Select(index...))); err != nil || !bytes.Equal(b.Bytes(), file) {
			t.Errorf("%s: other bytes than NumPy's in sequence, %v", want, err)
		}
	}
	for _, name := range []string{"C", "F"} {
		for i, axes := range transposes {
			check(fmt.Sprintf("%s-t%d", name, i), name, npy.Copier{Axes: axes})
			check(fmt.Sprintf("%s-t%d-s", name, i), name, npy.Copier{Axes: axes, Shape: []int{4, -1}}, npy.All(), npy.SpanFrom(1))
		}
		for i, shape := range reshapes {
			check(fmt.Sprintf("%s-r%d", name, i), name, npy.Copier{Shape: shape})
			check(fmt.Sprintf("%s-r%d-F", name, i), name, npy.Copier{Shape: shape, Order: npy.FortranOrder})
		}
	}
	check("line-F", "line", npy.Copier{Shape: []int{2, 3}, Order: npy.FortranOrder})
	check("one-0", "one", npy.Copier{Shape: []int{}})
	check("one", "one-0", npy.Copier{Shape: []int{-1}})
}

// python writes lists as Python does.
func python(lists [][]int) string {
	text := "["
	for _, list := range lists {
		text += "("
		for _, n := range list {
			text += fmt.Sprint(n, ",")
		}
		text += "),"
	}
	return text + "]"
}

// An impossible copy is an error before anything is written.
func TestCopierAxesAndShapeRefused(t *testing.T) {
	f, err := npy.Open("testdata/numpy-2.3.5/order-f.npy")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := filepath.Join(t.TempDir(), "out.npy")
	for _, tt := range []struct {
		c    npy.Copier
		want string
	}{
		{npy.Copier{Axes: []int{0}}, "1 axes given to transpose an array of 2 dimensions"},
		{npy.Copier{Axes: []int{0, 0}}, "axis 0 is out of range or repeated"},
		{npy.Copier{Shape: []int{5, -1}}, "array of size 12 cannot be reshaped to (5, -1)"},
		{npy.Copier{Shape: []int{13}}, "array of size 12 cannot be reshaped to (13,)"},
		{npy.Copier{Shape: []int{1 << 30, 1 << 30}}, "shape"},
	} {
		err := tt.c.WriteFile(context.Background(), out, f)
		if err == nil || !bytes.Contains([]byte(err.Error()), []byte(tt.want)) {
			t.Errorf("%v %v: %v, want %q", tt.c.Axes, tt.c.Shape, err, tt.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v %v: there is a file", tt.c.Axes, tt.c.Shape)
		}
	}
	if err := (npy.Copier{Shape: []int{12}}).Concat(context.Background(), out, 0, f, f); err == nil {
		t.Error("Concat takes a Shape")
	}
}
