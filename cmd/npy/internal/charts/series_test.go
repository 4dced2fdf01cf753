package charts

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// records returns records of the fields t (datetime64[D]), a and b (float64) and z (complex64), of rising t.
func records(t *testing.T, n int) *npy.Array {
	t.Helper()
	of, err := dtype.Parse("[('t', '<M8[D]'), ('a', '<f8'), ('b', '<f8'), ('z', '<c8')]")
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.New(of, n)
	if err != nil {
		t.Fatal(err)
	}
	days, err := a.Field("t")
	if err != nil {
		t.Fatal(err)
	}
	b, err := a.Field("b")
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		days.Item(i)[0] = byte(i)
		b.Item(i)[7], b.Item(i)[6] = 0x40, byte(16*(i%2)) // 2 and 4 in turn
	}
	return a
}

// The arrays along x and y, the series, and whether they are joined.
func TestSeries(t *testing.T) {
	table := mustArray(t, []float64{0, 5, 2, 1, 4, 3, 2, 3, 4, 3, 2, 5, 4, 1, 6}, 5, 3)
	complexes := mustArray(t, []complex128{1, 2i, 3 + 4i})
	for _, test := range []struct {
		why     string
		array   *npy.Array
		options Options
		names   string
		joined  bool
		x, y    string
	}{
		{"fields along times", records(t, 5), Options{X: "t", Y: []string{"b", "a"}}, "b a", true, "t (1970)", ""},
		{"times are x if they are first", records(t, 5), Options{Y: []string{"b"}}, "a", true, "t (1970)", "b"},
		{"x that falls is points", records(t, 5), Options{X: "b", Y: []string{"a"}}, "a", false, "b", "a"},
		{"x that rises is a line", records(t, 5), Options{X: "a", Y: []string{"b"}}, "a", true, "a", "b"},
		{"but not by --kind scatter", records(t, 5), Options{X: "a", Y: []string{"b"}, Kind: scatterPlot}, "a", false, "a", "b"},
		{"complex fields", records(t, 5), Options{X: "t", Y: []string{"z"}}, "z real,z imaginary", true, "t (1970)", ""},
		{"columns", table, Options{Axis: -2}, "[:, 0],[:, 1],[:, 2]", true, "", ""},
		{"rows", table, Options{Axis: 1}, "[0],[1],[2],[3],[4]", true, "", ""},
		{"a column along x", table, Options{X: "0", Y: []string{"-1", "1"}}, "[:, 2],[:, 1]", true, "[:, 0]", ""},
		{"points of a table", table, Options{Kind: scatterPlot}, "[:, 1],[:, 2]", false, "[:, 0]", ""},
		{"labels", table, Options{Kind: linePlot, Labels: []string{"a", "b c", ""}}, "a,b c,", true, "", ""},
		{"complex numbers", complexes, Options{}, "real,imaginary", true, "", ""},
		{"the complex plane", complexes, Options{Kind: scatterPlot}, "a", false, "real", "imaginary"},
		{"labels of axes", table, Options{Kind: linePlot, XLabel: "u", YLabel: "v"}, "[:, 0],[:, 1],[:, 2]", true, "u", "v"},
	} {
		t.Run(test.why, func(t *testing.T) {
			c := newChart(t, test.array, test.options)
			var names []string
			for _, s := range c.series {
				names = append(names, s.name)
				if s.joined != test.joined {
					t.Errorf("%s: joined is %t", s.name, s.joined)
				}
			}
			if got := strings.Join(names, ","); strings.ReplaceAll(got, ",", " ") != strings.ReplaceAll(test.names, ",", " ") {
				t.Errorf("series %s, want %s", got, test.names)
			}
			if c.x.title != test.x || c.y.title != test.y {
				t.Errorf("axes %q and %q, want %q and %q", c.x.title, c.y.title, test.x, test.y)
			}
		})
	}
}

// A dot leads to a field of a field, unless a field has the whole name.
func TestFieldPath(t *testing.T) {
	of, err := dtype.Parse("[('p', [('x', '<f4'), ('p.x', '<f8')]), ('p.y', '<i2'), ('n', '<U2')]")
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.New(of, 3)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"p.x": "float32", "p.p.x": "float64", "p.y": "int16", "p": "", "n": "", "p.z": "", "": "", "p.": "", "x": ""} {
		c, err := plotSource{Source: a, ctx: t.Context()}.named(path, 0)
		if (err == nil) != (want != "") {
			t.Errorf("%q: %v", path, err)
		}
		if err == nil {
			if values, err := c.part(1, 3); err != nil || len(values) != 2 || c.of.Name() != want {
				t.Errorf("%q is %s, %v, %v; want %s", path, c.of.Name(), values, err, want)
			}
		}
	}
}

// Lines and points along an array of its own.
func TestSetX(t *testing.T) {
	c := New(Options{Axis: NoAxis, X: "x.npy", Size: Size{Width: 400, Height: 300}})
	y := mustArray(t, []float64{1, 2, 3})
	if c.Find(y, "x.npy") == nil {
		t.Error("an array has a field")
	}
	if err := c.SetX("x.npy", mustArray(t, []float32{5, 7, 6})); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"y", "z"} {
		if _, err := c.Add(t.Context(), name, y); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Add(t.Context(), "short", mustArray(t, []float64{1, 2})); err == nil {
		t.Error("x and y have different lengths")
	}
	if err := c.Finish(); err != nil || c.x.title != "x.npy" || len(c.series) != 2 || c.series[1].joined || !slices.Equal(c.series[1].x, []float64{5, 7, 6}) {
		t.Errorf("%v, %+v", err, c.series)
	}
}

// Every point that is not drawn is counted, once, by its reason.
func TestLeftOut(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	values := []float64{nan, 1, inf, -inf, 0, -2, 50, 3}
	short := mustArray(t, values)
	long := make([]float64, 30_000)
	for i := range long {
		long[i] = float64(i%100 + 1)
	}
	copy(long, values)
	for _, test := range []struct {
		why   string
		array *npy.Array
		o     Options
		want  tally
	}{
		{"a line", short, Options{}, tally{nan: 1, infinite: 2}},
		{"a log axis", short, Options{Log: LogAxes{Y: true}}, tally{nan: 1, infinite: 2, notPositive: [2]int{0, 2}}},
		{"an index on a log axis", short, Options{Log: LogAxes{X: true}}, tally{nan: 1, infinite: 2}},
		{"a long line", mustArray(t, long), Options{Log: LogAxes{Y: true}}, tally{nan: 1, infinite: 2, notPositive: [2]int{0, 2}}},
		{"points", mustArray(t, long, 15_000, 2), Options{Log: LogAxes{X: true}}, tally{nan: 1, infinite: 1, notPositive: [2]int{1, 0}}},
		{"limits", short, Options{YLimits: mustRange(t, "0,10")}, tally{nan: 1, infinite: 2, outside: 2}},
		{"limits of x", short, Options{XLimits: mustRange(t, "5,6")}, tally{outside: 6}},
		{"limits of a long line", mustArray(t, long), Options{XLimits: mustRange(t, "100,9999")}, tally{outside: 20_100}},
		{"a histogram", short, Options{Kind: histPlot, Log: LogAxes{X: true}}, tally{nan: 1, infinite: 2, notPositive: [2]int{2, 0}}},
	} {
		t.Run(test.why, func(t *testing.T) {
			test.o.Axis, test.o.Bins, test.o.Size = NoAxis, 10, Size{Width: 400, Height: 300}
			notes, err := New(test.o).Add(t.Context(), "a", test.array)
			if err != nil {
				t.Fatal(err)
			}
			test.want.points = test.array.Shape()[0]
			if got, want := strings.Join(notes, "\n"), strings.Join(test.want.words(), "\n"); got != want {
				t.Errorf("it says\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func mustRange(t *testing.T, text string) (r Range) {
	t.Helper()
	if err := r.Set(text); err != nil {
		t.Fatal(err)
	}
	return r
}

// An array none of whose values can be drawn is an error that says why.
func TestNothingToDraw(t *testing.T) {
	for _, test := range []struct {
		values []float64
		o      Options
		want   string
	}{
		{[]float64{-1, -2}, Options{Log: LogAxes{Y: true}}, "of 2 values, 2 are not positive; a log axis"},
		{[]float64{-1, -2}, Options{Log: LogAxes{X: true}, Kind: histPlot}, "of 2 values, 2 are not positive along x; a log axis"},
		{[]float64{math.NaN(), math.Inf(1)}, Options{}, "of 2 values, 1 is NaN, 1 is infinite"},
		{[]float64{1, 2}, Options{XLimits: mustRange(t, "5,6")}, "2 are outside of --xlim or --ylim; leave"},
	} {
		test.o.Axis, test.o.Bins = NoAxis, 3
		if _, err := New(test.o).Add(t.Context(), "a", mustArray(t, test.values)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.values, err, test.want)
		}
	}
}

// The bins of whole numbers have whole numbers at their middles or an equal number of them, and count each once.
func TestWholeBins(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		width, offset := 1+r.Int64N(500), r.Int64N(2000)-1000
		values := make([]int64, 1+r.IntN(300))
		for i := range values {
			values[i] = offset + r.Int64N(width)
		}
		log := offset > 0 && r.IntN(2) == 0
		h := newChart(t, mustArray(t, values), Options{Kind: histPlot, Bins: 1 + r.IntN(60), Log: LogAxes{X: log}}).hist
		for i, count := range h.counts {
			if low, high := h.edges[i]-0.5, h.edges[i+1]-0.5; low != math.Round(low) || high != math.Round(high) || !log && high-low != h.edges[1]-h.edges[0] {
				t.Fatalf("edges %v", h.edges)
			}
			want := 0
			for _, v := range values {
				if float64(v) >= h.edges[i] && float64(v) < h.edges[i+1] {
					want++
				}
			}
			if count != want {
				t.Fatalf("bin %d of %v has %d of %v, want %d", i, h.edges, count, values, want)
			}
		}
	}
}

// A density has all points, and one point can be seen.
func TestDensity(t *testing.T) {
	const n = 120_000
	r := rand.New(rand.NewPCG(1, 2))
	points := make([]float64, 2*n)
	for i := range points {
		points[i] = r.NormFloat64()
	}
	points[0], points[1], points[3] = 9, 9, math.NaN()
	c := newChart(t, mustArray(t, points, n, 2), Options{})
	g := c.series[0].grid
	if g == nil {
		t.Fatal("it has no grid")
	}
	sum := 0
	for _, count := range g.counts {
		sum += count
	}
	if sum != n-1 || g.counts[len(g.counts)-1] != 1 || len(g.counts) != g.columns*g.rows || g.columns != 400/densityCell {
		t.Errorf("%d points in %d cells, %d in the last", sum, len(g.counts), g.counts[len(g.counts)-1])
	}
	if c.x.high < 9 || c.y.high < 9 {
		t.Errorf("axes end at %v and %v", c.x.high, c.y.high)
	}
	if z, ok := c.colorScale(); !ok || z.title != "points" || z.low != 1 || z.high != float64(g.most()) {
		t.Errorf("the colours are of %+v", z)
	}
}
