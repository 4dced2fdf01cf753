package query_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/npygo/npy/query"
	"github.com/npygo/npy/record"
)

type Damage struct {
	Town string `npy:"town,U8"`
	Cost int32  `npy:"cost"`
}

func ExampleJoin() {
	damage, err := record.FromSlice([]Damage{{"Tokyo", 700}, {"Lima", 300}, {"Lima", 20}})
	if err != nil {
		log.Fatal(err)
	}
	join := query.Join{How: "left", On: []query.JoinKey{{Left: "place", Right: "town"}}, Fill: "0"}
	joined, err := join.Open(context.Background(), quakes(), damage)
	if err != nil {
		log.Fatal(err)
	}
	defer joined.Close()
	all, err := joined.ReadAll(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all)
	// Output:
	// place    mag  cost
	// 'Lima'   6.5   300
	// 'Lima'   6.5    20
	// 'Oslo'   3.1     0
	// 'Tokyo'  7.2   700
	// 'Lima'   5.    300
	// 'Lima'   5.     20
}

func ExampleJoin_asof() {
	type Reading struct {
		Time time.Time `npy:"time,M8[s]"`
		Wind float64   `npy:"wind"`
	}
	at := func(hour, minute int) time.Time { return time.Date(2024, 3, 1, hour, minute, 0, 0, time.UTC) }
	first, err := record.FromSlice([]Reading{{at(12, 10), 3}, {at(15, 0), 4}})
	if err != nil {
		log.Fatal(err)
	}
	second, err := record.FromSlice([]Reading{{at(12, 0), 5}, {at(12, 30), 6}})
	if err != nil {
		log.Fatal(err)
	}
	join := query.Join{How: "asof", On: []query.JoinKey{{Left: "time", Right: "time"}}, Tolerance: "1 h"}
	joined, err := join.Open(context.Background(), first, second)
	if err != nil {
		log.Fatal(err)
	}
	defer joined.Close()
	all, err := joined.ReadAll(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all)
	// Output:
	//                time  wind           time_right  wind_right
	// 2024-03-01T12:10:00    3.  2024-03-01T12:00:00          5.
	// 2024-03-01T15:00:00    4.                  NaT         nan
}

func ExampleParseJoinKeys() {
	keys, err := query.ParseJoinKeys("id=event_id,station")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", keys)
	// Output: [{Left:id Right:event_id} {Left:station Right:station}]
}

func ExampleSideError() {
	join := query.Join{On: []query.JoinKey{{Left: "place", Right: "place"}}}
	damage, err := record.FromSlice([]Damage{{"Tokyo", 700}})
	if err != nil {
		log.Fatal(err)
	}
	_, err = join.Open(context.Background(), quakes(), damage)
	var side *query.SideError
	fmt.Println(errors.As(err, &side) && side.Right)
	fmt.Println(err)
	// Output:
	// true
	// query: right: no field "place", want one of ["town" "cost"]
}
