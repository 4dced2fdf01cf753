package hdf5_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/npytest"
)

func TestAbortedWriter(t *testing.T) {
	npytest.TestAbort(t, func(t *testing.T) (npytest.Aborter, func() error, func() bool) {
		path := filepath.Join(t.TempDir(), "a.h5")
		w, err := hdf5.Create(path)
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
			return container.Put(t.Context(), w, container.Entry{Path: fmt.Sprint("a", n)}, nil, one)
		}
		return w, write, func() bool {
			_, err := os.Lstat(path)
			return err == nil
		}
	})
}
