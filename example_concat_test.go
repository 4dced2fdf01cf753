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

// A million files are one array in 8 bytes each: a part of it opens what it needs.
func ExampleConcatFunc() {
	const files, rows = 1_000_000, 100
	ends := make([]int, files)
	for i := range ends {
		ends[i] = (i + 1) * rows
	}
	all, err := npy.ConcatFunc(dtype.Float64, []int{files * rows}, 0, ends, func(i int) npy.Source {
		return npy.LazySource(dtype.Float64, []int{rows}, func(context.Context) (npy.Source, func(), error) {
			fmt.Println("file", i)
			a, err := npy.FromSlice(make([]float64, rows))
			return a, nil, err
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	part, err := all.Select(npy.Span(1098, 1102))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(part.ReadAll(context.Background()))
	// Output:
	// file 10
	// file 11
	// [0. 0. 0. 0.] <nil>
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
