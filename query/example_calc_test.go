package query_test

import (
	"context"
	"fmt"
	"log"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
)

func ExampleCalc() {
	a, err := npy.FromSlice([]float64{1, 2, 3, 5, 6, 10}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	// Reductions are computed at once, and the rest when the result is read.
	out, err := query.Calc(context.Background(), "(a - a.mean(axis=0)) * 2", map[string]npy.Source{"a": a})
	if err != nil {
		log.Fatal(err)
	}
	all, err := out.ReadAll(context.Background())
	fmt.Println(all, err)
	// Output:
	// [[-4. -4. -7.]
	//  [ 4.  4.  7.]] <nil>
}
