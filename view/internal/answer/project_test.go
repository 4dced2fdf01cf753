package answer

import (
	"fmt"
	"math"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// The extremes of integers that float64 does not hold keep all their digits.
func TestProjectedExact(t *testing.T) {
	data := make([]int64, 3_000_000)
	data[4] = math.MaxInt64 - 2
	a, err := npy.FromSlice(data, 1_000_000, 3)
	if err != nil {
		t.Fatal(err)
	}
	got, err := projected(t.Context(), a, []int{0}, "max")
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := texts(got.(*npy.Array), 100)(1); text != fmt.Sprint(data[4]) {
		t.Errorf("the largest is %s, want %d", text, data[4])
	}
	if _, err := projected(t.Context(), a, []int{1}, "max"); err != nil {
		t.Error(err)
	}
	wide, err := npy.FromSlice(data, 2, 1_500_000)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = projected(t.Context(), wide, []int{0}, "max"); err != nil {
		t.Fatal(err)
	}
	if text, _ := texts(got.(*npy.Array), 100)(4); text != fmt.Sprint(data[4]) {
		t.Errorf("of many the largest is %s, want %d", text, data[4])
	}
}

// Times of large arrays have the same mean as in small ones: a time, without NaT.
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
	times, err := npy.Cast(numbers, seconds, npy.UnsafeCasting)
	if err != nil {
		t.Fatal(err)
	}
	got, err := projected(t.Context(), times, []int{0}, "mean")
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
