package answer_test

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/view/internal/answer"
)

// percentile returns numpy.percentile(values, p) of numbers without NaN.
func percentile(values []float64, p float64) float64 {
	xs := slices.Sorted(slices.Values(values))
	at := p / 100 * float64(len(xs)-1)
	i := min(int(at), len(xs)-2)
	return xs[i] + (xs[i+1]-xs[i])*(at-float64(i))
}

// Percentiles and counts are of the elements of the window, also where a sample was asked for and there are few.
func TestSpread(t *testing.T) {
	const rows, columns = 61, 47
	values, random := make([]float64, rows*columns), oracle.Rand(t)
	shorts, bytes := make([]uint16, len(values)), make([]uint8, 3*len(values))
	for i := range values {
		values[i] = random.NormFloat64()
		shorts[i] = uint16(1000 + random.IntN(100))
		switch random.IntN(20) {
		case 0:
			values[i] = math.NaN()
		case 1:
			values[i] = math.Inf(1 - 2*random.IntN(2))
		case 2:
			shorts[i] = 65535
		}
	}
	for i := range bytes {
		bytes[i] = uint8(random.Uint32())
	}
	a := answer.New([]answer.Input{input("m.npz", slice(t, values, rows, columns), slice(t, shorts, rows, columns), slice(t, bytes, rows, columns, 3), slice(t, []float64{math.NaN()}, 1, 1), slice(t, []float64{}, 0, 2))})
	defer a.Close()
	window := func(keep func(v float64) bool, of func(i int) float64) (out []float64) {
		for y := 3; y < 50; y++ {
			for x := 5; x < 40; x++ {
				if v := of(y*columns + x); keep(v) {
					out = append(out, v)
				}
			}
		}
		return out
	}
	finite := func(v float64) bool { return v-v == 0 }
	for _, test := range []struct {
		query  string
		values []float64
	}{
		{"e=0&at=y,x", window(finite, func(i int) float64 { return values[i] })},
		{"e=0&at=y,x&positive=1", window(func(v float64) bool { return finite(v) && v > 0 }, func(i int) float64 { return values[i] })},
		{"e=1&at=y,x", window(finite, func(i int) float64 { return float64(shorts[i]) })},
		{"e=2&at=y,x,1", window(finite, func(i int) float64 { return float64(bytes[3*i+1]) })},
	} {
		for _, cut := range []float64{0, 0.1, 2, 25} {
			edges := []float64{-1, -0.5, 0, 0.25, 1, 50, 1020, 1050, 70000}
			text := strings.ReplaceAll(strings.Trim(fmt.Sprint(edges), "[]"), " ", ",")
			got := askJSON(t, a, "spread", fmt.Sprintf("%s&y0=3&y1=50&x0=5&x1=40&cut=%v&edges=%s&quick=1", test.query, cut, text))
			low, high := got["low"].(float64), got["high"].(float64)
			if w := percentile(test.values, cut); math.Abs(low-w) > 1e-12*math.Abs(w) {
				t.Errorf("%s: percentile %v is %v, want %v", test.query, cut, low, w)
			}
			if w := percentile(test.values, 100-cut); math.Abs(high-w) > 1e-12*math.Abs(w) {
				t.Errorf("%s: percentile %v is %v, want %v", test.query, 100-cut, high, w)
			}
			want := make([]float64, len(edges)-1)
			for _, v := range test.values {
				for i := range want {
					if v >= edges[i] && v < edges[i+1] {
						want[i]++
					}
				}
			}
			if fmt.Sprint(got["counts"]) != fmt.Sprint(want) || got["exact"] != true {
				t.Errorf("%s: %v, want %v", test.query, got, want)
			}
		}
	}
	for _, query := range []string{"e=3&at=y,x&cut=1", "e=4&at=y,x&cut=1", "e=4&at=y,x&cut=0&edges=0,1"} {
		if got := askJSON(t, a, "spread", query); got["low"] != nil || got["high"] != nil {
			t.Errorf("%s: %v", query, got)
		}
	}
	for _, query := range []string{"at=y,x&cut=50", "at=y,x&cut=-1", "at=y,x&cut=nan", "at=y,x&edges=1", "at=y,x&edges=2,1", "at=y,x&edges=0,inf", "at=y,x&edges=0" + strings.Repeat(",1", 5000), "at=y,x&edges=a,b"} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Answer(t.Context(), "spread", q, &paper{}); err == nil || answer.Status(err) != 400 {
			t.Errorf("%s: %v", query[:min(len(query), 60)], err)
		}
	}
}

// A quick answer about many elements is of a sample and says so.
func TestSpreadOfSample(t *testing.T) {
	const n = 1500
	values := make([]uint8, n*n)
	for i := range values {
		values[i] = uint8(i * 7)
	}
	values[n*700+3] = 255
	a := answer.New([]answer.Input{input("m.npz", slice(t, values, n, n), slice(t, values, n*n), slice(t, values[:n*n/3*3], n*n/3, 1, 3))})
	defer a.Close()
	for _, query := range []string{"e=0&at=y,x", "e=1&at=x", "e=2&at=y,x,c"} {
		quick := askJSON(t, a, "spread", query+"&cut=10&quick=1")
		exact := askJSON(t, a, "spread", query+"&cut=10")
		if quick["exact"] != false || exact["exact"] != true || quick["elements"].(float64) >= exact["elements"].(float64) {
			t.Errorf("%s: %v and %v", query, quick, exact)
		}
		if low := quick["low"].(float64); math.Abs(low-exact["low"].(float64)) > 20 {
			t.Errorf("%s: %v and %v", query, quick, exact)
		}
	}
}
