package hdf5_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5"
)

// A file with a group, an array and an attribute.
func ExampleCreate() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "data.h5")

	speed, _ := npy.FromSlice([]float64{3.5, 4, 4.5})
	unit, _ := npy.FromObjects([]any{"m/s"}, []int{}...)
	w, err := hdf5.Create(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Abort()
	err = w.Add("run1/speed", speed, container.Attribute{Name: "unit", Value: unit})
	if err == nil {
		err = w.Close()
	}
	data, _ := os.ReadFile(path)
	fmt.Printf("%q %v\n", data[1:4], err)
	// Output: "HDF" <nil>
}

// An array that comes block by block, in chunks that are given.
func ExampleEncoder_Create() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)

	w, err := hdf5.Encoder{Level: 9, Unlimited: true}.Create(filepath.Join(dir, "data.h5"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Abort()
	a, err := w.Begin(container.Entry{Path: "frames", DType: dtype.Uint8, Shape: []int{1000, 64, 64}, Chunks: []int{50, 64, 64}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 10 {
		block, _ := npy.New(dtype.Uint8, 100, 64, 64)
		if err := a.Write(block); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(a.Close(), w.Close())
	// Output: <nil> <nil>
}

// Any io.WriteSeeker can be written to.
func ExampleNewWriter() {
	f, _ := os.CreateTemp("", "")
	defer os.Remove(f.Name())
	defer f.Close()
	w, _ := hdf5.NewWriter(f)
	a, _ := npy.FromSlice([]int32{1, 2, 3})
	fmt.Println(w.Add("a", a), w.Close())

	data, _ := os.ReadFile(f.Name())
	fmt.Println(bytes.HasPrefix(data, []byte("\x89HDF")))
	// Output:
	// <nil> <nil>
	// true
}

// The settings for programs with many arrays that hold noise already.
func ExampleEncoder_NewWriter() {
	f, _ := os.CreateTemp("", "")
	defer os.Remove(f.Name())
	defer f.Close()
	w, err := hdf5.Encoder{Store: true}.NewWriter(f)
	fmt.Println(w.Close(), err)
	// Output: <nil> <nil>
}

// Rows are added to an array of an existing file.
func ExampleOpenAppend() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "log.h5")
	rows, _ := npy.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
	w, _ := hdf5.Encoder{Unlimited: true}.Create(path)
	fmt.Println(w.Add("log", rows), w.Close())

	a, err := hdf5.OpenAppend(path, "log")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Append(rows), a.Shape(), a.Close())
	// Output:
	// <nil> <nil>
	// <nil> [4 2] <nil>
}

// With Sync, rows are on disk when Append has returned.
func ExampleEncoder_OpenAppend() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "log.h5")
	rows, _ := npy.FromSlice([]int32{1, 2, 3})
	w, _ := hdf5.Encoder{Unlimited: true}.Create(path)
	fmt.Println(w.Add("log", rows), w.Close())

	a, err := hdf5.Encoder{Sync: true}.OpenAppend(path, "log")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	more, _ := npy.FromSlice([]int32{4})
	fmt.Println(a.Append(more), a.Append(more), a.Shape())
	// Output:
	// <nil> <nil>
	// <nil> <nil> [5]
}

// An array is reached by several paths, and its elements are in the file once.
func ExampleWriter_Link() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "runs.h5")
	a, _ := npy.FromSlice([]float32{1, 2})
	w, _ := hdf5.Create(path)
	fmt.Println(w.Add("run7/speed", a))
	fmt.Println(w.Link(container.Entry{Path: "latest", LinkKind: container.SoftLink, LinkTarget: "/run7"}))
	fmt.Println(w.Close())

	r, err := hdf5.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	e, err := r.Entry("latest/speed")
	fmt.Println(e.Shape, err)
	// Output:
	// <nil>
	// <nil>
	// <nil>
	// [2] <nil>
}
