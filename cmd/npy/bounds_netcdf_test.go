package main

import (
	"encoding/binary"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
)

// growingNetCDF are netCDF files of any size.
var growingNetCDF = []growing{
	{"n-variables.nc", 1000, func(n int) string { return variables(n, 4) }},
	{"x-same.nc", 4000, func(n int) string { return classic(n, 32*n, 32*n) }},
	{"n-attributes.nc", 500, func(n int) string {
		var attributes []container.Attribute
		for i := range n {
			attributes = append(attributes, container.Attribute{Name: fmt.Sprintf("a%d", i), Value: one()})
		}
		return containerOf("a.nc", func(w container.Writer) error { return putZerosWith(w, "b", attributes, 4) })
	}},
	{"n-name.nc", 20000, func(n int) string {
		return containerOf("a.nc", func(w container.Writer) error { return putZerosWith(w, longText(n), nil, 4) })
	}},
	{"n-claim.nc", 1000, func(n int) string { return classic(n, 1e9, 1000) }},
	{"b-chunk.nc", bomb / 8, enhancedBomb(func(n int) (shape, chunk []int) { return []int{n}, []int{n} })},
	{"b-chunks.nc", bomb, enhancedBomb(func(n int) (shape, chunk []int) { return []int{n}, []int{1 << 20} })},
}

// variables returns a file of n variables of size bytes.
func variables(n, size int) string {
	return containerOf("a.nc", func(w container.Writer) error {
		for i := range n {
			if err := putZerosWith(w, fmt.Sprintf("a%d", i), nil, size); err != nil {
				return err
			}
		}
		return nil
	})
}

// classic returns a netCDF-3 file of n variables of length bytes. All have the same size bytes of the file.
func classic(n, length, size int) string {
	word := func(words ...int) (s string) {
		for _, w := range words {
			s += string(binary.BigEndian.AppendUint32(nil, uint32(w)))
		}
		return s
	}
	const variable = 4 + 8 + 8 + 8 + 12
	head := "CDF\x01" + word(0, 10, 1, 1) + "x\x00\x00\x00" + word(length, 0, 0, 11, n)
	begin := len(head) + n*variable
	return head + repeat(n, func(i int) string {
		return word(8) + fmt.Sprintf("v%07d", i) + word(1, 0, 0, 0, 1, length, begin)
	}) + longText(size)
}

func putZerosWith(w container.Writer, path string, attributes []container.Attribute, shape ...int) error {
	a, err := npy.New(dtype.Uint8, shape...)
	if err != nil {
		return err
	}
	return container.Put(noContext, w, container.Entry{Path: path}, attributes, a)
}

// enhancedBomb returns a generator of a netCDF-4 file with a variable of zeros in chunks.
func enhancedBomb(layout func(n int) (shape, chunk []int)) func(n int) string {
	return func(n int) string {
		shape, chunk := layout(n)
		return containerOf("a.h5", func(w container.Writer) error {
			properties, err := npy.FromObjects([]any{"version=2"})
			if err != nil {
				return err
			}
			if properties, err = properties.Reshape(); err != nil {
				return err
			}
			if _, err := w.Begin(container.Entry{Group: true}, []container.Attribute{{Name: "_NCProperties", Value: properties}}); err != nil {
				return err
			}
			return putZeros(w, container.Entry{Path: "a", Chunks: chunk}, shape)
		})
	}
}
