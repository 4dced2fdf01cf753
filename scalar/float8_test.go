package scalar

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// A byteFormat is the definition of a one-byte float format, written independently, and its functions.
type byteFormat struct {
	name                string
	sign, exp, mant     int // widths of the fields
	bias                int
	nans                []uint8
	inf                 int    // the code of the positive infinity, 0 if there is none
	tooLarge, negative  uint8  // the results for 2**200 and -2**200
	fromNaN, fromNegNaN uint8  // the results for NaNs without payload
	largest, smallest   string // known values
	from32              func(float32) uint8
	from64              func(float64) uint8
	to32                func(uint8) float32
	to64                func(uint8) float64
	parse               func(string) (uint8, error)
	text                func(uint8) string
	isNaN               func(uint8) bool
	isInf               func(uint8, int) bool
	bulk                func([]float32, []uint8)
	bulk64              func([]float64, []uint8)
	bulkFrom            func([]uint8, []float32)
	values              []*big.Rat // of the codes without sign, special or not, and one beyond
}

func withFunctions[T interface {
	Float8
	fmt.Stringer
	Float32() float32
	Float64() float64
}](f byteFormat, from32 func(float32) T, from64 func(float64) T, parse func(string) (T, error)) byteFormat {
	f.from32 = func(x float32) uint8 { return code8(from32(x)).Bits }
	f.from64 = func(x float64) uint8 { return code8(from64(x)).Bits }
	f.to32 = func(x uint8) float32 { return T(code8{x}).Float32() }
	f.to64 = func(x uint8) float64 { return T(code8{x}).Float64() }
	f.parse = func(s string) (uint8, error) { x, err := parse(s); return code8(x).Bits, err }
	f.text = func(x uint8) string { return T(code8{x}).String() }
	f.isNaN = func(x uint8) bool { n, ok := any(T(code8{x})).(interface{ IsNaN() bool }); return ok && n.IsNaN() }
	f.isInf = func(x uint8, sign int) bool {
		n, ok := any(T(code8{x})).(interface{ IsInf(int) bool })
		return ok && n.IsInf(sign)
	}
	codes := func(raw []uint8) []T {
		xs := make([]T, len(raw))
		for i, x := range raw {
			xs[i] = T(code8{x})
		}
		return xs
	}
	f.bulk = func(dst []float32, src []uint8) { Float8sToFloat32s(dst, codes(src)) }
	f.bulk64 = func(dst []float64, src []uint8) { Float8sToFloat64s(dst, codes(src)) }
	f.bulkFrom = func(dst []uint8, src []float32) {
		xs := make([]T, len(dst))
		Float32sToFloat8s(xs, src)
		for i, x := range xs {
			dst[i] = code8(x).Bits
		}
	}
	for code := range 1<<(f.exp+f.mant) + 1 {
		f.values = append(f.values, f.magnitude(code))
	}
	return f
}

func byteFormats() []byteFormat {
	allOnes := []uint8{0x7f, 0xff}
	from := func(low, high int) (codes []uint8) {
		for x := low; x <= high; x++ {
			codes = append(codes, uint8(x), uint8(x|0x80))
		}
		return codes
	}
	return []byteFormat{
		withFunctions(byteFormat{name: "float8_e3m4", sign: 1, exp: 3, mant: 4, bias: 3, nans: from(0x71, 0x7f), inf: 0x70,
			tooLarge: 0x70, negative: 0xf0, fromNaN: 0x78, fromNegNaN: 0xf8, largest: "15.5", smallest: "1/64"},
			Float8E3M4FromFloat32, Float8E3M4FromFloat64, ParseFloat8E3M4),
		withFunctions(byteFormat{name: "float8_e4m3", sign: 1, exp: 4, mant: 3, bias: 7, nans: from(0x79, 0x7f), inf: 0x78,
			tooLarge: 0x78, negative: 0xf8, fromNaN: 0x7c, fromNegNaN: 0xfc, largest: "240", smallest: "1/512"},
			Float8E4M3FromFloat32, Float8E4M3FromFloat64, ParseFloat8E4M3),
		withFunctions(byteFormat{name: "float8_e5m2", sign: 1, exp: 5, mant: 2, bias: 15, nans: from(0x7d, 0x7f), inf: 0x7c,
			tooLarge: 0x7c, negative: 0xfc, fromNaN: 0x7e, fromNegNaN: 0xfe, largest: "57344", smallest: "1/65536"},
			Float8E5M2FromFloat32, Float8E5M2FromFloat64, ParseFloat8E5M2),
		withFunctions(byteFormat{name: "float8_e4m3fn", sign: 1, exp: 4, mant: 3, bias: 7, nans: allOnes,
			tooLarge: 0x7f, negative: 0xff, fromNaN: 0x7f, fromNegNaN: 0xff, largest: "448", smallest: "1/512"},
			Float8E4M3FNFromFloat32, Float8E4M3FNFromFloat64, ParseFloat8E4M3FN),
		withFunctions(byteFormat{name: "float8_e8m0fnu", exp: 8, bias: 127, nans: []uint8{0xff},
			tooLarge: 0xff, negative: 0xff, fromNaN: 0xff, fromNegNaN: 0xff,
			largest: "170141183460469231731687303715884105728", smallest: "1/170141183460469231731687303715884105728"},
			Float8E8M0FNUFromFloat32, Float8E8M0FNUFromFloat64, ParseFloat8E8M0FNU),
		withFunctions(byteFormat{name: "float8_e4m3fnuz", sign: 1, exp: 4, mant: 3, bias: 8, nans: []uint8{0x80},
			tooLarge: 0x80, negative: 0x80, fromNaN: 0x80, fromNegNaN: 0x80, largest: "240", smallest: "1/1024"},
			Float8E4M3FNUZFromFloat32, Float8E4M3FNUZFromFloat64, ParseFloat8E4M3FNUZ),
		withFunctions(byteFormat{name: "float8_e4m3b11fnuz", sign: 1, exp: 4, mant: 3, bias: 11, nans: []uint8{0x80},
			tooLarge: 0x80, negative: 0x80, fromNaN: 0x80, fromNegNaN: 0x80, largest: "30", smallest: "1/8192"},
			Float8E4M3B11FNUZFromFloat32, Float8E4M3B11FNUZFromFloat64, ParseFloat8E4M3B11FNUZ),
		withFunctions(byteFormat{name: "float8_e5m2fnuz", sign: 1, exp: 5, mant: 2, bias: 16, nans: []uint8{0x80},
			tooLarge: 0x80, negative: 0x80, fromNaN: 0x80, fromNegNaN: 0x80, largest: "57344", smallest: "1/131072"},
			Float8E5M2FNUZFromFloat32, Float8E5M2FNUZFromFloat64, ParseFloat8E5M2FNUZ),
		withFunctions(byteFormat{name: "float6_e2m3fn", sign: 1, exp: 2, mant: 3, bias: 1,
			tooLarge: 0x1f, negative: 0x3f, fromNaN: 0x20, fromNegNaN: 0, largest: "7.5", smallest: "1/8"},
			Float6E2M3FNFromFloat32, Float6E2M3FNFromFloat64, ParseFloat6E2M3FN),
		withFunctions(byteFormat{name: "float6_e3m2fn", sign: 1, exp: 3, mant: 2, bias: 3,
			tooLarge: 0x1f, negative: 0x3f, fromNaN: 0x20, fromNegNaN: 0, largest: "28", smallest: "1/16"},
			Float6E3M2FNFromFloat32, Float6E3M2FNFromFloat64, ParseFloat6E3M2FN),
		withFunctions(byteFormat{name: "float4_e2m1fn", sign: 1, exp: 2, mant: 1, bias: 1,
			tooLarge: 7, negative: 0xf, fromNaN: 8, fromNegNaN: 0, largest: "6", smallest: "1/2"},
			Float4E2M1FNFromFloat32, Float4E2M1FNFromFloat64, ParseFloat4E2M1FN),
	}
}

// width returns the number of bits used in the byte. signBit returns the code of the sign.
func (f byteFormat) width() int   { return f.sign + f.exp + f.mant }
func (f byteFormat) signBit() int { return f.sign << (f.exp + f.mant) }

// magnitude returns the value of a code without sign by definition, special or not.
func (f byteFormat) magnitude(code int) *big.Rat {
	exp, frac := code>>f.mant, code&(1<<f.mant-1)
	one := 1 << f.mant
	if exp == 0 && f.mant > 0 {
		exp, one = 1, 0
	}
	v := new(big.Rat).SetInt64(int64(one + frac))
	scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(exp-f.bias-f.mant, f.bias+f.mant-exp))))
	if exp < f.bias+f.mant {
		scale.Inv(scale)
	}
	return v.Mul(v, scale)
}

func (f byteFormat) special(code int) bool {
	code &= 1<<f.width() - 1
	for _, n := range f.nans {
		if int(n) == code {
			return true
		}
	}
	return f.inf != 0 && code&^f.signBit() == f.inf
}

// nearest returns the code of the value nearest to |v|, of two the even one, or the larger if the format is a bare
// exponent. It checks all values, and the value that would follow the
// largest, which is too large.
func (f byteFormat) nearest(v *big.Rat) (code int, ok bool) {
	abs := new(big.Rat).Abs(v)
	best, low := new(big.Rat), -1
	last := 0
	for code := range 1 << (f.exp + f.mant) {
		if !f.special(code) {
			last = code
		}
	}
	for code := range last + 2 {
		d := dist(f.values[code], abs)
		if c := d.Cmp(best); low < 0 || c < 0 || c == 0 && (code&1 == 0 || f.mant == 0) {
			best, low = d, code
		}
	}
	return low, low <= last
}

// want returns the code for v by definition.
func (f byteFormat) want(v *big.Rat, negZero bool) uint8 {
	neg := v.Sign() < 0 || negZero
	code, ok := f.nearest(v)
	switch {
	case f.sign == 0 && v.Sign() <= 0:
		return 0xff
	case !ok && neg:
		return f.negative
	case !ok:
		return f.tooLarge
	case neg && !(code == 0 && f.special(f.signBit())):
		code |= f.signBit()
	}
	return uint8(code)
}

// All codes have the value of the definition, and read back from float32, float64 and text.
func TestFloat8Codes(t *testing.T) {
	for _, f := range byteFormats() {
		t.Run(f.name, func(t *testing.T) {
			for i := range 1 << 8 {
				f.checkCode(t, i)
			}
		})
	}
}

func (f byteFormat) checkCode(t *testing.T, i int) {
	x := uint8(i)
	used := uint8(i & (1<<f.width() - 1))
	got, neg := f.to64(x), i&f.signBit() != 0
	if float64(f.to32(x)) != got && got == got || math.Signbit(float64(f.to32(x))) != math.Signbit(got) {
		t.Errorf("%#x: Float32 %v, Float64 %v", x, f.to32(x), got)
	}
	back32, back64 := f.from32(f.to32(x)), f.from64(got)
	isInf := f.inf != 0 && i&^f.signBit() == f.inf
	for _, sign := range []int{-1, 0, 1} {
		if want := isInf && (sign == 0 || (sign < 0) == neg); f.isInf(x, sign) != want || math.IsInf(got, sign) != want {
			t.Errorf("%#x: IsInf(%d) is %v for %v", x, sign, f.isInf(x, sign), got)
		}
	}
	if isNaN := f.special(i) && !isInf; f.isNaN(x) != isNaN || (got != got) != isNaN {
		t.Errorf("%#x: IsNaN %v, Float64 %v, want NaN %v", x, f.isNaN(x), got, isNaN)
	}
	if !f.special(i) {
		want, _ := f.magnitude(i &^ f.signBit() & (1<<f.width() - 1)).Float64()
		if neg {
			want = -want
		}
		if got != want || math.Signbit(got) != neg {
			t.Errorf("%#x: Float64 %v, want %v", x, got, want)
		}
	}
	if back32 != used || back64 != used {
		t.Errorf("%#x: %v comes back as %#x and %#x", x, got, back32, back64)
	}
	back, err := f.parse(f.text(x))
	switch {
	case got != got:
		if f.text(x) != "nan" || !f.isNaN(back) || err != nil {
			t.Errorf("%#x: %q reads back as %#x, %v", x, f.text(x), back, err)
		}
	case back != used || err != nil:
		t.Errorf("%#x: %q reads back as %#x, %v", x, f.text(x), back, err)
	case !isInf:
		f.checkShortest(t, x)
	}
}

// checkShortest tries all shorter decimals. None may read back.
func (f byteFormat) checkShortest(t *testing.T, x uint8) {
	t.Helper()
	n, _ := scanNumber(f.text(x))
	digits, exp := n.digits()
	if len(digits) < 2 {
		return
	}
	shorter, _ := new(big.Int).SetString(digits[:len(digits)-1], 10)
	for _, add := range []int64{0, 1} {
		text := fmt.Sprintf("%de%d", new(big.Int).Add(shorter, big.NewInt(add)), int(exp)-len(digits)+2)
		if strings.HasPrefix(f.text(x), "-") {
			text = "-" + text
		}
		if back, err := f.parse(text); back == x && err == nil {
			t.Errorf("%#x: %q is longer than %q", x, f.text(x), text)
		}
	}
}

// Every conversion gives the nearest value: at each value, at each midpoint, next to each midpoint, and at random.
func TestFloat8Nearest(t *testing.T) {
	for _, f := range byteFormats() {
		t.Run(f.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(8, uint64(f.exp)))
			for code := 0; code < 1<<(f.exp+f.mant); code += oracle.Step(t) {
				low, _ := f.magnitude(code).Float64()
				high, _ := f.magnitude(code + 1).Float64()
				mid := (low + high) / 2
				for _, v := range []float64{low, mid, math.Nextafter(mid, 0), math.Nextafter(mid, 1e300), low + (high-low)*rng.Float64(), mid / 4} {
					f.checkNearest(t, v)
					f.checkNearest(t, -v)
				}
			}
			for _, v := range []float64{0, math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-400, 0x1p-128, 0x1p-129, 0x1p200, 1e300} {
				f.checkNearest(t, v)
				f.checkNearest(t, -v)
			}
		})
	}
}

func (f byteFormat) checkNearest(t *testing.T, v float64) {
	t.Helper()
	exact := new(big.Rat).SetFloat64(v)
	want := f.want(exact, v == 0 && math.Signbit(v))
	if got := f.from64(v); got != want {
		t.Errorf("from float64 %x: %#x, want %#x", v, got, want)
	}
	if got, err := f.parse(fmt.Sprintf("%.1100e", v)); got != want || errors.Is(err, ErrRange) != f.refuses(exact) {
		t.Errorf("parse %g: %#x, %v, want %#x", v, got, err, want)
	}
	v32 := float32(v)
	if math.IsInf(float64(v32), 0) {
		return
	}
	want = f.want(new(big.Rat).SetFloat64(float64(v32)), v32 == 0 && math.Signbit(float64(v32)))
	if got := f.from32(v32); got != want {
		t.Errorf("from float32 %x: %#x, want %#x", v32, got, want)
	}
}

func (f byteFormat) refuses(v *big.Rat) bool {
	_, ok := f.nearest(v)
	return !ok || f.sign == 0 && v.Sign() <= 0
}

func TestFloat8Limits(t *testing.T) {
	for _, f := range byteFormats() {
		largest, smallest := new(big.Rat), new(big.Rat)
		for i := range 1 << (f.exp + f.mant) {
			if f.special(i) {
				continue
			}
			v := new(big.Rat).SetFloat64(f.to64(uint8(i)))
			if v.Cmp(largest) > 0 {
				largest = v
			}
			if v.Sign() > 0 && (smallest.Sign() == 0 || v.Cmp(smallest) < 0) {
				smallest = v
			}
		}
		wantLargest, _ := new(big.Rat).SetString(f.largest)
		wantSmallest, _ := new(big.Rat).SetString(f.smallest)
		if largest.Cmp(wantLargest) != 0 || smallest.Cmp(wantSmallest) != 0 {
			t.Errorf("%s: values from %v to %v, want %v to %v", f.name, smallest, largest, wantSmallest, wantLargest)
		}
		inf, nan := math.Inf(1), math.Float64frombits(0x7ff8<<48)
		for _, tt := range []struct {
			in   float64
			want uint8
		}{{inf, f.tooLarge}, {-inf, f.negative}, {nan, f.fromNaN}, {math.Copysign(nan, -1), f.fromNegNaN}} {
			if got, got32 := f.from64(tt.in), f.from32(float32(tt.in)); got != tt.want || got32 != tt.want {
				t.Errorf("%s: from %v: %#x and %#x, want %#x", f.name, tt.in, got, got32, tt.want)
			}
		}
	}
}

func TestParseFloat8(t *testing.T) {
	for _, f := range byteFormats() {
		for _, tt := range []struct {
			in   string
			want uint8
			err  error
		}{
			{"inf", f.tooLarge, map[bool]error{true: nil, false: ErrRange}[f.inf != 0]},
			{"-Infinity", f.negative, map[bool]error{true: nil, false: ErrRange}[f.inf != 0]},
			{"nan", f.fromNaN, map[bool]error{true: nil, false: ErrRange}[f.nans != nil]},
			{"1e999999999", f.tooLarge, ErrRange},
			{"-1e999999999", f.negative, ErrRange},
			{"1e-999999999", 0, nil},
			{"", 0, ErrSyntax},
			{"1x", 0, ErrSyntax},
		} {
			got, err := f.parse(tt.in)
			if got != tt.want || !errors.Is(err, tt.err) || (tt.err == nil) != (err == nil) {
				t.Errorf("%s: parse(%q) = %#x, %v, want %#x, %v", f.name, tt.in, got, err, tt.want, tt.err)
			}
			var pe *ParseError
			if err != nil && (!errors.As(err, &pe) || pe.Type != f.name) {
				t.Errorf("%s: parse(%q): error %v", f.name, tt.in, err)
			}
		}
	}
}
