package query_test

import (
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/query"
)

// Chosen rows and sorted rows are Sources like all others.
func TestSource(t *testing.T) {
	vectors, err := npytest.Vectors("../testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	open := func(t *testing.T, v npytest.Vector) *npy.File {
		f, err := npy.Open(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	t.Run("chosen", func(t *testing.T) {
		npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
			rows, err := query.Filter(t.Context(), open(t, v), "row >= 0")
			if err != nil { // no rows, or rows that no condition takes
				return nil
			}
			return rows
		})
	})
	t.Run("sorted", func(t *testing.T) {
		npytest.TestCancelledSource(t, func(t *testing.T, v npytest.Vector) npy.Source {
			s, err := query.Sort{By: []query.Key{{Field: "0"}}}.Open(t.Context(), open(t, v))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			return s
		})
	})
}
