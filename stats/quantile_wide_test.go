package stats_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/stats"
)

// passes is a Source that counts the passes over its elements.
type passes struct {
	npy.Source
	n *int
}

func (s passes) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	*s.n++
	return s.Source.Blocks(ctx, memory)
}

// The fields of short records are read in as many passes as one field, and have the quantiles that they have alone.
func TestQuantilesOfManyFields(t *testing.T) {
	const rows = 5
	for _, n := range []int{1, 2, 300} {
		var fields []dtype.Field
		for i := range n {
			fields = append(fields, dtype.Field{Name: fmt.Sprint("f", i), DType: dtype.Uint8, Offset: i})
		}
		typ, err := dtype.Struct(-1, fields...)
		if err != nil {
			t.Fatal(err)
		}
		a, err := npy.New(typ, rows)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := a.ViewBytes()
		for i := range data {
			data[i] = byte(i * i % 251)
		}
		count := 0
		all, err := stats.QuantilesOf(t.Context(), passes{a, &count}, 0, 0.3, 1)
		if err != nil || len(all) != n || count != 1 {
			t.Fatalf("%d fields: %d results in %d passes, error %v", n, len(all), count, err)
		}
		for i, q := range all {
			field, err := a.Field(q.Field)
			if err != nil {
				t.Fatal(err)
			}
			alone, err := stats.QuantilesOf(t.Context(), field, 0, 0.3, 1)
			if err != nil || fmt.Sprint(alone[0].Values) != fmt.Sprint(q.Values) || q.Field != fields[i].Name {
				t.Errorf("field %d of %d: %+v, alone %+v, error %v", i, n, q, alone, err)
			}
		}
	}
}
