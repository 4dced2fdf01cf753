package netcdf

import (
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/npytest"
)

// Texts that are stored as characters are read as any Source, also where blocks are cut within a text.
func TestJoined(t *testing.T) {
	vectors, err := npytest.Vectors("../testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
		if v.DType.Kind() != dtype.KindBytes || v.DType.ItemSize() == 0 || v.DType.IsSubarray() {
			return nil
		}
		seen++
		a, err := npy.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		characters, err := npy.FromBytes(dtype.Bytes(1), a.Contiguous().Bytes(), append(a.Shape(), v.DType.ItemSize())...)
		if err != nil {
			t.Fatal(err)
		}
		return joined{npytest.Regioned(characters, 1<<62), v.DType}
	})
	if seen == 0 {
		t.Error("no vectors of bytes")
	}
}
