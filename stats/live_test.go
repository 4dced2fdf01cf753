package stats_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/stats"
)

// askNumPy computes sums with math.fsum and with Python integers, so that the answers are exact or nearly so, and means
// and deviations with NumPy in long double.
const askNumPy = `
import base64, math
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    a = np.frombuffer(base64.b64decode(q['data']), dtype=q['descr'])
    r = {'nan': 0, 'inf': 0, 'zeros': int((a == 0).sum()), 'text': {}}
    if a.dtype.kind in 'iub':
        ints = [int(x) for x in a]
        r['text'] = {'sum': str(sum(ints)), 'min': str(min(ints)), 'max': str(max(ints))}
        mean = np.mean(a.astype('g'))
        std = np.std(a.astype('g'))
        im = 0.0
    else:
        r['nan'] = int(np.isnan(a).sum())
        r['inf'] = int((np.isinf(a) & ~np.isnan(a)).sum())
        a = a[~np.isnan(a)]
        mean, std = np.mean(a.astype('G' if a.dtype.kind == 'c' else 'g')), np.std(a.astype('G' if a.dtype.kind == 'c' else 'g'))
        im = float(mean.imag) if a.dtype.kind == 'c' else 0.0
        if a.dtype.kind == 'f':
            d = a.astype('<f8')
            r['text'] = {'min': float(np.min(d)).hex(), 'max': float(np.max(d)).hex()}
            if r['inf'] == 0:
                r['text']['sum'] = float(math.fsum(d)).hex()
    r['mean'], r['im'], r['std'] = repr(float(mean.real)), repr(im), repr(float(std))
    print(json.dumps(r))
`

type numpyQuestion struct {
	Descr string `json:"descr"`
	Data  string `json:"data"`
	data  []byte
}

type numpyAnswer struct {
	NaN, Inf, Zeros int64
	Mean, Im, Std   string
	Text            map[string]string
}

var liveTypes = strings.Fields("|b1 |i1 |u1 <i2 >i2 <u2 >u2 <i4 >i4 <u4 >u4 <i8 >i8 <u8 >u8 <f2 >f2 <f4 >f4 <f8 >f8 <f16 >f16 <c8 >c8 <c16 >c16 <c32")

// liveQuestions makes random arrays: random bytes for integers; for floats, numbers of several magnitudes and special
// values.
func liveQuestions(t *testing.T) []numpyQuestion {
	r := rand.New(rand.NewPCG(5, 6))
	var questions []numpyQuestion
	for _, descr := range liveTypes {
		for round := range 6 {
			dt := parse(t, descr)
			n := []int{1, 2, 7, 2049, 5000, 40_000}[round]
			var data []byte
			switch descr[1] {
			case 'f', 'c':
				data = randomFloatItems(t, r, descr, n, round%2 == 1, round == 4)
			default:
				data = make([]byte, n*dt.ItemSize())
				for i := range data {
					data[i] = byte(r.Uint32())
				}
			}
			questions = append(questions, numpyQuestion{descr, base64.StdEncoding.EncodeToString(data), data})
		}
	}
	return questions
}

func randomFloatItems(t *testing.T, r *rand.Rand, descr string, n int, nans, infs bool) []byte {
	if descr[1] == 'c' {
		n *= 2
	}
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = r.NormFloat64()*20 + 100
		switch k := r.IntN(20); {
		case k == 0:
			xs[i] = 0
		case k == 1 && nans && i > 1:
			xs[i] = math.NaN()
		case k == 2 && infs:
			xs[i] = math.Inf(1)
		}
	}
	half := map[string]string{"c8": "f4", "c16": "f8", "c32": "f16"}[descr[1:]]
	if half == "" {
		half = descr[1:]
	}
	switch half {
	case "f2":
		return items(t, descr, xs, scalar.Float16FromFloat64)
	case "f4":
		return items(t, descr[:1]+"f4", xs, func(x float64) float32 { return float32(x) })
	case "f16":
		return longDoubles(t, descr[:1]+half, xs...).Bytes()
	}
	return arrayAs(t, descr[:1]+half, xs...).Bytes()
}

func items[T scalar.Float16 | float32](t *testing.T, descr string, xs []float64, f func(float64) T) []byte {
	ys := make([]T, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return arrayAs(t, descr, ys...).Bytes()
}

func TestBesideNumPy(t *testing.T) {
	questions := liveQuestions(t)
	version, answers := oracle.Ask[numpyQuestion, numpyAnswer](t, askNumPy, questions)
	t.Logf("NumPy %s, %d arrays", version, len(answers))
	for i, q := range questions {
		want := answers[i]
		s := of(t, mustBytes(t, parse(t, q.Descr), q.data))[0]
		if s.NaNs != want.NaN || s.Infs != want.Inf || s.Zeros != want.Zeros {
			t.Errorf("%s of %d: nan %d inf %d zeros %d, NumPy %d %d %d", q.Descr, s.Count, s.NaNs, s.Infs, s.Zeros, want.NaN, want.Inf, want.Zeros)
		}
		for name, got := range map[string]stats.Value{"min": s.Min, "max": s.Max, "sum": s.Sum} {
			if text, ok := want.Text[name]; ok && got.IsValid() && !sameNumber(got, text) {
				t.Errorf("%s of %d: %s %s, NumPy %s", q.Descr, s.Count, name, got, text)
			}
		}
		mean := s.Mean.Complex128()
		switch {
		case s.Infs > 0 && strings.Contains(q.Descr, "c"):
			continue // NumPy divides complex infinities as complex numbers
		case !near(real(mean), want.Mean), !near(imag(mean), want.Im), !near(s.Std.Float64(), want.Std):
			t.Errorf("%s of %d: mean %v std %v, NumPy %s %s %s", q.Descr, s.Count, s.Mean, s.Std, want.Mean, want.Im, want.Std)
		}
	}
}

// sameNumber compares an integer by its text, and a float with a number in hexadecimal.
func sameNumber(got stats.Value, text string) bool {
	if _, ok := got.Int(); ok {
		return got.String() == text
	}
	return close12(got.Float64(), number(text))
}

func near(got float64, text string) bool { return close12(got, number(text)) }

func close12(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b))
}

func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// Along each axis, a file has the results that NumPy computes for the array, in both orders.
func TestAxisBesideNumPy(t *testing.T) {
	dir := t.TempDir()
	out := oracle.NumPy(t, `
import os
os.chdir(sys.argv[1])
r = np.random.default_rng(9)
a = r.normal(1e6, 3, (3, 400, 7))
a[0, 5] = a[2, 7, 3] = np.nan
a[:, 9, 1] = np.nan
answers = []
for name, x in ('C', a), ('F', np.asfortranarray(a)), ('i4', (a * 100).astype('>i4')), ('b', a > 1e6):
    np.save(name, x)
    x = x.astype('f8')
    answers += [[[float(v).hex() for v in f(x, axis=axis).ravel()] for f in (np.nanmean, np.nanstd, np.nanmin, np.nanmax)] for axis in range(3)]
print(json.dumps(answers))
`, nil, dir)
	var answers [][4][]string
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"C", "F", "i4", "b"} {
		f, err := npy.Open(filepath.Join(dir, name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for axis := range 3 {
			along, err := stats.AxisOf(context.Background(), f, axis)
			mean, std, lo, hi := along.Mean, along.Std, along.Min, along.Max
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range []*npy.Array{mean, std, lo, hi} {
				v, err := npy.As[float64](got)
				if err != nil {
					t.Fatal(err)
				}
				for k, x := range v.ToSlice() {
					if want := number(answers[0][i][k]); !(x == want || math.IsNaN(x) && math.IsNaN(want) || math.Abs(x-want) <= 1e-9*math.Abs(want)) {
						t.Fatalf("%s along %d, result %d at %d: %v, NumPy %v", name, axis, i, k, x, want)
					}
				}
			}
			answers = answers[1:]
		}
	}
}
