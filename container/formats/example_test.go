package formats_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/container/formats"
)

// A file is written in the format of its name, and opened by its content.
func ExampleStandard() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	a, err := npy.FromSlice([]float32{1, 2, 3})
	if err != nil {
		log.Fatal(err)
	}
	known := formats.Standard(formats.Options{})
	for _, name := range []string{"a.npz", "a.nc", "a.mat", "a.h5"} {
		path := filepath.Join(dir, name)
		format, _ := known.ForName(name)
		err := format.Create(path, container.WriteOptions{}, func(w container.Writer) error {
			return container.Put(context.Background(), w, container.Entry{Path: "x", DType: a.DType(), Shape: a.Shape()}, nil, a)
		})
		if err != nil {
			log.Fatal(err)
		}
		f, err := known.Open(path)
		if err != nil {
			log.Fatal(err)
		}
		for e := range f.Entries() {
			fmt.Println(f.Format(), e.Path, e.DType, e.Shape)
		}
		f.Close()
	}
	// Output:
	// NumPy archive (.npz) x <f4 [3]
	// netCDF-3, CDF-2 x >f4 [3]
	// MATLAB 5 x <f4 [1 3]
	// HDF5, superblock 0 x <f4 [3]
}
