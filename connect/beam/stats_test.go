package npyio

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/stats"
)

func init() { register.Function2x0(collectSummary) }

// summaries holds the results of pipelines, by the name of a test.
var summaries sync.Map

func collectSummary(x Summary, test string) { summaries.Store(test, x) }

// summarise returns the statistics that a pipeline computes.
func summarise(t *testing.T, d Dataset) []stats.Stats {
	t.Helper()
	run(t, func(s beam.Scope) {
		beam.ParDo0(s, collectSummary, Stats(s, d), beam.SideInput{Input: beam.Create(s, t.Name())})
	})
	x, ok := summaries.Load(t.Name())
	if !ok {
		t.Fatal("the pipeline has no result")
	}
	all, err := x.(Summary).Stats()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A pipeline computes the bits of stats.Of for the whole array.
func TestStats(t *testing.T) {
	pattern, _ := saveSkewed(t, 1_500_000, 0, 7, 90_000, 1)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	a, err := d.open()
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	want, err := stats.Of(t.Context(), a.Array)
	if err != nil {
		t.Fatal(err)
	}
	if got := summarise(t, d); !reflect.DeepEqual(got, want) {
		t.Errorf("a pipeline has %+v, stats.Of has %+v", got, want)
	}
}

func TestStatsFilteredAndCast(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.npy")
	random := rand.New(rand.NewPCG(5, 6))
	data := make([]float64, 300_000)
	for i := range data {
		data[i] = float64(random.IntN(2000) - 1000)
	}
	if err := npy.Save(name, data); err != nil {
		t.Fatal(err)
	}
	d, err := Open(t.Context(), name)
	if err == nil {
		d, err = d.Filter("x > 0")
	}
	if err == nil {
		d, err = d.Cast(must(dtype.Parse("<i2")), npy.SameKindCasting)
	}
	if err == nil {
		t.Fatal("float64 is cast to int16 with same_kind")
	}
	if d, err = d.Cast(must(dtype.Parse("<i2")), npy.UnsafeCasting); err != nil {
		t.Fatal(err)
	}
	sum, count := int64(0), int64(0)
	for _, x := range data {
		if x > 0 {
			sum, count = sum+int64(x), count+1
		}
	}
	got := summarise(t, d)[0]
	if total, _ := got.Sum.Int(); total == nil || total.Int64() != sum || got.Count != count || got.ArgMin != nil {
		t.Errorf("sum %v of %d elements, argmin %v, want %d of %d and none", got.Sum, got.Count, got.ArgMin, sum, count)
	}
}

func TestStatsOfNothing(t *testing.T) {
	pattern, _ := saveSkewed(t, 0)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	if got := summarise(t, d); len(got) != 1 || got[0].Count != 0 {
		t.Errorf("an empty array has %+v", got)
	}
}
