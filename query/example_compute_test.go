package query_test

import (
	"context"
	"fmt"
	"log"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/record"
)

func ExampleCompute() {
	quakes, err := record.FromSlice(someQuakes)
	if err != nil {
		log.Fatal(err)
	}
	energy, err := query.ParseAssignment("Energy = 10 ** (1.5 * Mag)")
	if err != nil {
		log.Fatal(err)
	}
	out, err := query.Compute(context.Background(), quakes, query.Columns{
		Set: []query.Assignment{
			energy,
			{Name: "Place", Expr: "where(Lat < 0, 'south', 'north')"},
			{Name: "Before", Expr: "shift(name)"},
		},
		Drop: []string{"Lat", "Energy"},
	})
	if err != nil {
		log.Fatal(err)
	}
	// Nothing is computed before the result is read, and no more than is read.
	rows, err := out.Select(npy.Span(1, 4))
	if err != nil {
		log.Fatal(err)
	}
	a, err := rows.ReadAll(context.Background())
	fmt.Println(a, err)
	// Output:
	// name   Mag  Place    Before
	// 'Bob'  5.5  'south'  'Ann'
	// 'Cyd'  6.5  'north'  'Bob'
	// 'Dan'  7.5  'north'  'Cyd' <nil>
}

func ExampleCompute_elements() {
	a, err := npy.FromSlice([]float64{1, 4, 9, 16}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	// x is the element of an array without fields.
	roots, err := query.Compute(context.Background(), a, query.Columns{Set: []query.Assignment{{Name: "x", Expr: "sqrt(x)"}}})
	if err != nil {
		log.Fatal(err)
	}
	all, err := roots.ReadAll(context.Background())
	fmt.Println(all, err)
	// Output:
	// [[1. 2.]
	//  [3. 4.]] <nil>
}
