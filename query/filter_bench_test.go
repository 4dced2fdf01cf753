package query_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
)

func BenchmarkFilter(b *testing.B) {
	const n = 2_000_000
	r := rand.New(rand.NewPCG(1, 2))
	plain := make([]float64, n)
	for i := range plain {
		plain[i] = r.NormFloat64()
	}
	array, err := npy.FromSlice(plain)
	if err != nil {
		b.Fatal(err)
	}
	records, err := npy.New(parseType(b, "[('id','<i4'),('value','<f8'),('n','<i2')]"), n)
	if err != nil {
		b.Fatal(err)
	}
	data, _ := records.ViewBytes()
	for i, x := range plain {
		binary.LittleEndian.PutUint64(data[14*i+4:], math.Float64bits(x))
	}
	for _, x := range []struct {
		a    *npy.Array
		expr string
	}{{array, "x > 1"}, {array, "x > 4"}, {records, "value > 1"}, {records, "value > 1 and n == 0"}, {records, "value * 2 > 1"}} {
		b.Run(fmt.Sprint(x.expr), func(b *testing.B) {
			b.SetBytes(int64(x.a.NBytes()))
			for b.Loop() {
				rows, err := query.Filter(b.Context(), x.a, x.expr)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := rows.ReadAll(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
