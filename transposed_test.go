package npy_test

import (
	"context"
	"fmt"
	"log"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npytest"
)

// A transposed Source over the transposed array of a vector, whether that is a file or a Source of any other kind, reads
// as the vector does.
func TestTransposed(t *testing.T) {
	vectors, err := npytest.Vectors("testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	for name, wrap := range map[string]func(npy.Source) npy.Source{
		"a Source of its own": func(s npy.Source) npy.Source { return plainSource{s} },
		"a file or array":     func(s npy.Source) npy.Source { return s },
	} {
		t.Run(name, func(t *testing.T) {
			npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
				if v.DType.IsStruct() || v.DType.IsSubarray() {
					return nil
				}
				f, err := npy.Open(v.Path)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { f.Close() })
				if src, reversed := npy.StoredOrder(f); reversed {
					return npy.Transposed(wrap(src))
				}
				a, err := f.ReadAll(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				return npy.Transposed(wrap(a.T()))
			})
		})
	}
}

// A plainSource has no optional methods.
type plainSource struct{ npy.Source }

func ExampleTransposed() {
	a, err := npy.FromSlice([]int{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	var src npy.Source = a // an array of any size
	part, err := npy.Transposed(src).Select(npy.At(2))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(part.ReadAll(context.Background()))
	// Output:
	// [3 6] <nil>
}
