package container_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/npz"
)

// Arrays are written to a container by the ending of its name, and every entry is read back.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.npz")
	weights, err := npy.FromSlice([]uint8{1, 2, 3, 4}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}

	formats := container.Formats{container.NPZ(npz.Decoder{}, npz.Encoder{}), container.NPY(npy.Decoder{}, npy.Encoder{})}
	err = formats.Create(path, container.WriteOptions{}, func(w container.Writer) error {
		return container.Put(context.Background(), w, container.Entry{Path: "layer1/w"}, nil, weights)
	})
	if err != nil {
		log.Fatal(err)
	}

	f, err := formats.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for e := range f.Entries() {
		fmt.Println(e.Path, e.DType.Name(), e.Shape, e.Err)
	}
	fmt.Println(container.Names(f))
	// Output:
	// layer1/w uint8 [2 2] <nil>
	// [layer1/w]
}

// A file is copied into a format that has less to say of its arrays.
func ExampleCopy() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	from, to := filepath.Join(dir, "a.h5"), filepath.Join(dir, "a.npz")
	speed, _ := npy.FromSlice([]float32{1.5, 2.5})
	missing, _ := npy.FromSlice([]float32{-1}, []int{}...)
	w, err := hdf5.Create(from)
	if err != nil {
		log.Fatal(err)
	}
	e := container.Entry{Path: "speed", MaxShape: []int{container.Unlimited}, Fill: missing}
	fmt.Println(container.Put(context.Background(), w, e, nil, speed), w.Close())

	formats := container.Formats{container.NPZ(npz.Decoder{}, npz.Encoder{}), hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{})}
	f, err := formats.Open(from)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	options := container.WriteOptions{Lost: func(l container.Loss) { fmt.Println(l.Path, "loses", l) }}
	err = formats.Create(to, options, func(w container.Writer) error {
		return container.Copy(context.Background(), w, f, func(e container.Entry, err error) error {
			fmt.Println(e.Path, "is left out:", err)
			return nil
		})
	})
	fmt.Println(err)
	// Output:
	// <nil> <nil>
	// speed loses the maximum shape (unlimited)
	// speed loses the fill value (-1.0)
	// <nil>
}
