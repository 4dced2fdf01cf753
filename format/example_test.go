package format_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

func ExampleReadHeader() {
	file := "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }" + strings.Repeat(" ", 58) + "\n" + strings.Repeat("\x00", 96)
	r := strings.NewReader(file)
	h, err := format.ReadHeader(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(h.DType.Name(), h.Shape, h.Size(), "elements,", h.NBytes(), "bytes at", h.DataOffset)
	data, err := io.ReadAll(io.LimitReader(r, h.NBytes())) // r is at the start of the data
	fmt.Println(len(data), err)

	_, err = format.ReadHeader(strings.NewReader(strings.Replace(file, "(3, 4)", "(3,-4)", 1)))
	fmt.Println(err)
	// Output:
	// float64 [3 4] 12 elements, 96 bytes at 128
	// 96 <nil>
	// npy: invalid format at byte 63 (shape[1]): negative dimension -4
}

func ExampleHeader_Append() {
	h := format.Header{DType: dtype.Float64.WithByteOrder(dtype.LittleEndian), Shape: []int{3, 4}}
	head, err := h.Append(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", head[:69])
	fmt.Println(len(head), "bytes")
	// Output:
	// "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"
	// 128 bytes
}
