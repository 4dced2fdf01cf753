package stats_test

import (
	"context"
	"encoding/base64"
	"errors"
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
