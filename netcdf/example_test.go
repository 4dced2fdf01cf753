package netcdf_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/netcdf"
)

func Example() {
	f, err := netcdf.Open("testdata/ncgen1.nc")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for e := range f.Entries() {
		fmt.Println(e.Path, e.DType.Name(), e.Shape, e.Dims)
	}
	src, err := f.Source("v")
	if err != nil {
		log.Fatal(err)
	}
	last, err := src.Select(npy.At(-1)) // the last record
	if err != nil {
		log.Fatal(err)
	}
	a, err := last.ReadAll(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a)
	// Output:
	// v float32 [2 2] [t x]
	// odd int16 [2] [t]
	// c bytes8 [2] [t]
	// [3. 4.]
}

func ExampleEncoder() {
	a, err := npy.FromSlice([]float32{20.5, 21, 19.5}, 3)
	if err != nil {
		log.Fatal(err)
	}
	unit, err := npy.FromObjects([]any{"celsius"}, []int{}...)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	w, err := netcdf.Encoder{Record: "time"}.NewWriter(&file) // more records can follow
	if err != nil {
		log.Fatal(err)
	}
	e := container.Entry{Path: "temperature", Dims: []string{"time"}}
	if err := container.Put(context.Background(), w, e, []container.Attribute{{Name: "units", Value: unit}}, a); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.Len(), "bytes")
	// Output:
	// 132 bytes
}

func ExampleCreate() {
	dir, err := os.MkdirTemp("", "netcdf")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	a, err := npy.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "x.nc")
	w, err := netcdf.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort()
	if err := w.Add("speed", a); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	f, err := netcdf.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for e := range f.Entries() {
		fmt.Println(e.Path, e.DType, e.Shape, e.Dims)
	}
	// Output:
	// speed >f4 [2 3] [n2 n3]
}

func ExampleScaled() {
	f, err := netcdf.Open("testdata/cdf1.nc")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	src, err := f.Source("packed")
	if err != nil {
		log.Fatal(err)
	}
	attributes, err := f.Attributes("packed")
	if err != nil {
		log.Fatal(err)
	}
	scaled, err := netcdf.Scaled(src, attributes)
	if err != nil {
		log.Fatal(err)
	}
	a, err := scaled.ReadAll(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a)
	// Output:
	// [20.  20.5  nan]
}
