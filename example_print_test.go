package npy_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

func ExampleArray_String() {
	a, _ := npy.FromSlice([]float64{1, 2.5, 1. / 3, 0}, 2, 2)
	fmt.Println(a)
	// Output:
	// [[1.         2.5       ]
	//  [0.33333333 0.        ]]
}

func ExamplePrinter() {
	squares := make([]int64, 10_000)
	for i := range squares {
		squares[i] = int64(i * i)
	}
	a, _ := npy.FromSlice(squares, 100, 100)
	p := npy.Printer{EdgeItems: 2}
	if err := p.Print(os.Stdout, a); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [[       0        1 ...     9604     9801]
	//  [   10000    10201 ...    39204    39601]
	//  ...
	//  [96040000 96059601 ... 97970404 97990201]
	//  [98010000 98029801 ... 99960004 99980001]]
}

func ExamplePrinter_Print() {
	t, _ := dtype.Parse("[('name', '|S4'), ('at', [('x', '|i1'), ('y', '|i1')]), ('samples', '|u1', (3,))]")
	a, _ := npy.FromBytes(t, []byte("KIEV\x05\xf6\x01\x02\x03"+"OSL\x00\x0a\x14\x04\x05\x06"), 2)
	_ = npy.Printer{}.Print(os.Stdout, a)
	// Output:
	// name     at.x  at.y  samples
	// b'KIEV'     5   -10  [1 2 3]
	// b'OSL'     10    20  [4 5 6]
}

// A line before each block has its index, and marks highlight elements.
func ExamplePrinter_axes() {
	a, _ := npy.FromSlice([]float64{1, 2, math.NaN(), 4, 5, 6, 7, 8}, 2, 2, 2)
	p := npy.Printer{Axes: true, Mark: func(_ dtype.Type, item []byte) (before, behind string) {
		if math.IsNaN(math.Float64frombits(binary.NativeEndian.Uint64(item))) {
			return "<", ">"
		}
		return "", ""
	}}
	_ = p.Print(os.Stdout, a)
	// Output:
	// [0, :, :]
	// [[[ 1.  2.]
	//   [<nan>  4.]]
	//
	// [1, :, :]
	//  [[ 5.  6.]
	//   [ 7.  8.]]]
}

func ExamplePrinter_AppendRepr() {
	a, _ := npy.FromSlice([]float32{1. / 3, 2, 4.5}, 3)
	p := npy.Printer{Precision: 2}
	fmt.Println(string(p.AppendRepr(nil, a, 1<<10)))
	fmt.Println(string(p.AppendText(nil, a, "", 1<<10)))
	// Output:
	// array([0.33, 2.  , 4.5 ], dtype=float32)
	// [0.33, 2.  , 4.5 ]
}

func ExamplePrinter_Str() {
	a, _ := npy.FromSlice([]float64{0.5, 1e20}, 2)
	last, _ := a.Slice(npy.At(-1))
	fmt.Println(npy.Printer{}.Str(last))
	// Output:
	// 1e+20
}
