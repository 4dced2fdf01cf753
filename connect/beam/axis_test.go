package npyio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/stats"
)

func init() {
	register.Function2x0(collectCounts)
	register.Function2x0(collectQuantiles)
	register.Function2x0(collectAxis)
}

// results holds the elements of results, by the name of a test.
var results sync.Map

func collectCounts(x Counts, name string)           { results.Store(name, x) }
func collectQuantiles(x QuantileState, name string) { results.Store(name, x) }
func collectAxis(x AxisSummary, name string)        { results.Store(name, x) }

// smallBlocks makes many blocks of few elements.
func smallBlocks(t *testing.T) {
	before := mostStatsBytes
	mostStatsBytes = 100_000
	t.Cleanup(func() { mostStatsBytes = before })
}

// result returns the only element of a result.
func result[T any](t *testing.T, name string) T {
	t.Helper()
	x, ok := results.Load(name)
	if !ok {
		t.Fatalf("%s: the pipeline has no result", name)
	}
	return x.(T)
}

// done returns a result that has no error.
func done[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// keep collects a result in a pipeline.
func keep(t *testing.T, s beam.Scope, collect any, name string) func(col beam.PCollection, err error) {
	t.Helper()
	return func(col beam.PCollection, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		beam.ParDo0(s, collect, col, one(beam.Create(s, name)))
	}
}

// makeNumeric makes files of very different lengths, of rows of 4 elements, and answers of NumPy. Floats are whole
// numbers, so that NumPy's sums are exact.
const makeNumeric = `
import os
os.chdir(sys.argv[1])
rng = np.random.default_rng(11)
answers = []
for i, descr in enumerate(json.loads(sys.argv[2])):
    t = np.dtype(descr)
    parts = []
    for k, n in enumerate([20000, 0, 3, 9001]):
        a = rng.integers(-100, 100, (n, 4)) if t.kind != 'f' else np.round(rng.normal(size=(n, 4)) * 1e5)
        if t.kind in 'ub': a = abs(a) if t.kind == 'u' else a > 0
        a = a.astype(t)
        if t.kind == 'f' and n > 5: a[1::7, 2] = np.nan
        if t.kind in 'mM' and n > 5: a[1::7, 2] = 'NaT'
        np.save('%d-%d.npy' % (i, k), a)
        parts.append(a)
    a = np.concatenate(parts)
    x = {}
    if t.kind in 'mM':
        m = np.isnat(a)
        x['quantiles'] = [str(v) for v in np.quantile(a[~m].astype('i8'), [0, 1]).astype('i8')]
        x['min'] = np.where(m, 10**9, a.astype('i8')).min(0).tolist()
    else:
        f = a.astype('f8')
        x['quantiles'] = [v.hex() for v in np.nanquantile(f, [0, 0.1, 1/3, 0.5, 0.999, 1])]
        counts, edges = np.histogram(f[~np.isnan(f)], bins=17)
        x['counts'], x['edges'] = counts.tolist(), [v.hex() for v in edges]
        x['between'] = np.histogram(f, bins=[-50, 0, 0.5, 70])[0].tolist()
        x['ranged'] = np.histogram(f, bins=9, range=(-20, 60))[0].tolist()
        for axis in 0, 1:
            for name in 'sum', 'min', 'max', 'mean':
                x['%s%d' % (name, axis)] = [v.hex() for v in getattr(np, 'nan' + name)(f, axis=axis)]
    answers.append(x)
print(json.dumps(answers))
`

// numeric are the dtypes of TestBesideNumPy.
var numeric = []string{"<f8", ">f4", "|u1", "|b1", ">i8", "<M8[s]"}

// Histograms, quantiles and statistics along axes equal those that package stats and NumPy compute for the whole array.
func TestBesideNumPy(t *testing.T) {
	smallBlocks(t)
	dir := t.TempDir()
	types, err := json.Marshal(numeric)
	if err != nil {
		t.Fatal(err)
	}
	var answers []map[string]json.RawMessage
	if err := json.Unmarshal(oracle.NumPy(t, makeNumeric, nil, dir, string(types)), &answers); err != nil {
		t.Fatal(err)
	}
	qs := []float64{0, 0.1, 1. / 3, 0.5, 0.999, 1}
	axes := [][]int{{0}, {1}, {-1, 0}, nil}
	for i, descr := range numeric {
		d, err := Open(t.Context(), filepath.Join(dir, fmt.Sprintf("%d-*.npy", i)))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := d.open()
		if err != nil {
			t.Fatal(err)
		}
		defer whole.Close()
		times := strings.Contains("mM", descr[1:2])
		run(t, func(s beam.Scope) {
			keep(t, s, collectCounts, descr+" bins")(Histogram(s, d, Bins{N: 17}))
			keep(t, s, collectQuantiles, descr+" quantiles")(Quantiles(s, d, qs...))
			for _, along := range axes {
				keep(t, s, collectAxis, fmt.Sprint(descr, along))(StatsAxis(s, d, along...))
			}
			if !times {
				keep(t, s, collectCounts, descr+" between")(Histogram(s, d, Bins{Edges: []float64{-50, 0, 0.5, 70}}))
				keep(t, s, collectCounts, descr+" ranged")(Histogram(s, d, Bins{N: 9, Low: -20, High: 60}))
			}
		})
		answer := answers[i]
		same := func(what string, got any) {
			t.Helper()
			if text, err := json.Marshal(got); answer[what] != nil && (err != nil || string(text) != strings.ReplaceAll(string(answer[what]), ", ", ",")) {
				t.Errorf("%s, %s: %s, %v, NumPy has %s", descr, what, text, err, answer[what])
			}
		}

		h := done(result[Counts](t, descr+" bins").Histogram())
		if want := done(stats.HistogramOf(t.Context(), whole.Array, 17)); fmt.Sprint(h) != fmt.Sprint(want) {
			t.Errorf("%s: histogram %v, stats has %v", descr, h, want)
		}
		if same("counts", h.Counts); !times {
			same("edges", hexOf(h.Edges))
			same("between", done(result[Counts](t, descr+" between").Histogram()).Counts)
			same("ranged", done(result[Counts](t, descr+" ranged").Histogram()).Counts)
		}

		quantiles := done(result[QuantileState](t, descr+" quantiles").Quantiles())
		if want := done(stats.QuantilesOf(t.Context(), whole.Array, qs...)); fmt.Sprint(quantiles) != fmt.Sprint(want) {
			t.Errorf("%s: quantiles %v, stats has %v", descr, quantiles, want)
		}
		if !times {
			same("quantiles", hexOf(quantiles[0].Values))
		}

		for _, along := range axes {
			got := done(result[AxisSummary](t, fmt.Sprint(descr, along)).Axis())
			want := done(stats.Along{Axes: along}.Of(t.Context(), whole.Array))
			sameAxis(t, fmt.Sprint(descr, along), got, want)
			if len(along) == 1 && !times {
				for name, a := range map[string]*npy.Array{"sum": got.Sum, "min": got.Min, "max": got.Max, "mean": got.Mean} {
					same(name+fmt.Sprint(along[0]), hexOfArray(t, a))
				}
			} else if len(along) == 1 && along[0] == 0 {
				same("min", done(npy.As[int64](done(npy.FromBytes(must(dtype.Parse("<i8")), got.Min.Bytes(), 4)))).ToSlice())
			}
		}
	}
}

// sameAxis fails unless the bits are equal, but for the last digit of standard deviations.
func sameAxis(t *testing.T, name string, got, want stats.Axis) {
	t.Helper()
	for i, pair := range [][2]*npy.Array{{got.Mean, want.Mean}, {got.Min, want.Min}, {got.Max, want.Max}, {got.Sum, want.Sum}, {got.Std, want.Std}} {
		a, b := pair[0], pair[1]
		if (a == nil) != (b == nil) {
			t.Fatalf("%s: result %d is %v, stats has %v", name, i, a, b)
		}
		if a == nil || slices.Equal(a.Shape(), b.Shape()) && a.DType().Equal(b.DType()) && bytes.Equal(a.Bytes(), b.Bytes()) {
			continue
		}
		if i == 4 && slices.Equal(a.Shape(), b.Shape()) {
			xs, ys := done(npy.As[float64](a)).ToSlice(), done(npy.As[float64](b)).ToSlice()
			if slices.EqualFunc(xs, ys, func(x, y float64) bool { return x != x && y != y || math.Abs(x-y) <= 3e-16*y }) {
				continue
			}
		}
		t.Errorf("%s: result %d has %v %v, stats has %v %v", name, i, a.DType(), a.Shape(), b.DType(), b.Shape())
	}
}

// hexOf returns floats as Python's float.hex does.
func hexOf(values []stats.Value) (texts []string) {
	for _, v := range values {
		texts = append(texts, hexText(v.Float64()))
	}
	return texts
}

func hexOfArray(t *testing.T, a *npy.Array) (texts []string) {
	t.Helper()
	floats, err := a.Cast(must(dtype.Parse("<f8")), npy.UnsafeCasting)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range done(npy.As[float64](floats)).ToSlice() {
		texts = append(texts, hexText(x))
	}
	return texts
}

func hexText(x float64) string {
	if x != x {
		return "nan"
	}
	if x == 0 {
		return "0x0.0p+0"
	}
	text := strconv.FormatFloat(x, 'x', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "p")
	head, digits, _ := strings.Cut(mantissa, ".")
	exp := done(strconv.Atoi(exponent))
	return fmt.Sprintf("%s.%s%sp%+d", head, digits, strings.Repeat("0", 13-len(digits)), exp)
}
