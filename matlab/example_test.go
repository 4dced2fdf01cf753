package matlab_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/matlab"
)

func Example() {
	m, err := matlab.Open("testdata/nested.mat")
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	for e := range m.Entries() {
		if !e.Group {
			fmt.Println(e.Path, e.DType.Name(), e.Shape)
		}
	}
	src, err := m.Source("s/x")
	if err != nil {
		log.Fatal(err)
	}
	x, err := src.ReadAll(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output:
	// s/x float64 [1 4]
	// s/y/deep int16 [1 1]
	// s/y/list/0 str128 [1]
	// s/y/list/1 float64 [1 3]
	// s/y/list/2 bool [1 1]
	// s/y/list/3 float64 [0 0]
	// c/0 str128 [1]
	// c/1 float64 [1 3]
	// c/2 bool [1 1]
	// c/3 float64 [0 0]
	// people/0/name str96 [1]
	// people/0/age float64 [1 1]
	// people/1/name str160 [1]
	// people/1/age float64 [1 1]
	// [[0. 1. 2. 3.]]
}

func ExampleCreate() {
	dir, err := os.MkdirTemp("", "matlab")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	a, err := npy.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "x.mat")
	w, err := matlab.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort()
	if err := w.Add("run/speed", a); err != nil { // run.speed in MATLAB
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	m, err := matlab.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	for e := range m.Entries() {
		fmt.Println(e.Path, e.Shape, e.Notes)
	}
	// Output:
	// run [] [struct]
	// run/speed [2 3] []
}
