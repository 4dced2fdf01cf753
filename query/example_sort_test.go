package query_test

import (
	"context"
	"fmt"
	"log"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/record"
)

type Quake struct {
	Place string  `npy:"place,U8"`
	Mag   float64 `npy:"mag"`
}

// quakes returns an array of records.
func quakes() *npy.Array {
	a, err := record.FromSlice([]Quake{{"Lima", 6.5}, {"Oslo", 3.1}, {"Tokyo", 7.2}, {"Lima", 5.0}})
	if err != nil {
		log.Fatal(err)
	}
	return a
}

func ExampleSort() {
	s := query.Sort{By: []query.Key{{Field: "mag", Descending: true}}}
	sorted, err := s.Array(context.Background(), quakes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sorted)
	// Output:
	// place    mag
	// 'Tokyo'  7.2
	// 'Lima'   6.5
	// 'Lima'   5.
	// 'Oslo'   3.1
}

func ExampleSort_Argsort() {
	keys, err := query.ParseKeys("place,-mag")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := query.Sort{By: keys}.Argsort(context.Background(), quakes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rows)
	// Output: [0 3 1 2]
}

func ExampleSort_Top() {
	s := query.Sort{By: []query.Key{{Field: "mag", Descending: true}}}
	largest, err := s.Top(context.Background(), quakes(), 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(largest)
	// Output:
	// place    mag
	// 'Tokyo'  7.2
	// 'Lima'   6.5
}

func ExampleUnique() {
	values, err := query.Unique{By: []query.Key{{Field: "place"}}, ByCount: true}.Of(context.Background(), quakes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(values)
	// Output:
	// place    count
	// 'Lima'       2
	// 'Oslo'       1
	// 'Tokyo'      1
}

func ExampleUnique_Filter() {
	rows, err := query.Unique{By: []query.Key{{Field: "place"}}}.Filter(context.Background(), quakes())
	if err != nil {
		log.Fatal(err)
	}
	first, err := rows.ReadAll(context.Background())
	fmt.Println(first, err)
	// Output:
	// place    mag
	// 'Lima'   6.5
	// 'Oslo'   3.1
	// 'Tokyo'  7.2 <nil>
}

func ExampleGroup() {
	results, err := query.ParseAggs("count,mean:mag")
	if err != nil {
		log.Fatal(err)
	}
	g := query.Group{By: []query.Key{{Field: "place"}}, Aggs: results}
	groups, err := g.Of(context.Background(), quakes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(groups)
	// Output:
	// place    count  mean_mag
	// 'Lima'       2      5.75
	// 'Oslo'       1      3.1
	// 'Tokyo'      1      7.2
}

func ExampleGroup_expressions() {
	keys, err := query.ParseKeys("strong = mag >= 5")
	if err != nil {
		log.Fatal(err)
	}
	results, err := query.ParseAggs("count,above = max:mag - 5,q0.9:mag,nunique:place")
	if err != nil {
		log.Fatal(err)
	}
	groups, err := query.Group{By: keys, Aggs: results}.Of(context.Background(), quakes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(groups)
	// Output:
	// strong  count  above  q0.9_mag  nunique_place
	//  False      1   -1.9      3.1               1
	//   True      3    2.2      7.06              2
}

func ExampleGroup_pivot() {
	g := query.Group{By: []query.Key{{Field: "mag // 3"}}, Pivot: &query.Key{Field: "place"}}
	wide, err := g.Of(context.Background(), quakes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(wide)
	// Output:
	// mag // 3  Lima  Oslo  Tokyo
	//       1.     1     1      0
	//       2.     1     0      1
}

func ExampleSample() {
	some, err := query.Sample{N: 2, Seed: 5}.Of(context.Background(), quakes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(some)
	// Output:
	// place    mag
	// 'Lima'   6.5
	// 'Tokyo'  7.2
}
