package diff_test

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/internal/oracle"
)

// askNumPy converts float32 to float64 first, as package diff does. Without a tolerance it compares integers by ==,
// because numpy.isclose rounds them to float64.
const askNumPy = `
import base64
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    a, b = [np.frombuffer(base64.b64decode(q[k]), dtype=q['descr']) for k in 'ab']
    if a.dtype.kind == 'f':
        a, b = a.astype('<f8'), b.astype('<f8')
    elif a.dtype.kind == 'c':
        a, b = a.astype('<c16'), b.astype('<c16')
    close = np.isclose(a, b, rtol=q['rtol'], atol=q['atol'], equal_nan=not q['nans'])
    exact = a.dtype.kind in 'iub'
    if exact and not q['rtol']:
        close = a == b
    if exact:
        d = np.array([abs(int(x) - int(y)) for x, y in zip(a, b)], dtype=object)
    else:
        d = np.abs(a - b) if a.dtype.kind == 'f' else np.hypot((a - b).real, (a - b).imag) # as exact with and without SIMD
        d = np.where(np.isnan(a) | np.isnan(b), -1, np.where(np.isnan(d), np.inf, d))
        d = np.where(np.isinf(a) | np.isinf(b), np.inf, d)
        d = np.where(np.isnan(a) | np.isnan(b), -1, d)
    d = np.where(close, -1, d)
    same = (a == b) | (np.isnan(a) & np.isnan(b) & (not q['nans']) if not exact else False)
    r = {'different': int((~close).sum()), 'close': int((close & ~same).sum()), 'first': -1, 'worst': -1, 'abs': ''}
    if r['different']:
        r['first'] = int(np.argmax(~close))
    if len(d) and max(d) >= 0:
        r['worst'] = int(np.argmax(d))
        r['abs'] = str(d[r['worst']]) if exact else float(d[r['worst']]).hex()
    print(json.dumps(r))
`

type question struct {
	Descr string  `json:"descr"`
	A     string  `json:"a"`
	B     string  `json:"b"`
	RTol  float64 `json:"rtol"`
	ATol  float64 `json:"atol"`
	NaNs  bool    `json:"nans"`
	a, b  string
}

type answer struct {
	Different, Close int64
	First, Worst     int
	Abs              string
}

// odd lists numbers that comparisons often get wrong.
var odd = []float64{0, math.Copysign(0, -1), nan, inf, -inf, 5e-324, -5e-324, 1e-310, 1, math.Nextafter(1, 2), 1e-45, 1e308, -1e308, 65504}

// randomPair returns two arrays of n floats that are mostly the same.
func randomPair(r *rand.Rand, n int) (xs, ys []float64) {
	for range n {
		x := r.NormFloat64()
		y := x
		switch r.IntN(5) {
		case 0:
			y = x + r.NormFloat64()*1e-3
		case 1:
			x, y = odd[r.IntN(len(odd))], odd[r.IntN(len(odd))]
		case 2:
			x = odd[r.IntN(len(odd))]
			y = x
		}
		xs, ys = append(xs, x), append(ys, y)
	}
	return xs, ys
}

// finite replaces infinities: numpy.isclose multiplies complex ones by 1, which makes them NaN.
func finite(xs []float64) {
	for i, x := range xs {
		if math.IsInf(x, 0) || math.Abs(x) > math.MaxFloat32 {
			xs[i] = 3
		}
	}
}

func pack(order binary.AppendByteOrder, size int, xs []float64) string {
	var b []byte
	for _, x := range xs {
		if size == 4 {
			b = order.AppendUint32(b, math.Float32bits(float32(x)))
			continue
		}
		b = order.AppendUint64(b, math.Float64bits(x))
	}
	return string(b)
}

func questions() []question {
	r := rand.New(rand.NewPCG(7, 8))
	var all []question
	for _, descr := range []string{"<f8", ">f8", "<f4", ">f4", "<c16", ">c8", "|b1", "|i1", "|u1", "<i2", ">u2", "<i4", ">u4", "<i8", ">i8", "<u8", ">u8"} {
		for round := range 12 {
			n := []int{1, 2, 7, 100, 2049, 5000}[round%6]
			q := question{Descr: descr, NaNs: round%4 == 3}
			if round%2 == 1 {
				q.RTol, q.ATol = 1e-3, 1e-4
			}
			q.a, q.b = randomInts(r, n*8)
			switch descr[1] {
			case 'f', 'c':
				xs, ys := randomPair(r, 2*n)
				if descr[1] == 'c' {
					finite(xs)
					finite(ys)
				}
				order := binary.AppendByteOrder(binary.LittleEndian)
				if descr[0] == '>' {
					order = binary.BigEndian
				}
				size := 8
				if descr[2:] == "4" || descr[2:] == "8" && descr[1] == 'c' {
					size = 4
				}
				q.a, q.b = pack(order, size, xs), pack(order, size, ys)
			case 'b':
				q.RTol, q.ATol = 0, 0
			}
			q.A, q.B = base64.StdEncoding.EncodeToString([]byte(q.a)), base64.StdEncoding.EncodeToString([]byte(q.b))
			all = append(all, q)
		}
	}
	return all
}

// randomInts returns the bytes of two arrays. They differ in n/80 random bits, so in about a tenth of all 8-byte items.
func randomInts(r *rand.Rand, n int) (a, b string) {
	x := make([]byte, n)
	for i := range x {
		x[i] = byte(r.Uint32())
	}
	y := []byte(string(x))
	for range n / 80 {
		y[r.IntN(n)] ^= 1 << r.IntN(8)
	}
	return string(x), string(y)
}

func TestBesideNumPy(t *testing.T) {
	all := questions()
	version, answers := oracle.Ask[question, answer](t, askNumPy, all)
	t.Logf("NumPy %s, %d pairs", version, len(answers))
	for i, q := range all {
		want := answers[i]
		f := arrays(t, bytesAs(t, q.Descr, q.a), bytesAs(t, q.Descr, q.b), diff.Options{RTol: q.RTol, ATol: q.ATol, NaNsDiffer: q.NaNs}).Fields[0]
		got := answer{Different: f.Different, Close: f.Close, First: -1, Worst: -1}
		if len(f.First) > 0 {
			got.First = f.First[0].Index[0]
		}
		if m := f.WorstAbs; m != nil {
			got.Worst, got.Abs = m.Index[0], m.Abs.String()
			if !sameNumber(m.Abs, want.Abs) {
				t.Errorf("%s of %d, rtol %g: worst %s, NumPy %s", q.Descr, f.Count, q.RTol, m.Abs, want.Abs)
			}
		}
		got.Abs = want.Abs
		if got != want {
			t.Errorf("%s of %d, rtol %g, nans %v: got %+v, NumPy %+v", q.Descr, f.Count, q.RTol, q.NaNs, got, want)
		}
	}
}

// sameNumber compares a difference with decimal digits from Python or with the hexadecimal text of a float.
func sameNumber(d diff.Distance, text string) bool {
	if d.String() == text {
		return true
	}
	if text == "inf" {
		return math.IsInf(d.Float64(), 1)
	}
	x, err := strconv.ParseFloat(text, 64)
	return err == nil && strings.HasPrefix(text, "0x") && near(x, d.Float64())
}

// near allows the last digits to differ, as they do in the absolute value of a complex number.
func near(x, y float64) bool { return math.Abs(x-y) <= 1e-15*math.Abs(x) }
