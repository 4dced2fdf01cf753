package npytest_test

import (
	"os"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npytest"
)

// Check must be able to fail: every element of every vector is changed once.
func TestCheckSeesEveryElement(t *testing.T) {
	for _, dir := range []string{"../testdata/numpy-1.24.2", "../testdata/numpy-2.3.5", "../testdata/numpy-2.5.2"} {
		vectors, err := npytest.Vectors(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			if v.HasObject() {
				continue
			}
			a, err := npy.ReadFile(v.Path)
			if err != nil {
				t.Fatal(err)
			}
			spoil(t, v, a)
		}
	}
}

func spoil(t *testing.T, v npytest.Vector, a *npy.Array) {
	t.Helper()
	if err := v.Check(a); err != nil {
		t.Error(err)
	}
	flat, err := a.Reshape(-1)
	if err != nil || a.DType().ItemSize() == 0 {
		return
	}
	for i := range flat.Size() {
		bytes := flat.Bytes()
		size := a.DType().ItemSize()
		item := bytes[i*size : (i+1)*size]
		if a.DType().IsStruct() { // change the first field only: the rest may be padding
			f := a.DType().Field(0)
			item = item[f.Offset : f.Offset+f.DType.ItemSize()]
		}
		for k := range item { // all of it: a NaN with another payload is the same NaN
			item[k] ^= 0x41
		}
		bad, err := npy.FromBytes(a.DType(), bytes, a.Shape()...)
		if err != nil {
			t.Fatal(err)
		}
		if v.Check(bad) == nil && a.DType().Kind() != 'b' {
			t.Errorf("%s: element %d changed and nobody noticed", v.Path, i)
		}
	}
}

func TestVectorsMissing(t *testing.T) {
	if _, err := npytest.Vectors(t.TempDir()); !os.IsNotExist(err) {
		t.Errorf("error for a folder without a manifest is %v", err)
	}
}

func Example() {
	vectors, err := npytest.Vectors("../testdata/numpy-2.3.5")
	if err != nil {
		panic(err)
	}
	for _, v := range vectors {
		if v.HasObject() {
			continue
		}
		a, err := npy.ReadFile(v.Path)
		if err != nil {
			panic(err)
		}
		if err := v.Check(a); err != nil {
			panic(err)
		}
	}
	// Output:
}
