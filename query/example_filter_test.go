package query_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/stats"
)

// A quake is a record of the examples.
type quake struct {
	Name string `npy:"name,U8"`
	Mag  float32
	Lat  float64
}

var someQuakes = []quake{{"Ann", 4.5, -10}, {"Bob", 5.5, -20}, {"Cyd", 6.5, 10}, {"Dan", 7.5, 20}, {"Eve", 5.25, -1}}

func ExampleFilter() {
	a, err := record.FromSlice(someQuakes)
	if err != nil {
		log.Fatal(err)
	}
	strong, err := query.Filter(context.Background(), a, "Mag > 5 and Lat < 0")
	if err != nil {
		log.Fatal(err)
	}
	// The result is an npy.Source, for every function that takes one.
	all, err := stats.Of(context.Background(), strong)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strong.Shape(), all[1].Mean)
	rows, err := strong.ReadAll(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	quakes, err := record.ToSlice[quake](rows)
	fmt.Println(quakes, err)
	// Output:
	// [2] 5.375
	// [{Bob 5.5 -20} {Eve 5.25 -1}] <nil>
}

func ExampleCondition_Rows() {
	x := []float64{1, 2, 3, 40, 5, 60}
	data, err := npy.FromSlice(x, 3, 2)
	if err != nil {
		log.Fatal(err)
	}
	// Rows of a stream, which can be read once: a pipe, or the body of a request.
	stream, err := npy.NewStream(format.Header{DType: dtype.Float64.WithByteOrder(dtype.NativeEndian), Shape: []int{3, 2}}, bytes.NewReader(data.Bytes()))
	if err != nil {
		log.Fatal(err)
	}
	large, err := query.Compile("any(x > 10)", stream.DType(), 2) // rows of two elements
	if err != nil {
		log.Fatal(err)
	}
	for block, err := range large.Rows(context.Background(), stream) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(block)
	}
	// Output:
	// [[ 3. 40.]
	//  [ 5. 60.]]
}

func ExampleError() {
	_, err := query.Compile("x > 5 & x < 8", dtype.Float64)
	var e *query.Error
	if errors.As(err, &e) {
		fmt.Println(e.Msg)
		fmt.Println(e.Caret())
	}
	// Output:
	// & binds before comparisons, as in Python; write 'and', or each condition in parentheses: (a > 1) & (b < 2)
	// x > 5 & x < 8
	//     ^^^^^
}
