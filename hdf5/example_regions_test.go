package hdf5_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/source"
	"github.com/npygo/npy/stats"
)

// A file of some kilobytes describes a gigabyte of zeros, which nobody visits.
func Example_equalElements() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "zeros.h5")
	if err := writeZeros(path, 1<<30); err != nil {
		log.Fatal(err)
	}

	f, err := hdf5.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	src, err := f.Source("x")
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	err = source.EachRegion(ctx, src, func(r npy.Region, stored npy.Source) error {
		if stored == nil {
			fmt.Println(r.Size(), "times", r.Value)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	s, err := stats.Of(ctx, src)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s[0].Count, "elements, mean", s[0].Mean)
	// Output:
	// 1073741824 times 0
	// 1073741824 elements, mean 0.0
}

// writeZeros writes an HDF5 file with n zeros.
func writeZeros(path string, n int) error {
	w, err := hdf5.Encoder{}.Create(path)
	if err != nil {
		return err
	}
	a, err := w.Begin(container.Entry{Path: "x", DType: dtype.Uint8, Shape: []int{n}}, nil)
	if err != nil {
		return err
	}
	zero, err := npy.New(dtype.Uint8)
	if err != nil {
		return err
	}
	err = a.(container.CopiesWriter).WriteCopies(zero, n)
	return errors.Join(err, a.Close(), w.Close())
}
