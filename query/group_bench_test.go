package query_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
)

func BenchmarkGroup(b *testing.B) {
	const n = 1_000_000
	a, err := npy.New(parseType(b, "[('time','<M8[s]'),('rain','<f8'),('station','<i4')]"), n)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	data, _ := a.ViewBytes()
	for row := data; len(row) > 0; row = row[20:] {
		binary.LittleEndian.PutUint64(row, uint64(1_577_836_800+r.IntN(157_680_000)))
		binary.LittleEndian.PutUint64(row[8:], math.Float64bits(math.Round(100*r.ExpFloat64())/50))
		binary.LittleEndian.PutUint32(row[16:], uint32(r.IntN(500)))
	}
	for _, by := range []string{"station", "month(time)", "year(time),station"} {
		for _, aggs := range []string{"count", "count,mean:rain,max:rain", "q0.9:rain", "std:rain"} {
			b.Run(by+"/"+aggs, func(b *testing.B) {
				keys, err := query.ParseKeys(by)
				if err != nil {
					b.Fatal(err)
				}
				results, err := query.ParseAggs(aggs)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(a.NBytes()))
				for b.Loop() {
					if _, err := (query.Group{By: keys, Aggs: results, SkipNaN: true}).Of(b.Context(), a); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
