package npyio

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/stats"
)

// divided runs a DoFn over the blocks of its grid, in ranges of random lengths and in random order, and merges what it
// emits in random groups.
func divided[T any](t *testing.T, random *rand.Rand, fn *blockwise, process func(rt *sdf.LockRTracker, emit func(T)) error, merge func(a, b T) (T, error)) T {
	t.Helper()
	var ranges []offsetrange.Restriction
	for start := int64(0); start < fn.Grid.blocks() || len(ranges) == 0; {
		end := min(start+1+random.Int64N(5), fn.Grid.blocks())
		ranges = append(ranges, offsetrange.Restriction{Start: start, End: end})
		start = end
	}
	var all []T
	for _, i := range random.Perm(len(ranges)) {
		rt := fn.CreateTracker(ranges[i])
		if err := process(rt, func(x T) { all = append(all, x) }); err != nil || !rt.IsDone() {
			t.Fatal(err, rt.IsDone())
		}
	}
	for len(all) > 1 {
		i := random.IntN(len(all))
		one := all[i]
		all = slices.Delete(all, i, i+1)
		into := random.IntN(len(all))
		merged, err := merge(all[into], one)
		if err != nil {
			t.Fatal(err)
		}
		all[into] = merged
	}
	return all[0]
}

// The bits of all results are the same however the blocks are divided among workers, and in whatever order they are merged.
func TestDivision(t *testing.T) {
	smallBlocks(t)
	pattern, _ := saveSkewed(t, 60_000, 0, 7, 9_000, 1)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	ctx, random := t.Context(), rand.New(rand.NewPCG(13, 14))
	base := blockwise{Data: d, Grid: grid{d.Shape[0], d.rowsOf(mostStatsBytes)}}
	if err := base.Setup(); err != nil {
		t.Fatal(err)
	}
	defer base.Teardown()
	first := ""
	for range 5 {
		x := divided(t, random, &base, func(rt *sdf.LockRTracker, emit func(Summary)) error {
			return (&statsFn{base}).ProcessElement(ctx, rt, span{}, emit)
		}, (&mergeFn{}).MergeAccumulators)
		all := fmt.Sprint(done(x.Stats()))

		extent := divided(t, random, &base, func(rt *sdf.LockRTracker, emit func([]byte)) error {
			return (&extentFn{base}).ProcessElement(ctx, rt, span{}, emit)
		}, (&mergeExtentsFn{}).MergeAccumulators)
		count := &countFn{base, Counts{DType: d.DType, N: 100}}
		counts := divided(t, random, &base, func(rt *sdf.LockRTracker, emit func(Counts)) error {
			return count.ProcessElement(ctx, rt, span{}, extent, emit)
		}, (&addFn{}).MergeAccumulators)
		all += fmt.Sprint(done(counts.Histogram()))

		acc := done(stats.NewQuantiles(d.dtype(), 0.01, 0.5, 0.99))
		known := QuantileState{done(acc.MarshalBinary())}
		for range acc.Passes() {
			known = done(nextPass(divided(t, random, &base, func(rt *sdf.LockRTracker, emit func(QuantileState)) error {
				return (&quantileFn{base}).ProcessElement(ctx, rt, span{}, known, emit)
			}, (&mergeQuantilesFn{}).MergeAccumulators)))
		}
		all += fmt.Sprint(done(known.Quantiles()))

		for _, axes := range [][]int{{0}, {1}, {0, 1}} {
			fn := &axisFn{base, axes, mergeAxesFn{axes[0] > 0}, 1}
			x := divided(t, random, &base, func(rt *sdf.LockRTracker, emit func(AxisSummary)) error {
				return fn.ProcessElement(ctx, rt, span{}, emit)
			}, fn.Merge.MergeAccumulators)
			axis := done(x.Axis())
			for _, a := range []*npy.Array{axis.Mean, axis.Std, axis.Min, axis.Max, axis.Sum} {
				all += string(a.Bytes())
			}
		}
		if first == "" {
			first = all
		} else if all != first {
			t.Fatal("another division gives other results")
		}
	}
}

// Records have quantiles by field, and NumPy's.
func TestQuantilesOfRecords(t *testing.T) {
	smallBlocks(t)
	dir := t.TempDir()
	answer := string(oracle.NumPy(t, `
import os
os.chdir(sys.argv[1])
rng = np.random.default_rng(3)
t = np.dtype([('a', '<i4'), ('name', 'S3'), ('x', '>f8', (2,))])
parts = []
for k, n in enumerate([9000, 1, 0, 4000]):
    a = np.zeros(n, t)
    a['a'], a['x'] = rng.integers(-2**31, 2**31, n), rng.normal(size=(n, 2))
    np.save('r%d.npy' % k, a)
    parts.append(a)
a = np.concatenate(parts)
print(repr(float(np.quantile(a['a'], 0.3))), repr(float(np.quantile(a['x'], 0.3))), end='')
`, nil, dir))
	d, err := Open(t.Context(), filepath.Join(dir, "*.npy"))
	if err != nil {
		t.Fatal(err)
	}
	run(t, func(s beam.Scope) { keep(t, s, collectQuantiles, t.Name())(Quantiles(s, d, 0.3)) })
	all := done(result[QuantileState](t, t.Name()).Quantiles())
	if len(all) != 2 || all[0].Field != "a" || all[1].Field != "x" {
		t.Fatalf("quantiles are %v", all)
	}
	if got := fmt.Sprint(stats.Float(all[0].Values[0].Float64()), " ", all[1].Values[0]); got != answer {
		t.Errorf("quantiles are %s, NumPy has %s", got, answer)
	}
}

// A filter leaves any number of rows of each block, and all transforms see the same.
func TestFilteredStatistics(t *testing.T) {
	smallBlocks(t)
	pattern, _ := saveSkewed(t, 30_000, 0, 900)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"x[0] > 1.5", "x[0] > 100"} {
		some := done(d.Filter(where))
		some = done(some.Cast(must(dtype.Parse("<f4")), npy.SameKindCasting))
		a := done(some.open())
		defer a.Close()
		chosen := done(done(a.where.Filter(t.Context(), a.Array)).ReadAll(t.Context()))
		chosen = done(a.cast(chosen))
		run(t, func(s beam.Scope) {
			keep(t, s, collectCounts, where)(Histogram(s, some, Bins{N: 5}))
			keep(t, s, collectQuantiles, where+" q")(Quantiles(s, some, 0, 0.9))
			keep(t, s, collectAxis, where+" 0")(StatsAxis(s, some, 0))
			keep(t, s, collectAxis, where+" 1")(StatsAxis(s, some, 1))
		})
		if got, want := done(result[Counts](t, where).Histogram()), done(stats.HistogramOf(t.Context(), chosen, 5)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: histogram %v, want %v", where, got, want)
		}
		if got, want := done(result[QuantileState](t, where+" q").Quantiles()), done(stats.QuantilesOf(t.Context(), chosen, 0, 0.9)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: quantiles %v, want %v", where, got, want)
		}
		for axis := range 2 {
			name := fmt.Sprint(where, " ", axis)
			sameAxis(t, name, done(result[AxisSummary](t, name).Axis()), done(stats.AxisOf(t.Context(), chosen, axis)))
		}
	}
}

// Arrays without elements have results, too.
func TestStatisticsOfNothing(t *testing.T) {
	pattern, _ := saveSkewed(t, 0, 0)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	run(t, func(s beam.Scope) {
		keep(t, s, collectCounts, t.Name())(Histogram(s, d, Bins{N: 5}))
		keep(t, s, collectQuantiles, t.Name()+" q")(Quantiles(s, d, 0.5))
		keep(t, s, collectAxis, t.Name()+" 0")(StatsAxis(s, d, 0))
		keep(t, s, collectAxis, t.Name()+" 1")(StatsAxis(s, d, 1))
	})
	none := done(npy.FromSlice([]float64{}, 0, 3))
	if h := done(result[Counts](t, t.Name()).Histogram()); h.Edges != nil || !slices.Equal(h.Counts, make([]int64, 5)) {
		t.Errorf("histogram %v", h)
	}
	if q := done(result[QuantileState](t, t.Name()+" q").Quantiles()); q[0].Values[0].String() != "nan" {
		t.Errorf("quantiles %v", q)
	}
	for axis := range 2 {
		name := fmt.Sprint(t.Name(), " ", axis)
		sameAxis(t, name, done(result[AxisSummary](t, name).Axis()), done(stats.AxisOf(t.Context(), none, axis)))
	}
}

// What cannot be computed is an error before the pipeline runs.
func TestStatisticsErrors(t *testing.T) {
	dir := t.TempDir()
	save := func(name, descr string, shape ...int) Dataset {
		n := must(dtype.Parse(descr)).ItemSize()
		for _, k := range shape {
			n *= k
		}
		a := done(npy.FromBytes(must(dtype.Parse(descr)), make([]byte, n), shape...))
		if err := npy.WriteFile(filepath.Join(dir, name), a); err != nil {
			t.Fatal(err)
		}
		return done(Open(t.Context(), filepath.Join(dir, name)))
	}
	_, s := beam.NewPipelineWithRoot()
	text, times, wide := save("text.npy", "|S3", 4), save("times.npy", "<M8[s]", 4), save("wide.npy", "|i1", 2, 1, 1<<20+1)
	rows := save("rows.npy", "|i1", 1<<20+1, 2)
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"histogram of text":     {second(Histogram(s, text, Bins{N: 5})), errors.ErrUnsupported},
		"quantiles of text":     {second(Quantiles(s, text, 0.5)), errors.ErrUnsupported},
		"axis of text":          {second(StatsAxis(s, text, 0)), errors.ErrUnsupported},
		"edges for times":       {second(Histogram(s, times, Bins{Edges: []float64{0, 1}})), errors.ErrUnsupported},
		"no bins":               {second(Histogram(s, wide, Bins{})), nil},
		"edges out of order":    {second(Histogram(s, wide, Bins{Edges: []float64{1, 0}})), nil},
		"range out of order":    {second(Histogram(s, wide, Bins{N: 5, Low: 1})), nil},
		"quantile":              {second(Quantiles(s, wide, 1.5)), nil},
		"axis":                  {second(StatsAxis(s, wide, 3)), nil},
		"axis twice":            {second(StatsAxis(s, wide, 2, -1)), nil},
		"many results":          {second(StatsAxis(s, wide, 0, 1)), npy.ErrLimit},
		"many results of rows":  {second(StatsAxis(s, rows, 1)), npy.ErrLimit},
		"no state of a summary": {second(AxisSummary{}.Axis()), nil},
		"no counts":             {second(Counts{DType: "<f8", Edges: []float64{0, 1}}.Histogram()), nil},
	} {
		if c.err == nil || c.want != nil && !errors.Is(c.err, c.want) {
			t.Errorf("%s: error %v, want one that wraps %v", name, c.err, c.want)
		}
	}
	if _, err := StatsAxis(s, wide, 2); err != nil {
		t.Error(err)
	}
	some := AxisSummary{make([][]byte, 1), make([]int, 1), mostResults}
	if _, err := (&mergeAxesFn{Kept: true}).MergeAccumulators(some, some); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("error %v for too many results of a filter", err)
	}
	if _, err := (&mergeQuantilesFn{}).MergeAccumulators(QuantileState{[]byte("a")}, QuantileState{[]byte("b")}); err == nil {
		t.Error("damaged states merge")
	}
	if err := (&quantileFn{}).ProcessElement(context.Background(), nil, span{}, QuantileState{}, nil); err == nil {
		t.Error("no error without a state")
	}
}

func second[T any](_ T, err error) error { return err }
