package stats_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/stats"
)

const benchElems = 32 << 20 // 256 MB of float64

func BenchmarkOf(b *testing.B) {
	for _, descr := range []string{"<f8", ">f8", "<f4", "<f2", "<c16", "<i8", "<i4", "|u1", "[('x', '<f8'), ('n', '<i4'), ('s', '|S4')]"} {
		b.Run(descr, func(b *testing.B) {
			dt := parse(b, descr)
			data := make([]byte, benchElems*8/dt.ItemSize()*dt.ItemSize())
			r := rand.NewChaCha8([32]byte{1})
			r.Read(data)
			if descr == "<f8" || descr == ">f8" || descr == "<c16" || descr == "<f4" {
				for i := range data {
					data[i] &= 0x3f // no NaN, no infinities
				}
			}
			a := mustBytes(b, dt, data)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := stats.Of(context.Background(), a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// NumPy makes one pass for each of the four statistics, and two for the last.
func BenchmarkBesideNumPy(b *testing.B) {
	w := oracle.NewWorker(b, "a = np.random.default_rng(1).standard_normal(32 << 20)\ndef all4(): a.sum(); a.min(); a.max(); a.std()\n")
	r := rand.New(rand.NewPCG(1, 2))
	xs := make([]float64, benchElems)
	for i := range xs {
		xs[i] = r.NormFloat64()
	}
	a, err := npy.FromSlice(xs)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("npy", func(b *testing.B) {
		b.SetBytes(8 * benchElems)
		for b.Loop() {
			if _, err := stats.Of(context.Background(), a); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("numpy", func(b *testing.B) {
		b.SetBytes(8 * benchElems)
		for b.Loop() {
			w.Call(b, "all4")
		}
	})
}

func BenchmarkAxisOf(b *testing.B) {
	for _, descr := range []string{"<f8", "<i8", "<i4", "|u1"} {
		for axis, shape := range [][]int{{16, 1 << 20}, {1 << 20, 16}} {
			b.Run(fmt.Sprintf("%s/%v", descr, shape), func(b *testing.B) {
				dt := parse(b, descr)
				data := make([]byte, 16<<20*dt.ItemSize())
				rand.NewChaCha8([32]byte{1}).Read(data)
				for i := range data {
					data[i] &= 0x3f
				}
				a, err := npy.FromBytes(dt, data, shape...)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					if _, err := stats.AxisOf(context.Background(), a, axis); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkQuantilesOf(b *testing.B) {
	for _, descr := range []string{"<f8", "<i8", "|u1"} {
		b.Run(descr, func(b *testing.B) {
			dt := parse(b, descr)
			data := make([]byte, 16<<20*dt.ItemSize())
			rand.NewChaCha8([32]byte{1}).Read(data)
			a := mustBytes(b, dt, data)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := stats.QuantilesOf(context.Background(), a, 0.05, 0.5, 0.95); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
