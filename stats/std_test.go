package stats_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/stats"
)

// Mean and standard deviation of integers are the float64 nearest to the exact values, computed by big.Float with 1,000
// bits.
func TestIntegersRoundedOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 1500 {
		roundedOnce(t, r, func(x int64) int8 { return int8(x) })
		roundedOnce(t, r, func(x int64) uint8 { return uint8(x) })
		roundedOnce(t, r, func(x int64) int16 { return int16(x) })
		roundedOnce(t, r, func(x int64) uint32 { return uint32(x) })
		roundedOnce(t, r, func(x int64) int64 { return x })
		roundedOnce(t, r, func(x int64) uint64 { return uint64(x) })
		roundedOnce(t, r, func(x int64) bool { return x&1 == 1 })
	}
}

func roundedOnce[T npy.Element](t *testing.T, r *rand.Rand, of func(int64) T) {
	t.Helper()
	n := 1 + r.IntN(1<<r.IntN(7))
	xs := make([]T, n)
	base, spread := int64(r.Uint64()), r.IntN(64)
	for i := range xs {
		xs[i] = of(base + int64(r.Uint64()>>spread))
	}
	s, err := stats.Of(context.Background(), array(t, xs...))
	if err != nil {
		t.Fatal(err)
	}
	mean, std := exactly(xs)
	if s[0].Mean.Float64() != mean || s[0].Std.Float64() != std {
		t.Errorf("%T %v: mean %v, std %v, want %v, %v", xs, xs, s[0].Mean, s[0].Std, mean, std)
	}
}

// exactly returns the mean and the standard deviation of integers or bools.
func exactly[T npy.Element](xs []T) (mean, std float64) {
	sum, squares := new(big.Int), new(big.Int)
	for _, x := range xs {
		var i *big.Int
		switch x := any(x).(type) {
		case int8:
			i = big.NewInt(int64(x))
		case uint8:
			i = big.NewInt(int64(x))
		case int16:
			i = big.NewInt(int64(x))
		case uint32:
			i = big.NewInt(int64(x))
		case int64:
			i = big.NewInt(x)
		case uint64:
			i = new(big.Int).SetUint64(x)
		case bool:
			i = new(big.Int)
			if x {
				i.SetInt64(1)
			}
		}
		sum.Add(sum, i)
		squares.Add(squares, new(big.Int).Mul(i, i))
	}
	n := big.NewInt(int64(len(xs)))
	v := new(big.Int).Sub(new(big.Int).Mul(n, squares), new(big.Int).Mul(sum, sum))
	over := func(x *big.Float) float64 {
		f, _ := x.Quo(x, new(big.Float).SetInt(n)).Float64()
		return f
	}
	const bits = 1000
	root := new(big.Float).SetPrec(bits).SetInt(v)
	return over(new(big.Float).SetPrec(bits).SetInt(sum)), over(root.Sqrt(root))
}

// The edges of a histogram are finite for all numbers, from the least to the greatest. Every finite number is counted
// in its bin.
func TestHistogramEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	extremes := []float64{0, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 5 * math.SmallestNonzeroFloat64, -9 * math.SmallestNonzeroFloat64, 1, -1, 1e308, -1e308, math.Inf(1), math.Inf(-1), math.NaN()}
	for range 3000 {
		xs := make([]float64, 1+r.IntN(5))
		for i := range xs {
			if xs[i] = math.Float64frombits(r.Uint64()); r.IntN(2) == 0 {
				xs[i] = extremes[r.IntN(len(extremes))]
			}
		}
		bins := 1 + r.IntN(1<<r.IntN(8))
		h, err := stats.HistogramOf(context.Background(), array(t, xs...), bins)
		if err != nil {
			t.Fatal(err)
		}
		low, high, n := math.Inf(1), math.Inf(-1), int64(0)
		for _, x := range xs {
			if x-x == 0 {
				low, high, n = min(low, x), max(high, x), n+1
			}
		}
		checkHistogram(t, h, xs, bins, low, high, n)
	}
}

func checkHistogram(t *testing.T, h stats.Histogram, xs []float64, bins int, low, high float64, n int64) {
	t.Helper()
	var counted int64
	for _, c := range h.Counts {
		counted += c
	}
	if counted != n || len(h.Counts) != bins || (h.Edges == nil) != (n == 0) {
		t.Fatalf("%v in %d bins: %d of %d are counted: %+v", xs, bins, counted, n, h)
	}
	if n == 0 {
		return
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	edges := edgesOf(h)
	if len(edges) != bins+1 || edges[0] != low || edges[bins] != high {
		t.Fatalf("%v in %d bins: edges %v, want %d from %v to %v", xs, bins, h.Edges, bins+1, low, high)
	}
	for i := range bins {
		if !(edges[i] <= edges[i+1]) {
			t.Fatalf("%v in %d bins: edges %v are not in order", xs, bins, h.Edges)
		}
		inside := int64(0)
		for _, x := range xs {
			if x >= edges[i] && (x < edges[i+1] || i == bins-1 && x <= high) {
				inside++
			}
		}
		if inside != h.Counts[i] {
			t.Fatalf("%v in %d bins: bin %d from %v to %v has %d, want %d", xs, bins, i, h.Edges[i], h.Edges[i+1], h.Counts[i], inside)
		}
	}
}
