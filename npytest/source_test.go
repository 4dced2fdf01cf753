package npytest_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npytest"
)

// fiveMethods hides everything optional of a Source.
type fiveMethods struct{ npy.Source }

// Arrays, files, streams and a Source with nothing but the five methods give the arrays that NumPy wrote.
func TestSources(t *testing.T) {
	vectors, err := npytest.Vectors("../testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	file := func(t *testing.T, v npytest.Vector) *npy.File {
		data, err := os.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := npy.OpenReaderAt(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for name, open := range map[string]func(t *testing.T, v npytest.Vector) npy.Source{
		"file":         func(t *testing.T, v npytest.Vector) npy.Source { return file(t, v) },
		"five methods": func(t *testing.T, v npytest.Vector) npy.Source { return fiveMethods{file(t, v)} },
		"array": func(t *testing.T, v npytest.Vector) npy.Source {
			a, err := file(t, v).ReadAll(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return a
		},
		"stream": func(t *testing.T, v npytest.Vector) npy.Source {
			f, err := os.ReadFile(v.Path)
			if err != nil {
				t.Fatal(err)
			}
			r := bytes.NewReader(f)
			h, err := format.ReadHeader(r)
			if err != nil {
				t.Fatal(err)
			}
			s, err := npy.NewStream(h, r)
			if err != nil { // in Fortran order
				return nil
			}
			return s
		},
		"whole": func(t *testing.T, v npytest.Vector) npy.Source {
			f := file(t, v)
			return npy.WholeSource(f.DType(), f.Shape(), f.ReadAll)
		},
	} {
		t.Run(name, func(t *testing.T) { npytest.TestSource(t, vectors, open) })
	}
}
