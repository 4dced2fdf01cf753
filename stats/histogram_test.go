package stats_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/stats"
)

const askHistogram = `
import base64
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    a = np.frombuffer(base64.b64decode(q['data']), dtype=q['descr'])
    f = a.astype('f8')
    f = f[np.isfinite(f)]
    refused, counts, edges = '', f[:0], f[:0]
    try:
        counts, edges = np.histogram(f, q['bins'])
    except IndexError: # a range that leaves float64 on the way
        refused = 'wide'
    except ValueError as e: # NumPy 2, where edges would be the same number
        refused = str(e)
    print(json.dumps({'refused': refused, 'counts': counts.tolist(), 'edges': [x.hex() for x in edges.tolist()]}))
`

func TestHistogramBesideNumPy(t *testing.T) {
	type question struct {
		Descr string `json:"descr"`
		Data  string `json:"data"`
		Bins  int    `json:"bins"`
		data  []byte
	}
	type answer struct {
		Counts  []int64
		Edges   []string
		Refused string
	}
	var questions []question
	for i, q := range liveQuestions(t) {
		if dt := parse(t, q.Descr); dt.ItemSize() <= 8 && q.Descr[1] != 'c' && of(t, mustBytes(t, dt, q.data))[0].Infs == 0 {
			questions = append(questions, question{q.Descr, base64.StdEncoding.EncodeToString(q.data), 1 + i%30, q.data})
		}
	}
	version, answers := oracle.Ask[question, answer](t, askHistogram, questions)
	t.Logf("NumPy %s, %d arrays", version, len(answers))
	for i, q := range questions {
		a, want := mustBytes(t, parse(t, q.Descr), q.data), answers[i]
		h, err := stats.HistogramOf(context.Background(), a, q.Bins)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case want.Refused == "wide":
			continue
		case strings.HasPrefix(want.Refused, "Too many bins for data range."):
			if len(slices.Compact(edgesOf(h))) == len(h.Edges) {
				t.Errorf("%s of %d, %d bins: NumPy finds no edges for so many, and these all differ: %v", q.Descr, a.Size(), q.Bins, h.Edges)
			}
			continue
		case want.Refused != "":
			t.Fatal(want.Refused)
		}
		if of(t, a)[0].Count > of(t, a)[0].NaNs && h.Edges[0].Float64() != number(want.Edges[0]) || !slices.Equal(h.Counts, want.Counts) {
			t.Errorf("%s of %d, %d bins: %v from %v, NumPy %v from %v", q.Descr, a.Size(), q.Bins, h.Counts, h.Edges, want.Counts, want.Edges)
		}
	}
}

func edgesOf(h stats.Histogram) (edges []float64) {
	for _, x := range h.Edges {
		edges = append(edges, x.Float64())
	}
	return edges
}

func TestHistogram(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		name   string
		a      *npy.Array
		bins   int
		edges  []float64
		counts []int64
	}{
		{"the last bin has its end", array(t, 0.0, 1, 2, 3, 4), 2, []float64{0, 2, 4}, []int64{2, 3}},
		{"one number", array(t, 7.0, 7), 2, []float64{6.5, 7, 7.5}, []int64{0, 2}},
		{"NaN and infinities are left out", array(t, nan, 1, inf, -inf, 2), 1, []float64{1, 2}, []int64{2}},
		{"nothing but NaN", array(t, nan), 3, nil, []int64{0, 0, 0}},
		{"nothing", array[float64](t), 1, nil, []int64{0}},
		{"a range beyond float64", array(t, -math.MaxFloat64, 0, math.MaxFloat64), 2, []float64{-math.MaxFloat64, 0, math.MaxFloat64}, []int64{1, 2}},
		{"bools", array(t, true, false, true), 2, []float64{0, 0.5, 1}, []int64{1, 2}},
		{"numbers too near for bins", array(t, 1, math.Nextafter(1, 2)), 3, nil, nil},
	} {
		h, err := stats.HistogramOf(context.Background(), tt.a, tt.bins)
		if tt.counts == nil {
			tt.counts, tt.edges = h.Counts, edgesOf(h)
		}
		if err != nil || !slices.Equal(edgesOf(h), tt.edges) || !slices.Equal(h.Counts, tt.counts) {
			t.Errorf("%s: %v, %v, want %v %v", tt.name, h, err, tt.edges, tt.counts)
		}
	}
	for _, bins := range []int{0, -1, 1 << 30} {
		if _, err := stats.HistogramOf(context.Background(), array(t, 1.0), bins); err == nil {
			t.Errorf("%d bins are taken", bins)
		}
	}
	if _, err := stats.HistogramOf(context.Background(), array(t, "x"), 1); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("of strings: %v", err)
	}
}

// Files and parts of files have the results of their arrays. Elements may straddle the pieces that are read.
func TestPassesOverFiles(t *testing.T) {
	ints := make([]int16, 6<<20)
	for i := range ints {
		ints[i] = int16(i % 11)
	}
	a, err := npy.FromSlice(ints, 6<<10, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	f := inFile(t, a)
	want, err := stats.HistogramOf(context.Background(), a, 5)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := stats.HistogramOf(context.Background(), f, 5); err != nil || !slices.Equal(got.Counts, want.Counts) {
		t.Errorf("histogram: %v, %v, want %v", got, err, want)
	}
	long := mustBytes(t, parse(t, "<f12"), make([]byte, 12<<20))
	for name, same := range map[string]func(*npy.File) (float64, error){
		"histogram": func(f *npy.File) (float64, error) {
			h, err := stats.HistogramOf(context.Background(), f, 1)
			return float64(h.Counts[0] - 1<<20), err
		},
		"quantile": func(f *npy.File) (float64, error) {
			q, err := stats.QuantilesOf(context.Background(), f, []float64{1}...)
			return q[0].Values[0].Float64(), err
		},
	} {
		if x, err := same(inFile(t, long)); err != nil || x != 0 {
			t.Errorf("%s of 12 MB of 12-byte zeros: %v, %v", name, x, err)
		}
	}
}

// Histograms of pieces between the edges of the whole add up to the histogram of the whole, and other edges give
// NumPy's counts.
func TestHistogramMerge(t *testing.T) {
	xs := append(randomFloats(300_000), math.Inf(1), math.Inf(-1))
	whole, err := stats.HistogramOf(t.Context(), array(t, xs...), 37)
	if err != nil {
		t.Fatal(err)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range xs {
		if x-x == 0 {
			low, high = min(low, x), max(high, x)
		}
	}
	edges, err := stats.BinEdges(low, high, 37)
	if err != nil {
		t.Fatal(err)
	}
	var sum stats.Histogram
	for i, piece := range [][]float64{xs[200_000:], xs[:7], xs[7:200_000]} {
		h, err := stats.HistogramIn(t.Context(), array(t, piece...), edges)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		h = stats.Histogram{}
		if err := json.Unmarshal(data, &h); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			sum = h
		} else if err := sum.Merge(h); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(sum.Counts) != fmt.Sprint(whole.Counts) {
		t.Errorf("counts %v, want %v", sum.Counts, whole.Counts)
	}
	if err := sum.Merge(stats.Histogram{Edges: whole.Edges[:3], Counts: []int64{1, 2}}); err == nil {
		t.Error("other edges merge")
	}
	full := stats.Histogram{Edges: sum.Edges, Counts: slices.Repeat([]int64{math.MaxInt64}, 37)}
	if err := sum.Merge(full); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("2**63 elements: %v", err)
	}
	for _, bad := range [][]float64{{1}, {2, 1}, {0, math.NaN()}, nil} {
		if _, err := stats.HistogramIn(t.Context(), array(t, xs...), bad); err == nil {
			t.Errorf("edges %v are no error", bad)
		}
	}
	if _, err := stats.BinEdges(0, math.Inf(1), 5); err == nil {
		t.Error("edges up to infinity")
	}
}

func TestHistogramInBesideNumPy(t *testing.T) {
	out := oracle.NumPy(t, `
cases = []
for xs, edges in (([0, 1, 2, 2.5, 3, 3, -1, 9], [0, 1, 2.5, 3]), ([1, 1, 2, 5], [1, 1, 2, 2]), ([0.5, 7, 1e300], [-np.inf, 0, 7, np.inf]), ([3, 4], [3, 3]), ([0.1 * i for i in range(40)], [0.3 * i for i in range(9)])):
    cases.append([xs, [str(e) for e in edges], np.histogram(np.array(xs, 'f8'), edges)[0].tolist()])
print(json.dumps(cases))
`, nil)
	var raw [][3]json.RawMessage
	if err := json.Unmarshal(out, &raw); err != nil {
		t.Fatal(err)
	}
	for _, c := range raw {
		var xs []float64
		var texts []string
		var want []int64
		for i, to := range []any{&xs, &texts, &want} {
			if err := json.Unmarshal(c[i], to); err != nil {
				t.Fatal(err)
			}
		}
		var edges []float64
		for _, text := range texts {
			edges = append(edges, number(text))
		}
		h, err := stats.HistogramIn(t.Context(), array(t, xs...), edges)
		if err != nil || !slices.Equal(h.Counts, want) {
			t.Errorf("%v between %v: %v, %v, NumPy %v", xs, edges, h.Counts, err, want)
		}
	}
}
