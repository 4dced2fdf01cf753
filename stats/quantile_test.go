package stats_test

import (
	"context"
	"encoding/base64"
	"errors"
	"math"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/stats"
)

var someQuantiles = []float64{0, 0.01, 0.25, 1. / 3, 0.5, 0.75, 0.99, 1}

// askQuantiles leaves infinities to the caller: NumPy interpolates between them to NaN.
const askQuantiles = `
import base64
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    a = np.frombuffer(base64.b64decode(q['data']), dtype=q['descr']).astype('f8')
    print(json.dumps([float(x).hex() for x in np.nanquantile(a, q['qs'])]))
`

func TestQuantilesBesideNumPy(t *testing.T) {
	type question struct {
		Descr string    `json:"descr"`
		Data  string    `json:"data"`
		Qs    []float64 `json:"qs"`
		data  []byte
	}
	var questions []question
	for _, q := range liveQuestions(t) {
		switch dt := parse(t, q.Descr); {
		case dt.ItemSize() > 8 || q.Descr[1] == 'c':
			continue
		case of(t, mustBytes(t, dt, q.data))[0].Infs == 0:
			questions = append(questions, question{q.Descr, base64.StdEncoding.EncodeToString(q.data), someQuantiles, q.data})
		}
	}
	version, answers := oracle.Ask[question, []string](t, askQuantiles, questions)
	t.Logf("NumPy %s, %d arrays", version, len(answers))
	for i, q := range questions {
		a := mustBytes(t, parse(t, q.Descr), q.data)
		got, err := stats.QuantilesOf(context.Background(), a, q.Qs...)
		if err != nil {
			t.Fatal(err)
		}
		for k, text := range answers[i] {
			if x := got[0].Values[k]; !close12(x.Float64(), number(text)) {
				t.Errorf("%s of %d: quantile %v is %v, NumPy %v", q.Descr, a.Size(), q.Qs[k], x, number(text))
			}
		}
	}
}

func TestQuantiles(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		name string
		why  string
		in   *npy.Array
		q    float64
		want float64
	}{
		{"middle", "", array(t, 3.0, 1, 2), 0.5, 2},
		{"between", "", array(t, 1.0, 2), 0.25, 1.25},
		{"NaN left out", "as numpy.nanquantile", array(t, nan, 5, nan), 0.5, 5},
		{"nothing", "", array[float64](t), 0.5, nan},
		{"only NaN", "", array(t, nan), 0.5, nan},
		{"infinities", "the same number is not interpolated", array(t, -inf, inf, inf, inf), 0.9, inf},
		{"integers", "", array[int16](t, -3, 4, 5), 0.5, 4},
		{"bools", "", array(t, true, false, true), 0.5, 1},
	} {
		got, err := stats.QuantilesOf(context.Background(), tt.in, tt.q)
		if x := got[0].Values[0].Float64(); err != nil || x != tt.want && !(math.IsNaN(tt.want) && math.IsNaN(x)) {
			t.Errorf("%s: %v, %v, want %v (%s)", tt.name, got, err, tt.want, tt.why)
		}
	}
	for _, q := range []float64{-0.1, 1.1, nan} {
		if _, err := stats.QuantilesOf(context.Background(), array(t, 1.0), q); err == nil {
			t.Errorf("there is a quantile %v", q)
		}
	}
	if _, err := stats.QuantilesOf(context.Background(), array(t, 1i), 0.5); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("complex numbers: %v, want errors.ErrUnsupported", err)
	}
}

// A file and its parts have the same quantiles as the array, in any order.
func TestQuantilesOfFile(t *testing.T) {
	a, err := npy.FromSlice(randomFloats(3000), 30, 100)
	if err != nil {
		t.Fatal(err)
	}
	part, err := a.Slice(npy.All(), npy.Span(5, 50))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		f     *npy.File
		index []npy.Index
		same  *npy.Array
	}{
		"C":       {inFile(t, a), nil, a},
		"Fortran": {inFile(t, a.Fortran()), nil, a},
		"part":    {inFile(t, a), []npy.Index{npy.All(), npy.Span(5, 50)}, part},
	} {
		want, err := stats.QuantilesOf(context.Background(), tt.same, someQuantiles...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := stats.QuantilesOf(context.Background(), must(tt.f.Select(tt.index...)), someQuantiles...)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if x, y := got[0].Values[i].Float64(), want[0].Values[i].Float64(); x != y && !math.IsNaN(y) {
				t.Errorf("%s: quantile %v is %v, want %v", name, someQuantiles[i], x, y)
			}
		}
	}
}
