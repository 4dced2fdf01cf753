package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/record"
)

// counted returns n arrays of 2 by 3 numbers: 0, 1, 2 and so on.
func counted(n int) [][2][3]float32 {
	data := make([][2][3]float32, n)
	for i := range 6 * n {
		data[i/6][i/3%2][i%3] = float32(i)
	}
	return data
}

// The last axes of NumPy's arrays are Go arrays, in every byte order and memory order, and are saved with its bytes.
func TestArraysLive(t *testing.T) {
	dir := t.TempDir()
	oracle.NumPy(t, `
import os
os.chdir(sys.argv[1])
a = np.arange(24, dtype='f4').reshape(4, 2, 3)
np.save('c', a)
np.save('big', a.astype('>f4'))
np.save('fortran', np.asfortranarray(a))
np.save('half', a.astype('f2'))
np.save('grid', a.reshape(2, 2, 2, 3))
np.save('one', a[0])
t = np.zeros((3, 2), dtype='i4,f8')
t['f0'] = np.arange(6).reshape(3, 2)
np.save('structs', t)
`, nil, dir)
	for name, want := range map[string]string{"c": "[4]", "big": "[4]", "fortran": "[4]", "half": "[4]", "grid": "[2 2]", "one": "[]"} {
		path := filepath.Join(dir, name+".npy")
		n := 4
		if name == "one" {
			n = 1
		}
		got, shape, err := record.Load[[2][3]float32](path)
		if err != nil || fmt.Sprint(shape) != want || !slices.Equal(got, counted(n)) {
			t.Errorf("Load of %s: %v, shape %v, %v", name, got, shape, err)
		}
		a, err := npy.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err = record.ToSlice[[2][3]float32](a); err != nil || !slices.Equal(got, counted(n)) {
			t.Errorf("ToSlice of %s: %v, %v", name, got, err)
		}
		view, err := record.ViewOf[[2][3]float32](a)
		if shared := bulk.Shares && dtype.NativeEndian == dtype.LittleEndian && name != "big" && name != "fortran" && name != "half"; (err == nil) != shared {
			t.Errorf("ViewOf of %s: %v", name, err)
		} else if shared && !slices.Equal(view, counted(n)) {
			t.Errorf("ViewOf of %s: %v", name, view)
		}
	}
	var saved bytes.Buffer
	if err := record.SaveTo(&saved, counted(4)); err != nil {
		t.Fatal(err)
	}
	if want := readFile(t, filepath.Join(dir, "c.npy")); dtype.NativeEndian == dtype.LittleEndian && !bytes.Equal(saved.Bytes(), want) {
		t.Error("SaveTo writes other bytes than NumPy")
	}
	type pair struct {
		F0 int32   `npy:"f0"`
		F1 float64 `npy:"f1"`
	}
	pairs, shape, err := record.Load[[2]pair](filepath.Join(dir, "structs.npy"))
	if want := [][2]pair{{{F0: 0}, {F0: 1}}, {{F0: 2}, {F0: 3}}, {{F0: 4}, {F0: 5}}}; err != nil || len(shape) != 1 || !slices.Equal(pairs, want) {
		t.Errorf("Load of structs: %v, shape %v, %v", pairs, shape, err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Rows of Go arrays are read, written and appended.
func TestArrayRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.npy")
	w, err := record.CreateRows[[2][3]float32](path, npy.UnknownRows)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(counted(3)), w.Close()); err != nil {
		t.Fatal(err)
	}
	l, err := npy.OpenAppend(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(record.AppendRows(l, counted(2)), l.Close()); err != nil {
		t.Fatal(err)
	}
	want := append(counted(3), counted(2)...)
	file := readFile(t, path)
	r, err := record.NewRowReader[[2][3]float32](bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Header().Shape; !slices.Equal(got, []int{5, 2, 3}) || r.RowLen() != 1 {
		t.Errorf("shape %v, row length %d", got, r.RowLen())
	}
	rows := make([][2][3]float32, 9)
	if n, err := r.Next(rows); n != 5 || err != nil && err != io.EOF || !slices.Equal(rows[:5], want) {
		t.Errorf("%d rows %v, %v", n, rows, err)
	}
	sub, err := dtype.Subarray(dtype.Float32, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := record.DType[[2][3]float32](); err != nil || !d.Equal(sub) {
		t.Errorf("DType is %v, %v, want %v", d, err, sub)
	}
	a, err := record.FromSliceAs(dtype.Float32.WithByteOrder(dtype.BigEndian), counted(2))
	if err != nil || !slices.Equal(a.Shape(), []int{2, 2, 3}) || a.DType().ByteOrder() != dtype.BigEndian {
		t.Errorf("FromSliceAs big-endian: %v, %v", a, err)
	}
	if got, err := record.ToSlice[[2][3]float32](a); err != nil || !slices.Equal(got, counted(2)) {
		t.Errorf("ToSlice big-endian: %v, %v", got, err)
	}
}

// Axes of another length, too few axes and types that do not fit are TypeErrors.
func TestArrayErrors(t *testing.T) {
	for _, shape := range [][]int{{4, 2}, {3}, {}, {3, 4}, {0}} {
		a, err := npy.New(dtype.Float32, shape...)
		if err != nil {
			t.Fatal(err)
		}
		var te *npy.TypeError
		if _, err := record.ToSlice[[3]float32](a); len(shape) == 1 && shape[0] == 3 {
			if err != nil {
				t.Errorf("shape %v: %v", shape, err)
			}
		} else if !errors.As(err, &te) || te.GoType != reflect.TypeFor[[3]float32]() {
			t.Errorf("shape %v: %v, want a TypeError", shape, err)
		}
	}
	a, err := npy.New(dtype.Float64, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	var te *npy.TypeError
	if _, err := record.ToSlice[[3]float32](a); !errors.As(err, &te) {
		t.Errorf("float64 as float32: %v, want a TypeError", err)
	}
	if _, err := record.FromSlice([][2]string{{"a", "b"}}); !errors.As(err, &te) {
		t.Errorf("strings without a length: %v, want a TypeError", err)
	}
	empty, err := npy.New(dtype.Float32, 5, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := record.ToSlice[[0]float32](empty); err != nil || len(got) != 5 {
		t.Errorf("shape (5, 0): %v, %v, want 5 empty arrays", got, err)
	}
}
