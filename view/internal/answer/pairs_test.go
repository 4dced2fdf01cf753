package answer_test

import (
	"math"
	"net/url"
	"testing"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/view/internal/answer"
)

// Each pair is counted in the hexagon whose middle is nearest, and pairs with NaN or outside of the range in none.
func TestPairs(t *testing.T) {
	const n = 4000
	xs, ys, random := make([]float64, n), make([]int16, n), oracle.Rand(t)
	for i := range xs {
		xs[i], ys[i] = random.NormFloat64(), int16(random.NormFloat64()*100)
		if random.IntN(50) == 0 {
			xs[i] = math.NaN()
		}
	}
	a := answer.New([]answer.Input{input("m.npz", slice(t, xs, n), slice(t, ys, n), slice(t, xs, 40, 100), slice(t, ys, 40, 100), slice(t, []float64{}, 0), slice(t, []string{"a"}, 1), slice(t, xs[:1], 1), slice(t, []complex128{3 + 4i}, 1))})
	defer a.Close()
	for _, query := range []string{"x=0.0&y=0.1&at=x&hexes=20", "x=0.2&y=0.3&at=y,x&hexes=7&hexrows=9", "x=0.0&y=0.1&at=x&hexes=20&x0=-1&x1=1.5&y0=-50&y1=20"} {
		head, arrays := frame(t, ask(t, a, "pairs", query))
		x, y := head["x"].([]any), head["y"].([]any)
		columns, rows := int(head["columns"].(float64)), int(head["rows"].(float64))
		want := make([]float64, len(arrays["counts"]))
		middle := func(i int) (float64, float64) { // of hexagon i, in steps of the grid
			if first := (columns + 1) * (rows + 1); i >= first {
				return float64((i-first)/rows) + 0.5, float64((i-first)%rows) + 0.5
			}
			return float64(i / (rows + 1)), float64(i % (rows + 1))
		}
		tied := 0.0
		for i := range xs {
			u := (xs[i] - x[0].(float64)) / (x[1].(float64) - x[0].(float64)) * float64(columns)
			v := (float64(ys[i]) - y[0].(float64)) / (y[1].(float64) - y[0].(float64)) * float64(rows)
			if !(u >= 0 && u <= float64(columns) && v >= 0 && v <= float64(rows)) {
				continue
			}
			best, least, next := -1, math.Inf(1), math.Inf(1)
			for k := range want {
				mx, my := middle(k)
				if d := (u-mx)*(u-mx) + 3*(v-my)*(v-my); d < least {
					best, least, next = k, d, least
				} else {
					next = min(next, d)
				}
			}
			if next-least < 1e-9 {
				tied++
			}
			want[best]++
		}
		off := 0.0
		for k := range want {
			off += math.Abs(want[k] - arrays["counts"][k])
		}
		if off > 2*tied {
			t.Errorf("%s: %v pairs are in other hexagons", query, off/2)
		}
		if len(arrays["x"]) != n || arrays["y"][17] != float64(ys[17]) {
			t.Errorf("%s: the pairs themselves are %d", query, len(arrays["x"]))
		}
	}
	for _, query := range []string{"x=0.4&y=0.4&at=x", "x=0.6&y=0.6&at=x", "x=0.6&y=0.7&at=x"} {
		if _, arrays := frame(t, ask(t, a, "pairs", query)); len(arrays["counts"]) == 0 {
			t.Errorf("%s: no hexagons", query)
		}
	}
	for _, query := range []string{"x=0.0&y=0.2&at=x", "x=0.0&y=0.6&at=x", "x=0.0&y=0.5&at=x", "x=0.9&y=0.0&at=x", "x=0.0&y=0.1&at=x&hexes=0", "x=0.0&y=0.1&at=x&hexes=100000", "x=0.0&y=0.1&at=x&x0=nan", "x=0.0&y=0.1&at=x&x0=2&x1=1", "x=0.0&y=0.1&at=x&x0=-1e308&x1=1e308", "at=x", "x=0.0.z&y=0.1&at=x"} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Answer(t.Context(), "pairs", q, &paper{}); err == nil || answer.Status(err) == 500 {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// A quick answer about many pairs is of a sample of them, which stay together.
func TestPairsOfSample(t *testing.T) {
	const n = 1300
	xs, ys := make([]float32, n*n), make([]uint16, n*n)
	for i := range xs {
		xs[i], ys[i] = float32(i%1000), uint16(i%1000)
	}
	a := answer.New([]answer.Input{input("m.npz", slice(t, xs, n, n), slice(t, ys, n, n), slice(t, xs, n*n), slice(t, ys, n*n))})
	defer a.Close()
	for _, query := range []string{"x=0.0&y=0.1&at=y,x", "x=0.2&y=0.3&at=x"} {
		for _, quick := range []string{"&quick=1", ""} {
			head, arrays := frame(t, ask(t, a, "pairs", query+"&hexes=10&hexrows=10"+quick))
			if head["exact"] != (quick == "") {
				t.Errorf("%s%s: %v", query, quick, head)
			}
			for i, c := range arrays["counts"][:11*11] { // the diagonal alone
				if d := i/11 - i%11; (d > 1 || d < -1) && c > 0 {
					t.Errorf("%s%s: hexagon %d has %v", query, quick, i, c)
				}
			}
		}
	}
}
