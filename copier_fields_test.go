package npy_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// Picked and renamed fields equal NumPy's, byte for byte.
func TestCopierFieldsLive(t *testing.T) {
	dir := t.TempDir()
	oracle.NumPy(t, `
import os
import numpy.lib.recfunctions as rfn
os.chdir(sys.argv[1])
t = np.dtype({'names': ['a', 'b', 'c', 'n'], 'formats': ['u1', '>i4', ('<f2', (3,)), [('x', '<i2'), ('y', 'S3')]], 'offsets': [0, 4, 8, 15], 'itemsize': 24})
a = np.frombuffer(bytes(range(240)), dtype=t).reshape(2, 5)
for name, x in ('C', a), ('F', np.asfortranarray(a)):
    np.save(name, x)
    for fields in 'ab', 'ba', 'n', 'cna', 'abcn':
        np.save(f'{name}-{fields}', rfn.repack_fields(x[list(fields)]))
    np.save(f'{name}-renamed', rfn.rename_fields(rfn.repack_fields(x), {'a': 'id', 'n': 'a'}))
    np.save(f'{name}-t', rfn.repack_fields(x[['c', 'b']]).transpose().reshape(-1))
`, nil, dir)
	for _, name := range []string{"C", "F"} {
		f, err := npy.Open(filepath.Join(dir, name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for want, c := range map[string]npy.Copier{
			"ab": {Fields: []string{"a", "b"}}, "ba": {Fields: []string{"b", "a"}}, "n": {Fields: []string{"n"}},
			"cna": {Fields: []string{"c", "n", "a"}}, "abcn": {Fields: []string{"a", "b", "c", "n"}},
			"renamed": {Rename: map[string]string{"a": "id", "n": "a"}},
			"t":       {Fields: []string{"c", "b"}, Axes: []int{1, 0}, Shape: []int{-1}},
		} {
			out := filepath.Join(dir, "out.npy")
			if err := c.WriteFile(context.Background(), out, f); err != nil {
				t.Fatalf("%s-%s: %v", name, want, err)
			}
			if !bytes.Equal(must(os.ReadFile(out)), must(os.ReadFile(filepath.Join(dir, name+"-"+want+".npy")))) {
				t.Errorf("%s-%s: other bytes than NumPy's", name, want)
			}
		}
	}
}

func TestCopierFieldsRefused(t *testing.T) {
	records := must(npy.New(parse("[('a', '<i4'), ('b', '|u1')]"), 3))
	f, _ := openBytes(t, fileOfArray(t, records))
	plain, _ := openBytes(t, fileOfArray(t, must(npy.New(dtype.Int8, 3))))
	out := filepath.Join(t.TempDir(), "out.npy")
	for _, tt := range []struct {
		f    *npy.File
		c    npy.Copier
		want string
	}{
		{f, npy.Copier{Fields: []string{"z"}}, `no field "z", want one of ["a" "b"]`},
		{f, npy.Copier{Fields: []string{"a", "a"}}, "already used"},
		{f, npy.Copier{Rename: map[string]string{"a": "b"}}, "already used"},
		{f, npy.Copier{Fields: []string{"a"}, Rename: map[string]string{"b": "c"}}, `no field "b" to rename among ["a"]`},
		{f, npy.Copier{Fields: []string{"a"}, DType: dtype.Int8}, "cannot be combined with DType"},
		{plain, npy.Copier{Fields: []string{"a"}}, "has no fields"},
	} {
		if err := tt.c.WriteFile(context.Background(), out, tt.f); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v %v: %v, want %q", tt.c.Fields, tt.c.Rename, err, tt.want)
		}
		if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v %v: there is a file", tt.c.Fields, tt.c.Rename)
		}
	}
}

func fileOfArray(t *testing.T, a *npy.Array) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
