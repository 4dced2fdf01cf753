package cookbook

import (
	"fmt"
	"log"

	"github.com/npygo/npy"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// A matrix of gonum lies over the elements of an array, and an array over the elements of a matrix: nothing is copied.
func Example_gonum() {
	a, err := npy.FromSlice([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3)
	if err != nil {
		log.Fatal(err)
	}
	right, err := a.Slice(npy.All(), npy.SpanFrom(1)) // a[:, 1:], whose rows are 3 elements apart
	if err != nil {
		log.Fatal(err)
	}
	m, err := matrix(right)
	if err != nil {
		log.Fatal(err)
	}

	var product mat.Dense
	product.Mul(m.T(), m)
	raw := product.RawMatrix()
	b, err := npy.FromStrided(raw.Data, []int{raw.Rows, raw.Cols}, []int{raw.Stride, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b)
	// Output:
	// [[ 93. 108.]
	//  [108. 126.]]
}

// matrix returns a matrix over the elements of a, which has two dimensions, or over a copy if they are not float64 or
// not in the order of rows.
func matrix(a *npy.Array) (*mat.Dense, error) {
	v, err := npy.As[float64](a)
	if err != nil {
		return nil, err
	}
	shape := v.Shape()
	data, strides, ok := v.Strided()
	if !ok || strides[1] != 1 {
		data, strides = v.ToSlice(), []int{shape[1], 1}
	}
	var m mat.Dense
	m.SetRawMatrix(blas64.General{Rows: shape[0], Cols: shape[1], Stride: strides[0], Data: data})
	return &m, nil
}
