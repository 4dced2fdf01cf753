package answer

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/computed"
)

// Large arrays are summarised as package stats does.
func TestFolded(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]float64, 7*300*400)
	for i := range data {
		if data[i] = math.Round(r.NormFloat64() * 1000); i%5 == 0 || i%400 == 17 {
			data[i] = math.NaN()
		}
	}
	floats, err := npy.FromSlice(data, 7, 300, 400)
	if err != nil {
		t.Fatal(err)
	}
	data = slices.Clone(data)
	for i := range data {
		if math.IsNaN(data[i]) {
			data[i] = 3
		}
	}
	ints, err := npy.FromSlice(data, 7, 300, 400)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := computed.Cast(dtype.Int32, ints)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []npy.Source{floats, npy.Transposed(floats), whole} {
		for axis := range 3 {
			for _, how := range []string{"mean", "max", "min"} {
				want, err := projected(ctx, src, axis, how)
				if err != nil {
					t.Fatal(err)
				}
				got, err := folded(ctx, src, axis, how)
				if err != nil {
					t.Fatal(err)
				}
				a, b := values(t, got), values(t, want)
				if fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) || !got.DType().Equal(want.DType()) {
					t.Fatalf("axis %d, %s: dtype %s, shape %v; want %s, %v", axis, how, got.DType(), got.Shape(), want.DType(), want.Shape())
				}
				for i := range a {
					if a[i] != b[i] && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
						t.Fatalf("axis %d, %s, result %d: %v, want %v", axis, how, i, a[i], b[i])
					}
				}
			}
		}
	}
}

// values returns the elements of an array as float64.
func values(t *testing.T, src npy.Source) []float64 {
	t.Helper()
	src, err := computed.Cast(dtype.Float64, src)
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.ReadInto(context.Background(), []float64(nil), src)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The extremes of integers that float64 does not hold keep all their digits.
func TestProjectedExact(t *testing.T) {
	data := make([]int64, 3_000_000)
	data[4] = math.MaxInt64 - 2
	a, err := npy.FromSlice(data, 1_000_000, 3)
	if err != nil {
		t.Fatal(err)
	}
	got, err := projected(t.Context(), a, 0, "max")
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := texts(got.(*npy.Array), 100)(1); text != fmt.Sprint(data[4]) {
		t.Errorf("the largest is %s, want %d", text, data[4])
	}
	if _, err := projected(t.Context(), a, 1, "max"); err != nil {
		t.Error(err)
	}
	wide, err := npy.FromSlice(data, 2, 1_500_000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := projected(t.Context(), wide, 0, "max"); Status(err) != 400 {
		t.Errorf("error %v for 1,500,000 results", err)
	}
}

// Times of large arrays have the mean that those of small ones have: a time, without NaT.
func TestProjectedTimes(t *testing.T) {
	ticks := make([]int64, 3_000_000)
	for i := range ticks {
		ticks[i] = int64(i % 3)
	}
	ticks[0] = math.MinInt64
	numbers, err := npy.FromSlice(ticks, 1_000_000, 3)
	if err != nil {
		t.Fatal(err)
	}
	seconds, err := dtype.Parse("<M8[s]")
	if err != nil {
		t.Fatal(err)
	}
	times, err := computed.Cast(seconds, numbers)
	if err != nil {
		t.Fatal(err)
	}
	got, err := projected(t.Context(), times, 0, "mean")
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := texts(got.(*npy.Array), 100)(2); text != "1970-01-01T00:00:02" {
		t.Errorf("the mean is %s", text)
	}
	if text, _ := texts(got.(*npy.Array), 100)(0); text != "1970-01-01T00:00:00" {
		t.Errorf("the mean beside NaT is %s", text)
	}
}
