package npy_test

import (
	"bytes"
	"fmt"

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

	r, err := npy.NewRowReader[float64](&stream, npy.Decoder{})
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
