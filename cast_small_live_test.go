package npy_test

import (
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// askSmall casts every value of a dtype of up to two bytes, or the float64 that are given, to all dtypes.
const askSmall = `
import ml_dtypes
print(json.dumps(np.__version__))
np.seterr(all='ignore')
dtype = lambda text: np.dtype(getattr(ml_dtypes, text, None) or text)
for line in sys.stdin:
    q = json.loads(line)
    f = dtype(q['from'])
    if q['data']:
        x = np.frombuffer(bytes.fromhex(q['data']), '<f8')
        if f.kind in 'iu':
            x = x[np.isfinite(x) & (x >= float(np.iinfo(f).min)) & (x < float(np.iinfo(f).max))]
        x = x.astype(f)
    else:
        x = np.arange(0, q['n'], q['step'], dtype='u%d' % f.itemsize).view(f)
    outs = []
    for to in q['to']:
        try:
            outs.append(x.astype(dtype(to)).tobytes().hex())
        except TypeError: # no cast between most types of ml_dtypes
            outs.append('')
    print(json.dumps({'data': x.tobytes().hex(), 'outs': outs}))
`

type smallQuestion struct {
	From string   `json:"from"`
	Data string   `json:"data"`
	N    int      `json:"n"`
	Step int      `json:"step"`
	To   []string `json:"to"`
}

type smallAnswer struct {
	Data string
	Outs []string
}

// Every number of up to 16 bits, and numbers of other dtypes at and next to every value, every midpoint and the limits of
// the targets, become the small floats that ml_dtypes makes of them.
func TestCastSmallFloatsLive(t *testing.T) {
	oracle.MLDtypes(t, "", nil)
	var floats []string // the targets
	for _, name := range smallTypes {
		if k := parse(name).Kind(); k == dtype.KindFloat || strings.Contains(name, "float") {
			floats = append(floats, name)
		}
	}
	var questions []smallQuestion
	step := oracle.Step(t)
	for _, from := range smallTypes {
		q := smallQuestion{From: from, N: everyValue(parse(from)).Size(), Step: 1, To: floats}
		if q.N == 1<<16 {
			q.Step = step
		}
		questions = append(questions, q)
	}
	for _, to := range floats {
		xs := around(parse(to))
		if n := len(xs); n > 50_000/step { // of bfloat16 and float16
			sample := xs[:0]
			for i := 0; i < n; i += 1 + n*step/50_000 {
				sample = append(sample, xs[i])
			}
			xs = sample
		}
		data := hex.EncodeToString(must(npy.FromSlice(xs)).Bytes())
		for _, from := range []string{"i4", "u4", "i8", "u8", "f4", "f8", "f16", "c8", "c16"} {
			questions = append(questions, smallQuestion{From: from, Data: data, To: []string{to}})
		}
	}
	numpy, answers := oracle.Ask[smallQuestion, smallAnswer](t, askSmall, questions)
	counts := map[string]int{}
	for i, q := range questions {
		raw, from := must(hex.DecodeString(answers[i].Data)), parse(q.From)
		a := must(npy.FromBytes(from, raw, len(raw)/from.ItemSize()))
		for j, to := range q.To {
			compareSmall(t, a, parse(to), must(hex.DecodeString(answers[i].Outs[j])), counts)
		}
	}
	t.Logf("NumPy %s: %v", numpy, counts)
	if counts["same"] < 1_000_000 {
		t.Errorf("only %d casts were compared", counts["same"])
	}
}

// compareSmall casts all elements of a, and compares the results with the results of ml_dtypes.
func compareSmall(t *testing.T, a *npy.Array, to dtype.Type, want []byte, counts map[string]int) {
	t.Helper()
	b := must(a.Cast(to, npy.UnsafeCasting))
	if len(want) == 0 {
		counts["only here"] += a.Size()
		return
	}
	got, failed, size := b.Bytes(), 0, to.ItemSize()
	for i := range a.Size() {
		x, y := got[i*size:(i+1)*size], want[i*size:(i+1)*size]
		if string(x) == string(y) {
			counts["same"]++
			continue
		}
		f := real(must(npy.As[complex128](must(must(a.Slice(npy.At(i))).Cast(dtype.Complex128, npy.UnsafeCasting)))).At())
		canon(to, x)
		canon(to, y)
		switch {
		case string(x) == string(y):
			counts["same"]++
		case to.Name() == "float8_e8m0fnu" && x[0] == 0 && y[0] == 1 && 0x1p-127 < f && f < 1.5*0x1p-127:
			counts["subnormal as float8_e8m0fnu"]++ // which ml_dtypes rounds up
		default:
			if failed++; failed < 4 {
				t.Errorf("%v %v (% x) to %v: % x, ml_dtypes % x", a.DType(), must(a.Slice(npy.At(i))), a.Item(i), to, x, y)
			}
		}
	}
	if failed > 0 {
		t.Errorf("%v to %v: %d elements differ", a.DType(), to, failed)
	}
}

// around returns numbers at all values of a float dtype and half-way between, and the float32 and float64 next to them,
// the limits of float32, and special values.
func around(t dtype.Type) []float64 {
	all := must(npy.As[float64](must(everyValue(t).Cast(dtype.Float64, npy.UnsafeCasting)))).ToSlice()
	all = slices.DeleteFunc(all, func(x float64) bool { return x != x || math.IsInf(x, 0) })
	slices.Sort(all)
	if t.ItemSize() == 2 {
		kept := all[:0]
		for i, x := range all { // some of each exponent, and all at the ends
			if i%37 < 2 || i < 300 || i > len(all)-300 || math.Abs(x) < 0x1p-120 && i%7 < 2 {
				kept = append(kept, x)
			}
		}
		all = kept
	}
	last := all[len(all)-1]
	step := last - all[len(all)-2]
	all = append(all, last+step, last+2*step)
	xs := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat32, math.MaxFloat64, 0x1p128, 0x1p-149, 0x1p-150,
		1.25 * 0x1p-127, 1.25 * 0x1p-126, 5e-324, 24_999_999, 25_165_823, 1<<53 + 1, 1 << 62, 3 << 61}
	for i, x := range all[1:] {
		mid := (x + all[i]) / 2
		for _, v := range []float64{x, mid, -mid} {
			single := float32(v)
			xs = append(xs, v, math.Nextafter(v, -1e300), math.Nextafter(v, 1e300), float64(math.Nextafter32(single, -math.MaxFloat32)),
				float64(math.Nextafter32(single, math.MaxFloat32)), math.Floor(v), math.Ceil(v), math.Floor(v)-1, math.Ceil(v)+1)
		}
	}
	return xs
}
