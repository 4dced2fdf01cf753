package scalar

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// longDoubles returns edge cases and random values for which NumPy and the x87 agree.
func longDoubles(n int) []LongDouble {
	rng := rand.New(rand.NewPCG(80, 1))
	var xs []LongDouble
	add := func(m uint64, se uint16) {
		xs = append(xs, LongDouble{Mantissa: m, SignExp: se}, LongDouble{Mantissa: m, SignExp: se | ldSign})
	}
	for _, m := range []uint64{0, 1, 2, 3, 5, 1 << 20, 1<<62 - 1, 1 << 62, 1<<63 - 1} {
		add(m, 0)
	}
	for i := range 63 {
		add(1<<i, 0)
	}
	for _, m := range []uint64{1 << 63, 1<<63 | 1, 3 << 62, 1<<64 - 1, 1<<63 | 1<<11 - 1, 1<<63 | 1<<10, 1<<63 | 1<<10 | 1, 1<<63 | 3<<10} {
		for _, e := range []uint16{1, 2, 15300, 15307, 15308, 15309, 15310, 15360, 15361, 15362, 16383, 16383 + 52, 16383 + 53, 16383 + 63, 16383 + 64, 17405, 17406, 17407, 32766, 32767} {
			add(m, e)
		}
	}
	for e := 1; e < ldExpMask; e += 7 {
		add(1<<63, uint16(e))
	}
	for range n {
		add(rng.Uint64()|1<<63, uint16(rng.IntN(ldExpMask)+1))
		add(rng.Uint64()|1<<63, uint16(16383-80+rng.IntN(160)))
		add(rng.Uint64()>>(1+rng.IntN(62)), 0)
		add((rng.Uint64()|1<<63)&^(1<<(12+rng.IntN(50))-1), uint16(16383-1100+rng.IntN(2200)))
		xs = append(xs, LongDoubleFromFloat64(float64(rng.IntN(1000000))/math.Pow10(rng.IntN(12))))
	}
	return xs
}

func longBytes(xs []LongDouble) []byte {
	var b []byte
	for _, x := range xs {
		b = x.AppendBytes(b, false)
	}
	return b
}

func TestLongDoubleAgainstNumPy(t *testing.T) {
	xs := longDoubles(1500)
	want := numpyLines(t, `
if np.finfo(np.longdouble).machep != -63: sys.exit('longdouble is not x87 here')
v = np.frombuffer(data, '<f16')
s = lambda x, d: np.format_float_scientific(x, precision=d, unique=False, trim='k')
bits = v.astype('<f8').view('<u8')
lines('%s %s %s %s %s %d' % (str(a), s(a, 21), s(a, 3), s(a, 0), float(a), b) for a, b in zip(v, bits))`, longBytes(xs), len(xs))
	m := mismatches{t: t}
	for i, x := range xs {
		f, exact := x.Float64()
		bits := math.Float64bits(f)
		text := string(AppendFloat64(nil, f))
		if w := want[i]; x.IsNaN() && strings.Contains(w, "nan") { // the processor makes NaNs quiet
			bits |= 1 << 51
		}
		got := fmt.Sprintf("%s %s %s %s %s %d", x, x.Scientific(21), x.Scientific(3), x.Scientific(0), text, bits)
		m.check("LongDouble", fmt.Sprintf("%x %x", x.SignExp, x.Mantissa), got, want[i])
		if back := LongDoubleFromFloat64(f); exact != (back == x) {
			t.Errorf("LongDouble %x %x: Float64 says exact=%v, comes back %x %x", x.SignExp, x.Mantissa, exact, back.SignExp, back.Mantissa)
		}
		checkLongText(t, x)
	}
}

func checkLongText(t *testing.T, x LongDouble) {
	t.Helper()
	for _, text := range []string{x.String(), x.Scientific(20)} {
		back, err := ParseLongDouble(text)
		if err != nil || back != x && !x.IsNaN() {
			t.Errorf("LongDouble %x %x: text %q reads back as %x %x, %v", x.SignExp, x.Mantissa, text, back.SignExp, back.Mantissa, err)
		}
	}
}

func TestParseLongDoubleAgainstNumPy(t *testing.T) {
	rng := rand.New(rand.NewPCG(80, 2))
	var texts []string
	for range 4000 {
		x := LongDouble{Mantissa: rng.Uint64() | 1<<63, SignExp: uint16(rng.IntN(ldExpMask-2) + 1)}
		if rng.IntN(3) == 0 {
			x = LongDouble{Mantissa: rng.Uint64() >> (1 + rng.IntN(60))}
		}
		texts = append(texts, x.Scientific(19), x.Scientific(18), midpointAbove(x))
		texts = append(texts, fmt.Sprintf("%d.%de%d", rng.Uint64(), rng.Uint64(), rng.IntN(9960)-4990))
	}
	want := numpy(t, `
v = np.array([np.longdouble(s) for s in data.decode().split()])
sys.stdout.buffer.write(v.tobytes())`, []byte(strings.Join(texts, " ")))
	if len(want) != 16*len(texts) {
		t.Fatalf("python gave %d bytes", len(want))
	}
	m := mismatches{t: t}
	for i, text := range texts {
		x, err := ParseLongDouble(text)
		if x.IsInf(0) != errors.Is(err, ErrRange) {
			t.Errorf("ParseLongDouble(%q): error %v", text, err)
		}
		y, _ := LongDoubleFromBytes([]byte(want[16*i:16*i+16]), false)
		y.Pad = [6]byte{}
		m.check("ParseLongDouble", text, fmt.Sprintf("%x %x", x.SignExp, x.Mantissa), fmt.Sprintf("%x %x", y.SignExp, y.Mantissa))
	}
}

// midpointAbove writes the exact midpoint between x and the next LongDouble.
func midpointAbove(x LongDouble) string {
	if x.Mantissa&ldIntBit == 0 || x.SignExp > 32000 {
		return x.Scientific(60)
	}
	// x plus half a unit, over twice the denominator.
	r, s := x.ratio()
	r.Lsh(r, 1)
	if e := x.exp() - ldBias - 63; e > 0 {
		r.Add(r, pow2(e))
	} else {
		r.Add(r, pow2(0))
	}
	s.Lsh(s, 1)
	return exactDecimal(r, s)
}

func TestLongDoubleInvalidEncodings(t *testing.T) {
	for _, tt := range []struct {
		name, why string
		x         LongDouble
		text      string
		f         float64
		exact     bool
	}{
		{"unnormal", "invalid operand: compares as NaN, though NumPy prints 1.5", LongDouble{Mantissa: 1 << 62, SignExp: 0x3fff}, "nan", math.NaN(), false},
		{"unnormal zero", "exponent without mantissa", LongDouble{SignExp: 0x3fff}, "nan", math.NaN(), false},
		{"pseudo-infinity", "no integer bit", LongDouble{SignExp: 0x7fff}, "nan", math.NaN(), false},
		{"pseudo-NaN", "no integer bit", LongDouble{Mantissa: 5, SignExp: 0xffff}, "nan", math.NaN(), false},
		{"pseudo-denormal", "the integer bit counts; NumPy drops it when printing", LongDouble{Mantissa: 1 << 63}, "3.3621031431120935063e-4932", 0, false},
		{"padding", "never looked at", LongDouble{Mantissa: 1 << 63, SignExp: 0x3fff, Pad: [6]byte{1, 2, 3, 4, 5, 6}}, "1.0", 1, true},
		{"low NaN", "payload below float64 must not become infinity", LongDouble{Mantissa: 1<<63 | 1, SignExp: 0x7fff}, "nan", math.NaN(), false},
	} {
		f, exact := tt.x.Float64()
		if tt.x.String() != tt.text || exact != tt.exact || f != tt.f && !(f != f && tt.f != tt.f) || tt.x.IsNaN() != (tt.f != tt.f) {
			t.Errorf("%s: %q, Float64 %v %v, IsNaN %v (%s)", tt.name, tt.x, f, exact, tt.x.IsNaN(), tt.why)
		}
	}
}

func TestLongDoubleBytes(t *testing.T) {
	item := []byte{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xff, 0xbf, 1, 2, 3, 4, 5, 6}
	for _, size := range []int{10, 12, 16} {
		for _, big := range []bool{false, true} {
			in := bytes.Clone(item[:size])
			if big {
				reverse(in)
			}
			x, err := LongDoubleFromBytes(in, big)
			if err != nil || x.Mantissa != 0xefcdab8967452301 || x.SignExp != 0xbfff || x.Sign() != -1 {
				t.Errorf("LongDoubleFromBytes(% x, %v) = %+v, %v", in, big, x, err)
			}
			out := make([]byte, size)
			if err := x.PutBytes(out, big); err != nil || !bytes.Equal(out, in) {
				t.Errorf("PutBytes gives % x, %v, want % x", out, err, in)
			}
			if size == 16 && !bytes.Equal(x.AppendBytes(nil, big), in) {
				t.Errorf("AppendBytes gives % x, want % x", x.AppendBytes(nil, big), in)
			}
		}
	}
	var se *SizeError
	if _, err := LongDoubleFromBytes(item[:8], false); !errors.As(err, &se) || se.Size != 8 {
		t.Errorf("8 bytes: %v", err)
	}
	if err := (LongDouble{}).PutBytes(nil, false); !errors.As(err, &se) {
		t.Errorf("no bytes: %v", err)
	}
}

func TestLongDoubleBigEndianAgainstNumPy(t *testing.T) {
	xs := longDoubles(20)
	var b []byte
	for _, x := range xs {
		b = x.AppendBytes(b, true)
	}
	want := numpyLines(t, `lines(str(x) for x in np.frombuffer(data, '>f16'))`, b, len(xs))
	m := mismatches{t: t}
	for i, x := range xs {
		m.check("LongDouble", x, x.String(), want[i])
	}
}

func TestParseLongDouble(t *testing.T) {
	for _, tt := range []struct {
		name, why, in, want string
		err                 error
	}{
		{"largest", "just below halfway to the first power beyond", "1.18973149535723176505e4932", "1.189731495357231765e+4932", nil},
		{"overflow", "above halfway", "1.1897314953572317651e4932", "inf", ErrRange},
		{"huge exponent", "not slow", "-1e999999999999999999999", "-inf", ErrRange},
		{"tiny exponent", "not slow", "1e-999999999999999999999", "0.0", nil},
		{"half smallest", "tie goes to zero", "1.8225e-4951", "0.0", nil},
		{"above half smallest", "rounds to the smallest subnormal", "1.8226e-4951", "4e-4951", nil},
		{"many digits", "only their number matters", "0." + strings.Repeat("1", 300000), "0.11111111111111111111", nil},
		{"lower bound of positional", "0.0001 is a LongDouble of its own", "1e-4", "0.0001", nil},
		{"infinity", "spelling", "-iNFinity", "-inf", nil},
		{"nan", "spelling", "+NAN", "nan", nil},
		{"garbage", "rest after the number", "1.0x", "0.0", ErrSyntax},
	} {
		x, err := ParseLongDouble(tt.in)
		if x.String() != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: ParseLongDouble(%.40q) = %v, %v, want %s, %v (%s)", tt.name, tt.in, x, err, tt.want, tt.err, tt.why)
		}
	}
}

func TestLongComplexAgainstNumPy(t *testing.T) {
	xs := longDoubles(50)
	xs = append([]LongDouble{{}, {Mantissa: 1, SignExp: 0}, {}, {SignExp: ldSign}, {SignExp: ldSign}, {}}, xs[:len(xs)&^1]...)
	want := numpyLines(t, `lines(str(x) for x in np.frombuffer(data, '<c32'))`, longBytes(xs), len(xs)/2)
	m := mismatches{t: t}
	for i, w := range want {
		c := LongComplex{xs[2*i], xs[2*i+1]}
		m.check("LongComplex", i, c.String(), strings.Trim(w, "()"))
	}
}

func FuzzLongDouble(f *testing.F) {
	for i, x := range longDoubles(5) {
		if i%40 > 0 {
			continue
		}
		f.Add(x.Mantissa, x.SignExp, x.String())
	}
	f.Fuzz(func(t *testing.T, m uint64, se uint16, s string) {
		x := LongDouble{Mantissa: m, SignExp: se}
		if se&ldExpMask == 0 && m&ldIntBit != 0 {
			x.SignExp++ // a pseudo-denormal reads back as the normal it equals
		}
		checkLongText(t, x)
		y, err := ParseLongDouble(s)
		if errors.Is(err, ErrSyntax) {
			return
		}
		if back, _ := ParseLongDouble(y.String()); back != y && !y.IsNaN() {
			t.Errorf("%q reads as %v, which reads back as %v", s, y, back)
		}
	})
}

func TestLongDoubleToSingleAgainstNumPy(t *testing.T) {
	xs := longDoubles(20000)
	for _, f := range []float32{1, 1.5, math.MaxFloat32, math.SmallestNonzeroFloat32, 0x1p-126, 0x1.fffffep-127} { // midpoints, and numbers near them
		half := LongDoubleFromFloat64((float64(f) + float64(math.Nextafter32(f, float32(math.Inf(1))))) / 2)
		if half.IsInf(0) {
			half = LongDoubleFromFloat64(0x1.ffffffp127)
		}
		for d := range uint64(5) {
			xs = append(xs, LongDouble{Mantissa: half.Mantissa + d, SignExp: half.SignExp}, LongDouble{Mantissa: half.Mantissa - 1<<d, SignExp: half.SignExp | ldSign})
		}
	}
	want := numpyLines(t, "lines(str(b) for b in np.frombuffer(data, '<f16').astype('<f4').view('<u4'))", longBytes(xs), len(xs))
	m := mismatches{t: t}
	for i, x := range xs {
		got := math.Float32bits(x.Float32())
		if x.IsNaN() && want[i] != "0" {
			if f := x.Float32(); f == f {
				t.Errorf("NaN becomes %v", f)
			}
			continue
		}
		m.check("Float32", x, strconv.FormatUint(uint64(got), 10), want[i])
	}
}

// Integers read back, and the fraction cut off a LongDouble is the one that math/big cuts off.
func TestLongDoubleIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(80, 3))
	ints := []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}
	for range 5000 {
		ints = append(ints, int64(rng.Uint64())>>rng.IntN(64))
	}
	for _, i := range ints {
		if got, ok := LongDoubleFromInt64(i).Int64(); got != i || !ok {
			t.Errorf("int64 %d comes back as %d, %v", i, got, ok)
		}
		if got, ok := LongDoubleFromUint64(uint64(i)).Uint64(); got != uint64(i) || !ok {
			t.Errorf("uint64 %d comes back as %d, %v", uint64(i), got, ok)
		}
	}
	low, high := big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64)
	most := new(big.Int).SetUint64(math.MaxUint64)
	for _, x := range longDoubles(5000) {
		if x.IsNaN() || x.IsInf(0) {
			continue
		}
		f := new(big.Float).SetUint64(x.Mantissa)
		f.SetMantExp(f, x.exp()-ldBias-63)
		if x.Signbit() {
			f.Neg(f)
		}
		whole, _ := f.Int(nil)
		clamped := func(low, high *big.Int) (*big.Int, bool) {
			switch {
			case whole.Cmp(low) < 0:
				return low, false
			case whole.Cmp(high) > 0:
				return high, false
			}
			return whole, true
		}
		want, fits := clamped(low, high)
		if got, ok := x.Int64(); got != want.Int64() || ok != fits {
			t.Errorf("%+v.Int64() = %d, %v, want %s, %v", x, got, ok, want, fits)
		}
		want, fits = clamped(new(big.Int), most)
		if got, ok := x.Uint64(); got != want.Uint64() || ok != fits {
			t.Errorf("%+v.Uint64() = %d, %v, want %s, %v", x, got, ok, want, fits)
		}
	}
	nan, inf := LongDouble{Mantissa: 3 << 62, SignExp: ldExpMask}, LongDouble{Mantissa: ldIntBit, SignExp: ldExpMask}
	for _, tt := range []struct {
		x LongDouble
		i int64
		u uint64
	}{{nan, 0, 0}, {LongDouble{Mantissa: 1 << 62, SignExp: 0x4010}, 0, 0}, {inf, math.MaxInt64, math.MaxUint64}, {LongDouble{Mantissa: ldIntBit, SignExp: ldExpMask | ldSign}, math.MinInt64, 0}} {
		if i, ok := tt.x.Int64(); i != tt.i || ok {
			t.Errorf("%+v.Int64() = %d, %v, want %d", tt.x, i, ok, tt.i)
		}
		if u, ok := tt.x.Uint64(); u != tt.u || ok {
			t.Errorf("%+v.Uint64() = %d, %v, want %d", tt.x, u, ok, tt.u)
		}
	}
}
