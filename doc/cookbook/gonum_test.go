package cookbook

import (
	"fmt"
	"log"

	"github.com/npygo/npy"
	"gonum.org/v1/gonum/mat"
)

// A matrix of gonum lies over the elements of an array, and an array over those of a matrix: nothing is copied.
func Example_gonum() {
	a, err := npy.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	v, err := npy.As[float64](a)
	if err != nil {
		log.Fatal(err)
	}
	data, ok := v.ViewSlice()
	if !ok {
		data = v.ToSlice() // another byte order, or elements that do not follow each other
	}
	m := mat.NewDense(v.Shape()[0], v.Shape()[1], data)

	var product mat.Dense
	product.Mul(m, m.T())
	raw := product.RawMatrix()
	b, err := npy.FromSlice(raw.Data, raw.Rows, raw.Cols)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b)
	// Output:
	// [[14. 32.]
	//  [32. 77.]]
}
