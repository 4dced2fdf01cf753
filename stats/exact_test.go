package stats_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/stats"
)

// askExact answers with Python's integers and fractions, which have no limits. 'times' are the ticks of M8 and m8. The
// deviation is computed with 60 digits.
const askExact = `
import base64, decimal
from fractions import Fraction
decimal.getcontext().prec = 60
print(json.dumps(np.__version__))
def summary(xs):
    xs = [x for x in xs if x is not None]
    if not xs:
        return None
    n, s, q = len(xs), sum(xs), sum(x * x for x in xs)
    d = decimal.Decimal(n * q - s * s)
    return [str(min(xs)), str(max(xs)), str(s), (Fraction(s) / n).__float__().hex(), float(d.sqrt() / n).hex()]
def values(a):
    if a.dtype.kind in 'mM':
        return [None if x == -2**63 else x for x in a.view('i8' if a.dtype.isnative else a.dtype.str.replace('M8', 'i8').replace('m8', 'i8').split('[')[0]).ravel().tolist()]
    return [int(x) for x in a.ravel().tolist()]
def place(a, f):
    try:
        if a.dtype.kind in 'mM': # NumPy takes NaT for the smallest and the largest time
            xs = values(a)
            best = (min if f is np.nanargmin else max)((x for x in xs if x is not None), default=None)
            return [int(i) for i in np.unravel_index(xs.index(best), a.shape)] if best is not None else None
        return [int(i) for i in np.unravel_index(f(a), a.shape)]
    except ValueError:
        return None
for line in sys.stdin:
    q = json.loads(line)
    a = np.frombuffer(base64.b64decode(q['data']), dtype=q['descr']).reshape(q['shape'], order='F' if q['fortran'] else 'C')
    r = {'along': None, 'argmin': None, 'argmax': None, 'q': None}
    if a.dtype.kind in 'fiuMm':
        r['argmin'], r['argmax'] = place(a, np.nanargmin), place(a, np.nanargmax)
    if a.dtype.kind in 'biuMm':
        moved = np.moveaxis(a, q['axis'], -1)
        r['along'] = [summary(values(moved[i])) for i in np.ndindex(moved.shape[:-1])]
    if a.dtype.kind in 'iu':
        xs = sorted(values(a))
        r['q'] = [str(xs[0]), str(xs[len(xs) // 2]), str(xs[-1])] if len(xs) % 2 else None
    if a.dtype.kind in 'mM' and not np.isnat(a).all():
        r['q'] = [str(x) for x in np.nanquantile(a, [0, .1, .3, .5, .77, 1])]
    print(json.dumps(r))
`

type exactQuestion struct {
	Descr   string `json:"descr"`
	Data    string `json:"data"`
	Shape   []int  `json:"shape"`
	Fortran bool   `json:"fortran"`
	Axis    int    `json:"axis"`
	data    []byte
}

type exactAnswer struct {
	Along          [][]string
	ArgMin, ArgMax []int
	Q              []string
}

// exactQuestions makes random arrays with many equal elements, NaN and NaT, and integers of all bits.
func exactQuestions(t *testing.T) (questions []exactQuestion) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, descr := range strings.Fields("|b1 |i1 |u1 <i2 >u2 <i4 >i4 <u4 <i8 >i8 <u8 >u8 <f2 >f4 <f8 <M8[D] >M8[ms] <m8[s] >m8[h]") {
		for round := range 14 {
			shape := [][]int{{1}, {5, 7}, {3, 4, 5}, {7, 1, 3}, {2500, 3}, {3, 70_000}, {41}, {9, 0, 2}, {1, 6}}[r.IntN(9)]
			if n := slices.Index(shape, 0); n >= 0 && round > 1 {
				shape = []int{6, 5}
			}
			n := 1
			for _, k := range shape {
				n *= k
			}
			if round > 3 && n > 10_000 {
				shape, n = []int{11, 13}, 143
			}
			dt := parse(t, descr)
			data := make([]byte, n*dt.ItemSize())
			few := 1 + r.IntN(4)
			for i := 0; i < len(data); i += dt.ItemSize() {
				item := data[i : i+dt.ItemSize()]
				switch k := r.IntN(10); {
				case k == 0 && strings.ContainsAny(descr, "mM"):
					copy(item, natOf(descr))
				case round%3 == 0 || strings.Contains(descr, "f"):
					item[r.IntN(len(item))] = byte(r.IntN(few))
				default:
					for j := range item {
						item[j] = byte(r.Uint32())
					}
				}
				if strings.Contains(descr, "f") && r.IntN(4) == 0 {
					for j := range item {
						item[j] = 0xff // NaN
					}
				}
				if descr == "|b1" {
					item[0] &= 1
				}
			}
			questions = append(questions, exactQuestion{descr, base64.StdEncoding.EncodeToString(data), shape, round%2 == 1, r.IntN(len(shape)), data})
		}
	}
	return questions
}

// natOf returns NaT.
func natOf(descr string) []byte {
	nat := make([]byte, 8)
	if descr[0] == '>' {
		nat[0] = 0x80
	} else {
		nat[7] = 0x80
	}
	return nat
}

// Results of integers and times have all their digits, and the position of an extreme is its first.
func TestExactBesidePython(t *testing.T) {
	questions := exactQuestions(t)
	version, answers := oracle.Ask[exactQuestion, exactAnswer](t, askExact, questions)
	t.Logf("NumPy %s, %d arrays", version, len(answers))
	for i, q := range questions {
		a, err := npy.FromHeader(format.Header{DType: parse(t, q.Descr), Shape: q.Shape, FortranOrder: q.Fortran}, q.data)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%s %v, Fortran %v", q.Descr, q.Shape, q.Fortran)
		checkPositions(t, name, a, answers[i])
		if answers[i].Along != nil {
			checkAlong(t, fmt.Sprintf("%s, axis %d", name, q.Axis), a, q, answers[i].Along)
		}
		checkExactQuantiles(t, name, a, answers[i].Q)
	}
}

func checkPositions(t *testing.T, name string, a *npy.Array, want exactAnswer) {
	t.Helper()
	got := of(t, a)[0]
	if !slices.Equal(got.ArgMin, want.ArgMin) || !slices.Equal(got.ArgMax, want.ArgMax) {
		t.Errorf("%s: argmin %v, argmax %v, NumPy %v, %v", name, got.ArgMin, got.ArgMax, want.ArgMin, want.ArgMax)
	}
}

func checkAlong(t *testing.T, name string, a *npy.Array, q exactQuestion, want [][]string) {
	t.Helper()
	along, err := stats.AxisOf(context.Background(), a, q.Axis)
	if err != nil {
		t.Fatal(err)
	}
	times := strings.ContainsAny(q.Descr, "mM")
	if times {
		along = inTicks(t, along)
	}
	for k, w := range want {
		index := make([]npy.Index, along.Min.NDim())
		shape := along.Min.Shape()
		for i, at := len(index)-1, k; i >= 0; i-- {
			index[i] = npy.At(at % shape[i])
			at /= shape[i]
		}
		text := func(of *npy.Array) string { return must(of.Slice(index...)).String() }
		switch {
		case w == nil && times:
			if text(along.Min) != fmt.Sprint(int64(math.MinInt64)) {
				t.Fatalf("%s, result %d: min %s, want NaT", name, k, text(along.Min))
			}
			continue
		case w == nil:
			if text(along.Min) != "nan" || text(along.Mean) != "nan" || text(along.Sum) != "0" {
				t.Fatalf("%s, result %d: min %s, mean %s, sum %s, want nan, nan, 0", name, k, text(along.Min), text(along.Mean), text(along.Sum))
			}
			continue
		}
		if q.Descr == "|b1" {
			for i, word := range w[:2] {
				w[i] = map[string]string{"0": "False", "1": "True"}[word]
			}
		}
		if text(along.Min) != w[0] || text(along.Max) != w[1] {
			t.Fatalf("%s, result %d: min %s, max %s, Python %s, %s", name, k, text(along.Min), text(along.Max), w[0], w[1])
		}
		if times {
			continue
		}
		mean, std := float(t, must(along.Mean.Slice(index...))), float(t, must(along.Std.Slice(index...)))
		if text(along.Sum) != w[2] || mean != number(w[3]) || std != number(w[4]) {
			t.Fatalf("%s, result %d: sum %s, mean %v, std %v, Python %s, %v, %v", name, k, text(along.Sum), mean, std, w[2], number(w[3]), number(w[4]))
		}
	}
}

// inTicks returns results that are times as integers.
func inTicks(t *testing.T, x stats.Axis) stats.Axis {
	t.Helper()
	shape := x.Max.Shape()
	for _, a := range []**npy.Array{&x.Min, &x.Max, &x.Mean} {
		data, _ := (*a).ViewBytes()
		*a = mustBytes(t, parse(t, "=i8"), data)
		reshaped, err := (*a).Reshape(shape...)
		if err != nil {
			t.Fatal(err)
		}
		*a = reshaped
	}
	return x
}

func checkExactQuantiles(t *testing.T, name string, a *npy.Array, want []string) {
	t.Helper()
	qs := []float64{0, 0.5, 1}
	switch len(want) {
	case 0:
		return
	case 6:
		qs = []float64{0, .1, .3, .5, .77, 1}
	}
	got, err := stats.QuantilesOf(context.Background(), a, qs...)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range got[0].Values {
		if v.String() != want[k] {
			t.Errorf("%s: quantile %v is %s, Python %s", name, qs[k], v, want[k])
		}
	}
}

// Sums that fit neither int64 nor uint64 are Python integers.
func TestAxisSums(t *testing.T) {
	for _, tt := range []struct {
		a           *npy.Array
		dtype, want string
	}{
		{must(array[int64](t, 1<<53+1, 2, 3, 4).Reshape(2, 2)), "int64", "[9007199254740995                7]"},
		{must(array[uint64](t, math.MaxUint64, 0, 1, 2).Reshape(2, 2)), "uint64", "[18446744073709551615                    3]"},
		{must(array[uint64](t, math.MaxUint64, 1, 1, 2).Reshape(2, 2)), "object", "[18446744073709551616 3]"},
		{must(array[int64](t, math.MinInt64, -1, 1, 2).Reshape(2, 2)), "object", "[-9223372036854775809 3]"},
	} {
		along, err := stats.AxisOf(context.Background(), tt.a, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := along.Sum.String(); got != tt.want || along.Sum.DType().Name() != tt.dtype {
			t.Errorf("%v: sum %s %s, want %s %s", tt.a, along.Sum.DType().Name(), got, tt.dtype, tt.want)
		}
	}
}

// Times fall into bins of whole ticks.
func TestHistogramOfTimes(t *testing.T) {
	nat := int64(math.MinInt64)
	for _, tt := range []struct {
		ticks  []int64
		bins   int
		edges  string
		counts []int64
	}{
		{[]int64{0, 1, 4, nat, 9}, 3, "[1970-01-01 1970-01-04 1970-01-07 1970-01-10]", []int64{2, 1, 1}},
		{[]int64{5, 5}, 10, "[1970-01-06 1970-01-07]", []int64{2}},
		{[]int64{0, 2}, 10, "[1970-01-01 1970-01-02 1970-01-03]", []int64{1, 1}},
		{[]int64{nat}, 2, "[]", []int64{0, 0}},
	} {
		data, _ := array(t, tt.ticks...).ViewBytes()
		a := mustBytes(t, parse(t, "=M8[D]"), data)
		h, err := stats.HistogramOf(context.Background(), a, tt.bins)
		if err != nil || fmt.Sprint(h.Edges) != tt.edges || !slices.Equal(h.Counts, tt.counts) {
			t.Errorf("%v in %d bins: %v %v, %v, want %s %v", tt.ticks, tt.bins, h.Edges, h.Counts, err, tt.edges, tt.counts)
		}
	}
	extremes, _ := array[int64](t, math.MaxInt64, math.MaxInt64, math.MinInt64+1).ViewBytes()
	for _, n := range []int{1, 2, 3} {
		h, err := stats.HistogramOf(context.Background(), mustBytes(t, parse(t, "=m8[s]"), extremes[:8*n]), 4)
		counted := int64(0)
		for _, c := range h.Counts {
			counted += c
		}
		if err != nil || counted != int64(n) {
			t.Errorf("%d extreme ticks: %v counts %d, %v", n, h, counted, err)
		}
	}
}

// Records have quantiles for each field that has them, and positions that go on within subarrays.
func TestQuantilesOfFields(t *testing.T) {
	dt := parse(t, "[('x', '|u1'), ('s', '|S1'), ('v', '|i1', (2,))]")
	a := mustBytes(t, dt, []byte{1, 'a', 5, 250, 9, 'b', 1, 7, 5, 'c', 7, 2})
	got, err := stats.QuantilesOf(context.Background(), a, 0.5, 1)
	if err != nil || fmt.Sprint(got) != "[{x [5 9]} {v [3.5 7]}]" {
		t.Errorf("%v, %v", got, err)
	}
	all := of(t, a)
	if got := fmt.Sprint(all[0].ArgMin, all[0].ArgMax, all[1].ArgMin, all[2].ArgMin, all[2].ArgMax); got != "[0] [1] [] [0 1] [1 1]" {
		t.Errorf("positions %s", got)
	}
	if _, err := json.Marshal(all); err != nil {
		t.Error(err)
	}
}

// Data without a shape has positions in the flattened array.
func TestPositionsOfPieces(t *testing.T) {
	acc, err := stats.New(parse(t, "<i2"))
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 600_000)
	data[400_000], data[500_000], data[500_002] = 1, 255, 255
	data[500_001], data[500_003] = 255, 255
	for len(data) > 0 {
		n := min(70_001, len(data))
		acc.Add(data[:n])
		data = data[n:]
	}
	all, err := acc.Result()
	if err != nil || !slices.Equal(all[0].ArgMin, []int{250_000}) || !slices.Equal(all[0].ArgMax, []int{200_000}) {
		t.Errorf("%v %v, %v, want 250000 and 200000", all[0].ArgMin, all[0].ArgMax, err)
	}
}
