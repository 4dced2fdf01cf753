package npy_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
)

// An array of any size is read from a stream in the memory of a few rows; of float32 here, as float64.
func ExampleRowReader() {
	a, err := npy.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		panic(err)
	}
	var stream bytes.Buffer // or os.Stdin, a response's Body, …
	if err := npy.Write(&stream, a); err != nil {
		panic(err)
	}

	r, err := npy.NewRowReader[float64](&stream)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Shape(), r.RowLen())
	for row, err := range r.Rows() {
		if err != nil {
			panic(err)
		}
		fmt.Println(row)
	}
	// Output:
	// [2 3] 3
	// [1 2 3]
	// [4 5 6]
}

// A file can be written without a known number of rows.
func ExampleCreateRows() {
	dir, err := os.MkdirTemp("", "npy")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "samples.npy")

	w, err := npy.CreateRows[float32](path, npy.UnknownRows, 2)
	if err != nil {
		panic(err)
	}
	defer w.Abort() // does nothing once it is closed
	for i := range 3 {
		if err := w.Write([]float32{float32(i), float32(i * i)}); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	fmt.Println(npy.Load[float32](path))
	// Output: [0 0 1 1 2 4] [3 2] <nil>
}
