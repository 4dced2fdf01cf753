//go:build linux && amd64

package faults_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/faults"
	"github.com/npygo/npy/internal/oracle"
)

// hdf5Appendings are ways to append to the array a of out.h5: rows of 1000 numbers, all equal to the number of the row.
var hdf5Appendings = map[string]hdf5.Encoder{"hdf5 append": {}, "hdf5 append, synced": {Sync: true, Workers: 2}}

// fullRows returns rows from a number on.
func fullRows(first, n int) *npy.Array {
	var data []int64
	for i := range n {
		data = append(data, full(first+i)...)
	}
	return must(npy.FromSlice(data, n, 1000))
}

// growing makes out.h5, with chunks that cut rows and are not all full.
func growing(path string) error {
	w, err := hdf5.Encoder{Unlimited: true}.Create(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	e := container.Entry{Path: "a", DType: dtype.Int64, Chunks: []int{3, 9}} // 112 chunks for a row: several nodes
	return errors.Join(container.Put(context.Background(), w, e, nil, fullRows(0, before)), w.Close())
}

// appendToHDF5 appends rows and prints a line after each append.
func appendToHDF5(path string, e hdf5.Encoder) error {
	a, err := e.OpenAppend(path, "a")
	if err != nil {
		return err
	}
	for i := range appended {
		if err := a.Append(fullRows(before+i, 1)); err != nil {
			return errors.Join(err, a.Close())
		}
		fmt.Println("acknowledged")
	}
	return a.Close()
}

// A fault at any call of an append leaves a file with the acknowledged rows, and all earlier ones.
func TestHDF5Appendings(t *testing.T) {
	states := t.TempDir() // one file for each different state
	for what := range hdf5Appendings {
		dir := t.TempDir()
		path := filepath.Join(dir, "out.h5")
		if err := growing(path); err != nil {
			t.Fatal(err)
		}
		old := files(t, dir)
		o, text := run(t, what, dir, -1, faults.None)
		if o.ExitCode != 0 || strings.Count(text, "acknowledged\n") != appended {
			t.Fatal(text)
		}
		eachFault(o.Calls, func(n int, fault faults.Fault) {
			put(t, dir, old)
			o, text := run(t, what, dir, n, fault)
			least := before + strings.Count(text, "acknowledged\n")
			if fault == faults.Short {
				least = before + appended
			}
			rows, err := readRows(path)
			if err != nil || rows < least || rows > least+1 {
				t.Errorf("%s, call %d, %v: %d rows, %v; the process says %q and ends with %d", what, n, fault, rows, err, text, o.ExitCode)
			}
			left, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(filepath.Join(states, fmt.Sprintf("%x.h5", sha256.Sum256(left))), left, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
	all := slices.Sorted(slices.Values(must(filepath.Glob(filepath.Join(states, "*.h5")))))
	out := oracle.Module(t, "h5py", `
import h5py
for path in sys.argv[1:]:
    with h5py.File(path, 'r') as f:
        a = f['a'][...]
        assert len(a) >= 8 and (a == np.arange(len(a)).reshape(-1, 1)).all(), path
print(len(sys.argv) - 1)`, all...)
	if string(out) != fmt.Sprintln(len(all)) || len(all) < appended+1 {
		t.Errorf("h5py says %q of %d files", out, len(all))
	}
}

// readRows returns the number of rows of the array a, after it has looked at all of them.
func readRows(path string) (int, error) {
	r, err := hdf5.Open(path)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	src, err := r.Source("a")
	if err != nil {
		return 0, err
	}
	a, err := src.ReadAll(context.Background())
	if err != nil {
		return 0, err
	}
	v, err := npy.As[int64](a)
	if err != nil {
		return 0, err
	}
	for i, x := range v.ToSlice() {
		if x != int64(i/1000) {
			return 0, fmt.Errorf("row %d holds %d", i/1000, x)
		}
	}
	return a.Shape()[0], nil
}
