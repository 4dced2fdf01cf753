package npy_test

import (
	"context"
	"fmt"
	"log"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// Arrays that follow each other are read as one.
func ExampleConcat() {
	monday, err := npy.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	tuesday, err := npy.FromSlice([]float64{5, 6}, 1, 2)
	if err != nil {
		log.Fatal(err)
	}
	week, err := npy.Concat(0, monday, tuesday)
	if err != nil {
		log.Fatal(err)
	}
	last, err := week.Select(npy.All(), npy.At(-1))
	if err != nil {
		log.Fatal(err)
	}
	column, err := last.ReadAll(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(week.Shape(), column)
	// Output: [3 2] [2. 4. 6.]
}

// An array is opened when it is read, and released after that.
func ExampleLazySource() {
	src := npy.LazySource(dtype.Float64, []int{3}, func(context.Context) (npy.Source, func(), error) {
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
