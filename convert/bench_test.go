package convert_test

import (
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

func benchArrays(b *testing.B) map[string]*npy.Array {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 1_000_000
	floats, short, ints := make([]float64, n), make([]float64, n), make([]int64, n)
	for i := range n {
		floats[i] = r.NormFloat64()
		short[i] = float64(r.IntN(100000)) / 100
		ints[i] = r.Int64N(1_000_000_000)
	}
	out := map[string]*npy.Array{}
	for name, data := range map[string][]float64{"float64": floats, "float64-short": short} {
		a, err := npy.FromSlice(data, n/10, 10)
		if err != nil {
			b.Fatal(err)
		}
		out[name] = a
	}
	a, err := npy.FromSlice(ints, n/10, 10)
	if err != nil {
		b.Fatal(err)
	}
	out["int64"] = a
	return out
}

func BenchmarkWrite(b *testing.B) {
	arrays := benchArrays(b)
	for _, f := range []convert.Format{convert.CSV, convert.JSON} {
		for _, name := range []string{"float64", "float64-short", "int64"} {
			a := arrays[name]
			text, err := write(f, a, convert.WriteOptions{})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(string(f)+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if err := convert.Write(context.Background(), io.Discard, f, a, convert.WriteOptions{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	arrays := benchArrays(b)
	for _, f := range []convert.Format{convert.CSV, convert.JSON} {
		for _, name := range []string{"float64", "float64-short", "int64"} {
			text, err := write(f, arrays[name], convert.WriteOptions{})
			if err != nil {
				b.Fatal(err)
			}
			for how, t := range map[string]dtype.Type{"given": arrays[name].DType(), "inferred": {}} {
				b.Run(string(f)+"/"+name+"/"+how, func(b *testing.B) {
					b.SetBytes(int64(len(text)))
					b.ReportAllocs()
					for b.Loop() {
						if _, _, err := convert.Read(context.Background(), strings.NewReader(text), f, convert.ReadOptions{DType: t}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
