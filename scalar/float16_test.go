package scalar

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

func allFloat16() []uint16 {
	all := make([]uint16, 1<<16)
	for i := range all {
		all[i] = uint16(i)
	}
	return all
}

func TestFloat16AgainstNumPy(t *testing.T) {
	all := allFloat16()
	want := numpyLines(t, `
h = np.frombuffer(data, '<f2')
f, d = h.astype('<f4'), h.astype('<f8')
lines('%s %d %d' % (newest(a), b, c) for a, b, c in zip(h, f.view('<u4'), d.view('<u8')))`, packed(t, all), len(all))
	m := mismatches{t: t}
	for i, x := range all {
		h := Float16{Bits: x}
		f32, f64 := math.Float32bits(h.Float32()), math.Float64bits(h.Float64())
		if h.IsNaN() { // processor instructions make NaNs quiet; NumPy uses them for some builds
			f := strings.Fields(want[i])
			w32, _ := strconv.ParseUint(f[1], 10, 32)
			w64, _ := strconv.ParseUint(f[2], 10, 64)
			if f32|1<<22 != uint32(w32)|1<<22 || f64|1<<51 != w64|1<<51 {
				t.Errorf("Float16(%#x): NaN bits %#x %#x, want %#x %#x", x, f32, f64, w32, w64)
			}
			m.check("String", x, h.String(), f[0])
			continue
		}
		m.check("Float16", x, fmt.Sprintf("%s %d %d", h, f32, f64), want[i])
	}
}

func TestFloat16FromFloatAgainstNumPy(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	var fs []float32
	var ds []float64
	for i := range 1 << 16 {
		h := Float16{Bits: uint16(i)}
		f := h.Float32()
		mid := (h.Float64() + Float16{Bits: uint16(i + 1)}.Float64()) / 2
		fs = append(fs, f, math.Nextafter32(f, 0), float32(mid), math.Nextafter32(float32(mid), 1e9), math.Float32frombits(rng.Uint32()))
		ds = append(ds, mid, math.Nextafter(mid, 0), math.Nextafter(mid, 1e9), math.Float64frombits(rng.Uint64()),
			(rng.Float64()-0.5)*math.Pow(2, float64(rng.IntN(44)-27)))
	}
	keep := fs[:0]
	for _, f := range fs {
		if f == f { // NaNs have their own test
			keep = append(keep, f)
		}
	}
	fs = keep
	in := append(packed(t, fs), packed(t, ds)...)
	want := numpy(t, fmt.Sprintf(`
n = 4 * %d
f, d = np.frombuffer(data[:n], '<f4'), np.frombuffer(data[n:], '<f8')
sys.stdout.buffer.write(b''.join(x.astype('<f2').tobytes() for x in (f, d)))`, len(fs)), in)
	word := func(i int) Float16 { return Float16{Bits: uint16(want[2*i]) | uint16(want[2*i+1])<<8} }
	m := mismatches{t: t}
	for i, f := range fs {
		m.check("Float16FromFloat32", f, fmt.Sprintf("%#x", Float16FromFloat32(f).Bits), fmt.Sprintf("%#x", word(i).Bits))
	}
	for i, d := range ds {
		if d == d {
			m.check("Float16FromFloat64", d, fmt.Sprintf("%#x", Float16FromFloat64(d).Bits), fmt.Sprintf("%#x", word(len(fs)+i).Bits))
		}
	}
}

// A small float format, driven through its public functions.
type smallFormat struct {
	name   string
	l      layout
	count  int
	from32 func(float32) uint16
	from64 func(float64) uint16
	to32   func(uint16) float32
	to64   func(uint16) float64
	parse  func(string) (uint16, error)
	text   func(uint16) string
	isNaN  func(uint16) bool
	isInf  func(uint16, int) bool
}

func smallFormats() []smallFormat {
	return []smallFormat{
		{"float16", float16Layout, 1 << 16,
			func(f float32) uint16 { return Float16FromFloat32(f).Bits },
			func(f float64) uint16 { return Float16FromFloat64(f).Bits },
			func(x uint16) float32 { return Float16{Bits: x}.Float32() },
			func(x uint16) float64 { return Float16{Bits: x}.Float64() },
			func(s string) (uint16, error) { x, err := ParseFloat16(s); return x.Bits, err },
			func(x uint16) string { return Float16{Bits: x}.String() },
			func(x uint16) bool { return Float16{Bits: x}.IsNaN() },
			func(x uint16, s int) bool { return Float16{Bits: x}.IsInf(s) }},
		{"bfloat16", bfloat16Layout, 1 << 16,
			func(f float32) uint16 { return BFloat16FromFloat32(f).Bits },
			func(f float64) uint16 { return BFloat16FromFloat64(f).Bits },
			func(x uint16) float32 { return BFloat16{Bits: x}.Float32() },
			func(x uint16) float64 { return BFloat16{Bits: x}.Float64() },
			func(s string) (uint16, error) { x, err := ParseBFloat16(s); return x.Bits, err },
			func(x uint16) string { return BFloat16{Bits: x}.String() },
			func(x uint16) bool { return BFloat16{Bits: x}.IsNaN() },
			func(x uint16, s int) bool { return BFloat16{Bits: x}.IsInf(s) }},
		{"float8_e5m2", float8E5M2Layout, 1 << 8,
			func(f float32) uint16 { return uint16(Float8E5M2FromFloat32(f).Bits) },
			func(f float64) uint16 { return uint16(Float8E5M2FromFloat64(f).Bits) },
			func(x uint16) float32 { return Float8E5M2{Bits: uint8(x)}.Float32() },
			func(x uint16) float64 { return Float8E5M2{Bits: uint8(x)}.Float64() },
			func(s string) (uint16, error) { x, err := ParseFloat8E5M2(s); return uint16(x.Bits), err },
			func(x uint16) string { return Float8E5M2{Bits: uint8(x)}.String() },
			func(x uint16) bool { return Float8E5M2{Bits: uint8(x)}.IsNaN() },
			func(x uint16, s int) bool { return Float8E5M2{Bits: uint8(x)}.IsInf(s) }},
	}
}

// value computes the value of x from the definition of the format, in floating-point steps that are exact.
func (sf smallFormat) value(x uint16) float64 {
	m := int(sf.l.mant())
	e := int(x>>m) & (1<<sf.l.exp() - 1)
	frac := float64(x & (1<<m - 1))
	sign := 1.0
	if x&sf.l.sign() != 0 {
		sign = -1
	}
	switch {
	case e == 1<<sf.l.exp()-1 && frac == 0:
		return math.Inf(int(sign))
	case e == 1<<sf.l.exp()-1:
		return math.NaN()
	case e == 0:
		return sign * math.Ldexp(frac, 1-sf.l.bias()-m)
	}
	return sign * math.Ldexp(frac+float64(int(1)<<m), e-sf.l.bias()-m)
}

func TestSmallFloatsExhaustive(t *testing.T) {
	for _, sf := range smallFormats() {
		t.Run(sf.name, func(t *testing.T) {
			for i := 0; i < sf.count; i += oracle.Step(t) {
				sf.checkValue(t, uint16(i))
			}
		})
	}
}

func (sf smallFormat) checkValue(t *testing.T, x uint16) {
	t.Helper()
	want := sf.value(x)
	got32, got64 := sf.to32(x), sf.to64(x)
	same := got64 == want && float64(got32) == want && math.Signbit(got64) == math.Signbit(want)
	if sf.isNaN(x) != (want != want) || want == want && !same {
		t.Errorf("%#x: Float32 %v, Float64 %v, want %v", x, got32, got64, want)
	}
	for _, sign := range []int{-1, 0, 1} {
		if sf.isInf(x, sign) != math.IsInf(want, sign) {
			t.Errorf("%#x: IsInf(%d) = %v", x, sign, sf.isInf(x, sign))
		}
	}
	if r32, r64 := sf.from32(got32), sf.from64(got64); r32 != x || r64 != x {
		t.Errorf("%#x: back from float32 %#x, from float64 %#x", x, r32, r64)
	}
	text := sf.text(x)
	back, err := sf.parse(text)
	switch {
	case err != nil:
		t.Errorf("%#x: parse %q: %v", x, text, err)
	case want != want:
		if text != "nan" || !sf.isNaN(back) {
			t.Errorf("%#x: text %q reads back as %#x", x, text, back)
		}
	case back != x:
		t.Errorf("%#x: text %q reads back as %#x", x, text, back)
	case !math.IsInf(want, 0) && want > 0:
		sf.checkShortest(t, x, text)
	}
}

// checkShortest compares text with the shortest decimals found by trying each length with exact
// fractions.
func (sf smallFormat) checkShortest(t *testing.T, x uint16, text string) {
	t.Helper()
	v := new(big.Rat).SetFloat64(sf.value(x))
	half := big.NewRat(1, 2)
	below := new(big.Rat).SetFloat64(sf.value(x - 1))
	lo := new(big.Rat).Add(v, below)
	lo.Mul(lo, half)
	next := sf.value(x + 1)
	if math.IsInf(next, 0) {
		next = 2*sf.value(x) - sf.value(x-1)
	}
	hi := new(big.Rat).Add(v, new(big.Rat).SetFloat64(next))
	hi.Mul(hi, half)
	inside := func(r *big.Rat) bool {
		l, h := r.Cmp(lo), r.Cmp(hi)
		return l > 0 && h < 0 || x&1 == 0 && (l == 0 || h == 0)
	}
	got, _ := new(big.Rat).SetString(text)
	if !inside(got) {
		t.Errorf("%#x: %q is not nearest to its value", x, text)
	}
	n, _ := scanNumber(text)
	digits, _ := n.digits()
	_, exp := decimal17(sf.value(x))
	for size := 1; size <= len(digits); size++ {
		unit := new(big.Rat).SetFrac(pow10(max(exp-size+1, 0)), pow10(max(size-1-exp, 0)))
		q := new(big.Rat).Quo(v, unit)
		down := new(big.Int).Quo(q.Num(), q.Denom())
		best := (*big.Rat)(nil)
		for _, k := range []int64{0, 1} {
			c := new(big.Rat).SetInt(new(big.Int).Add(down, big.NewInt(k)))
			c.Mul(c, unit)
			if !inside(c) {
				continue
			}
			if best == nil || dist(c, v).Cmp(dist(best, v)) < 0 {
				best = c
			}
		}
		if best == nil {
			continue
		}
		if dist(best, v).Cmp(dist(got, v)) != 0 {
			t.Errorf("%#x: text %q, want %s", x, text, best.FloatString(40))
		}
		return
	}
}

func dist(a, b *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(a, b)
	return d.Abs(d)
}

func TestSmallFloatNaN(t *testing.T) {
	for _, sf := range smallFormats() {
		quiet := sf.l.quiet()
		for _, tt := range []struct {
			name, why string
			in        uint32
			want      uint16
		}{
			{"quiet", "the common NaN stays quiet", 0x7fc00000, quiet},
			{"negative", "the sign is kept", 0xffc00000, quiet | sf.l.sign()},
			{"low payload", "a payload below the format must not turn into an infinity", 0x7f800001, sf.l.inf() | 1},
		} {
			f := math.Float32frombits(tt.in)
			if got := sf.from32(f); got != tt.want {
				t.Errorf("%s %s: from float32 %#x = %#x, want %#x (%s)", sf.name, tt.name, tt.in, got, tt.want, tt.why)
			}
			d := math.Float64frombits(float32To64bits(f))
			if got := sf.from64(d); got != tt.want {
				t.Errorf("%s %s: from float64 = %#x, want %#x (%s)", sf.name, tt.name, got, tt.want, tt.why)
			}
		}
	}
}

func TestSmallFloatRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 2))
	for _, sf := range smallFormats() {
		for i := 0; i < int(sf.l.inf()); i += oracle.Step(t) {
			x := uint16(i)
			v, next := sf.value(x), sf.value(x+1)
			if math.IsInf(next, 0) {
				next = 2*v - sf.value(x-1)
			}
			mid := (v + next) / 2
			even := x + x&1
			far := math.Nextafter(mid, math.Inf(1))
			between := v + rng.Float64()*(mid-v)*0.999
			if a, b, c, d := sf.from64(mid), sf.from64(math.Nextafter(mid, 0)), sf.from64(far), sf.from64(between); a != even ||
				b != x || c != x+1 || d != x {
				t.Fatalf("%s %#x: tie %#x, below %#x, above %#x, between %#x", sf.name, x, a, b, c, d)
			}
			sf.checkParseTie(t, x, mid)
		}
	}
}

// checkParseTie reads the midpoint above x in full, and that text with a digit far beyond float64 added above and below.
func (sf smallFormat) checkParseTie(t *testing.T, x uint16, mid float64) {
	t.Helper()
	exact := strconv.FormatFloat(mid, 'e', 150, 64)
	mantissa, exp, _ := strings.Cut(exact, "e")
	above := mantissa + strings.Repeat("0", 900) + "1e" + exp
	e, _ := strconv.Atoi(exp)
	digits := strings.TrimRight(strings.Replace(mantissa, ".", "", 1), "0")
	last := digits[:len(digits)-1] + string(digits[len(digits)-1]-1) + strings.Repeat("9", 900)
	below := last[:1] + "." + last[1:] + "e" + strconv.Itoa(e)
	for _, tt := range []struct {
		text string
		want uint16
	}{{exact, x + x&1}, {above, x + 1}, {below, x}, {"-" + below, x | sf.l.sign()}} {
		got, err := sf.parse(tt.text)
		if got != tt.want || sf.l.isInf(got, 0) != errors.Is(err, ErrRange) {
			t.Fatalf("%s: parse(%.40q...) = %#x, %v, want %#x", sf.name, tt.text, got, err, tt.want)
		}
	}
}

func TestParseFloat16(t *testing.T) {
	for _, tt := range []struct {
		name, why, in string
		want          Float16
		err           error
	}{
		{"tie", "65520 is halfway between 65504 and 65536 and goes to the even one, infinity", "65520", Float16{Bits: 0x7c00}, ErrRange},
		{"below tie", "reads as 65520 by way of float64", "65519.99999999999999999999", Float16{Bits: 0x7bff}, nil},
		{"half smallest", "half of the smallest subnormal goes to the even zero", "2.98023223876953125e-8", Float16{}, nil},
		{"above half smallest", "equal to the tie in float64", "2.980232238769531250000000000000001e-8", Float16{Bits: 1}, nil},
		{"underflow", "far below every float", "1e-99999999999999999999", Float16{}, nil},
		{"overflow", "far above every float", "-1e99999999999999999999", Float16{Bits: 0xfc00}, ErrRange},
		{"zeros and exponent", "digits and exponent cancel beyond what strconv reads", "0." + strings.Repeat("0", 120000) + "1e120001", Float16{Bits: 0x3c00}, nil},
		{"signed nan", "NumPy reads it", "-NaN", Float16{Bits: 0xfe00}, nil},
		{"infinity", "long spelling", "+Infinity", Float16{Bits: 0x7c00}, nil},
		{"minus zero", "sign kept", "-0.0", Float16{Bits: 0x8000}, nil},
		{"bare point", "Python reads 5. and .5 but not .", ".", Float16{}, ErrSyntax},
		{"hex", "no hexadecimal", "0x1p3", Float16{}, ErrSyntax},
		{"underscore", "no underscores", "1_0", Float16{}, ErrSyntax},
		{"space", "no spaces", " 1", Float16{}, ErrSyntax},
		{"empty", "no digits", "", Float16{}, ErrSyntax},
		{"bare exponent", "e needs digits", "1e+", Float16{}, ErrSyntax},
		{"point first", "digits after the point do", ".5", Float16{Bits: 0x3800}, nil},
		{"point last", "digits before the point do", "5.", Float16{Bits: 0x4500}, nil},
	} {
		got, err := ParseFloat16(tt.in)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: ParseFloat16(%.40q) = %#x, %v, want %#x, %v (%s)", tt.name, tt.in, got.Bits, err, tt.want.Bits, tt.err, tt.why)
		}
	}
}

func TestComplex32(t *testing.T) {
	for _, tt := range []struct {
		in   complex64
		want string
	}{
		{1.5 - 2i, "1.5-2j"},
		{complex(0, 1), "1j"},
		{complex(float32(math.Copysign(0, -1)), float32(math.Copysign(0, -1))), "-0-0j"},
		{complex(float32(math.NaN()), float32(math.Inf(-1))), "nan-infj"},
		{complex(65504, 6e-8), "6.55e+04+6e-08j"},
	} {
		c := Complex32FromComplex64(tt.in)
		if c.String() != tt.want {
			t.Errorf("Complex32(%v) = %q, want %q", tt.in, c, tt.want)
		}
		if back := Complex32FromComplex64(c.Complex64()); back != c {
			t.Errorf("Complex32(%v) comes back as %v", c, back)
		}
	}
}
