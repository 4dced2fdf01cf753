package npy_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// Any Go value can be an element; package objects writes the values that Python has.
func ExampleFromObjects() {
	a, err := npy.FromObjects([]any{"Ada", 1815, nil, []int{1, 2}}, 2, 2)
	if err != nil {
		panic(err)
	}
	fmt.Println(a.DType(), a.Shape(), a.Object(0, 1), a.Object(1, 0))
	// Output:
	// |O [2 2] 1815 <nil>
}

func ExampleNewObjects() {
	person, err := dtype.Parse("[('id', '<i4'), ('name', 'O')]")
	if err != nil {
		panic(err)
	}
	a, err := npy.NewObjects(person, 2)
	if err != nil {
		panic(err)
	}
	names, err := a.Field("name")
	if err != nil {
		panic(err)
	}
	names.SetObject("Grace", 1)
	fmt.Println(names.Object(0), names.Object(1))
	// Output:
	// <nil> Grace
}

// A header and its elements may come from different places: a cache, a database, a mapping.
func ExampleFromHeader() {
	file, err := os.ReadFile("testdata/numpy-2.3.5/seed-nested.npy")
	if err != nil {
		panic(err)
	}
	r := bytes.NewReader(file)
	h, err := format.ReadHeader(r)
	if err != nil {
		panic(err)
	}
	a, err := npy.FromHeader(h, file[len(file)-r.Len():])
	if err != nil {
		panic(err)
	}
	outer, err := a.Field("outer")
	fmt.Println(outer, err)
	// Output:
	// [[1 2 3]
	//  [4 5 6]] <nil>
}
