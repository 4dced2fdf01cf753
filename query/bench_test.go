package query_test

import (
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query"
)

func normals(n int) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

func BenchmarkSortFloats(b *testing.B) {
	a, err := npy.FromSlice(normals(10_000_000))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := (query.Sort{}).Array(b.Context(), a); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSortRecords(b *testing.B) {
	const n = 1_000_000
	t, err := dtype.Parse("f8,f4,f4,i8,i4,i4")
	if err != nil {
		b.Fatal(err)
	}
	a, err := npy.New(t, n)
	if err != nil {
		b.Fatal(err)
	}
	field, err := a.Field("f0")
	if err != nil {
		b.Fatal(err)
	}
	v, err := npy.ViewOf[float64](field)
	if err != nil {
		b.Fatal(err)
	}
	for i, x := range normals(n) {
		v.Set(x, i)
	}
	for b.Loop() {
		if _, err := (query.Sort{By: []query.Key{{Field: "f0"}}}).Array(b.Context(), a); err != nil {
			b.Fatal(err)
		}
	}
}
