package scalar_test

import (
	"math"
	"slices"
	"testing"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/scalar"
)

func TestTicks(t *testing.T) {
	counts := []int64{0, -1, scalar.NaT, math.MaxInt64, math.MinInt64 + 1}
	times, spans := scalar.Datetime64s(counts...), scalar.Timedelta64s(counts...)
	for i, n := range counts {
		if times[i].Ticks != n || spans[i].Ticks != n || times[i].IsNaT() != (n == scalar.NaT) || spans[i].IsNaT() != times[i].IsNaT() {
			t.Errorf("%d ticks are %v and %v", n, times[i], spans[i])
		}
	}
	if got := scalar.Ticks(times); !slices.Equal(got, counts) || bulk.Shares && &got[0] != &counts[0] {
		t.Errorf("Ticks gives %v, or other memory", got)
	}
	if got := scalar.Ticks(spans[1:3]); !slices.Equal(got, counts[1:3]) {
		t.Errorf("Ticks gives %v", got)
	}
	if len(scalar.Datetime64s()) != 0 || len(scalar.Ticks[scalar.Timedelta64](nil)) != 0 {
		t.Error("there are times without ticks, or ticks without times")
	}
	slices.SortFunc(times, scalar.Datetime64.Compare)
	sorted := scalar.Datetime64s(math.MinInt64+1, -1, 0, math.MaxInt64, scalar.NaT)
	if !slices.Equal(times, sorted) {
		t.Errorf("sorted: %v", times)
	}
	spans = scalar.Timedelta64s(scalar.Ticks(sorted)...)
	for i, x := range sorted {
		for j, y := range sorted {
			d, e := spans[i], spans[j]
			want := max(min(i-j, 1), -1)
			if got := x.Compare(y); got != want || d.Compare(e) != want {
				t.Errorf("%v against %v: %d and %d, want %d", x, y, got, d.Compare(e), want)
			}
		}
	}
	if s := scalar.Datetime64s(scalar.NaT)[0].String() + scalar.Timedelta64s(-5)[0].String(); s != "NaT-5" {
		t.Errorf("String gives %q", s)
	}
}
