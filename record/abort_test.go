package record_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/record"
)

func TestAbortedRows(t *testing.T) {
	type row struct{ X int32 }
	npytest.TestAbort(t, func(t *testing.T) (npytest.Aborter, func() error, func() bool) {
		path := filepath.Join(t.TempDir(), "a.npy")
		w, err := record.CreateRows[row](path, npy.UnknownRows)
		if err != nil {
			t.Fatal(err)
		}
		return w, func() error { return w.Write([]row{{1}}) }, func() bool {
			_, err := os.Lstat(path)
			return err == nil
		}
	})
}
