package source_test

import (
	"context"
	"fmt"
	"log"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/source"
)

// An array is opened when it is read, and released after that.
func ExampleLazy() {
	src := source.Lazy(dtype.Float64, []int{3}, func(context.Context) (npy.Source, func(), error) {
		fmt.Println("opened")
		a, err := npy.FromSlice([]float64{1, 2, 3})
		return a, func() { fmt.Println("released") }, err
	})
	last, err := src.Select(npy.At(-1))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("selected")
	a, err := last.ReadAll(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a)
	// Output:
	// selected
	// opened
	// released
	// 3.0
}

// A format that can only be read as a whole.
func ExampleWhole() {
	src := source.Whole(dtype.Int64, []int{2, 2}, func(context.Context) (*npy.Array, error) {
		return npy.FromSlice([]int64{1, 2, 3, 4}, 2, 2)
	})
	column, err := src.Select(npy.All(), npy.At(1))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(column.ReadAll(context.Background()))
	// Output: [2 4] <nil>
}

// The first entry of an index selects rows, which a Source finds by itself; the rest is for the rows.
func ExampleCutIndex() {
	index, err := npy.ParseIndex("2::3, 0")
	if err != nil {
		log.Fatal(err)
	}
	cut, err := source.CutIndex([]int{10, 4}, index)
	fmt.Println(cut.Start, cut.Step, cut.Count, len(cut.Rest), err)
	// Output: 2 3 3 1 <nil>
}
