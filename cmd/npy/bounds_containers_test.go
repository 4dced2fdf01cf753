package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
)

// growingContainers are HDF5 files of any size.
var growingContainers = []growing{
	{"h-arrays.h5", 500, func(n int) string {
		return hdf5Of(n, func(i int) container.Entry { return container.Entry{Path: fmt.Sprintf("a%d", i)} }, nil)
	}},
	{"h-groups.h5", 500, func(n int) string {
		return hdf5Of(n, func(i int) container.Entry { return container.Entry{Path: fmt.Sprintf("g%d", i), Group: true} }, nil)
	}},
	{"h-deep.h5", 60, func(n int) string {
		return hdf5Of(1, func(i int) container.Entry { return container.Entry{Path: strings.Repeat("a/", n) + "b"} }, nil)
	}},
	{"h-attributes.h5", 200, func(n int) string {
		var attributes []container.Attribute
		for i := range n {
			attributes = append(attributes, container.Attribute{Name: fmt.Sprintf("a%d", i), Value: one()})
		}
		return hdf5Of(1, func(i int) container.Entry { return container.Entry{Path: "b"} }, attributes)
	}},
}

// one returns an array of one element.
func one() *npy.Array {
	a, err := npy.FromSlice([]int32{1}, 1)
	if err != nil {
		panic(err)
	}
	return a
}

// hdf5Of returns a file of n entries.
func hdf5Of(n int, entry func(i int) container.Entry, attributes []container.Attribute) string {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.h5")
	err = hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{}).Create(path, container.WriteOptions{}, func(w container.Writer) error {
		for i := range n {
			e := entry(i)
			var err error
			if e.Group {
				_, err = w.Begin(e, attributes)
			} else {
				err = container.Put(context.Background(), w, e, attributes, one())
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return string(data)
}
