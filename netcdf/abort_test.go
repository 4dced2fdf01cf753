package netcdf_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npytest"
)

func TestAbortedWriter(t *testing.T) {
	npytest.TestAbort(t, func(t *testing.T) (npytest.Aborter, func() error, func() bool) {
		path := filepath.Join(t.TempDir(), "a.nc")
		w, err := netcdf.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		one, err := npy.FromSlice([]int8{1})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		write := func() error {
			n++
			return w.Add(fmt.Sprint("a", n), one)
		}
		return w, write, func() bool {
			_, err := os.Lstat(path)
			return err == nil
		}
	})
}
