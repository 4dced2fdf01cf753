package scalar

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// quads returns finite edge cases and random values.
func quads(n int) []Float128 {
	rng := rand.New(rand.NewPCG(128, 1))
	var xs []Float128
	for _, e := range []uint64{0, 1, 2, 15300, 15307, 15361, 16383, 16384, 16383 + 112, 16383 + 113, 17406, 32765, 32766} {
		for _, frac := range []Float128{{0, 0}, {0, 1}, {1<<48 - 1, 1<<64 - 1}, {1 << 47, 0}, {0, 1 << 59}, {0, 1<<59 | 1}, {0, 3 << 59}} {
			xs = append(xs, Float128{e<<48 | frac.Hi, frac.Lo}, Float128{1<<63 | e<<48 | frac.Hi, frac.Lo})
		}
	}
	for i := range 112 {
		b := new(big.Int).Lsh(big.NewInt(1), uint(i))
		xs = append(xs, Float128{new(big.Int).Rsh(b, 64).Uint64(), new(big.Int).And(b, new(big.Int).SetUint64(1<<64-1)).Uint64()})
	}
	for range n {
		for _, e := range []int{rng.IntN(32767), 16383 - 60 + rng.IntN(120), 16383 - 1080 + rng.IntN(2110)} {
			xs = append(xs, Float128{rng.Uint64()&(1<<63|1<<48-1) | uint64(e)<<48, rng.Uint64()})
		}
		xs = append(xs, Float128{rng.Uint64() >> 16 >> rng.IntN(48), rng.Uint64()})
		xs = append(xs, Float128FromFloat64(float64(rng.IntN(1000000))/math.Pow10(rng.IntN(12))))
	}
	return xs
}

// value returns the finite x, computed from the definition of the format in big.Float.
func (x Float128) value() *big.Float {
	m := new(big.Float).SetPrec(200).SetUint64(x.Hi & (1<<48 - 1))
	m.SetMantExp(m, 64)
	m.Add(m, new(big.Float).SetUint64(x.Lo))
	m.SetMantExp(m, -112)
	e := int(x.Hi >> 48 & 0x7fff)
	if e > 0 {
		m.Add(m, big.NewFloat(1))
	} else {
		e = 1
	}
	m.SetMantExp(m, e-16383)
	if x.Hi>>63 != 0 {
		m.Neg(m)
	}
	return m
}

func TestFloat128(t *testing.T) {
	for _, x := range quads(oracle.Cases(t, 600)) {
		v := x.value()
		if b := x.Big(); b.Cmp(v) != 0 || b.Signbit() != x.Signbit() {
			t.Errorf("Float128 %x: Big %v, want %v", x, b, v)
		}
		want, accuracy := v.Float64()
		got, exact := x.Float64()
		if math.Float64bits(got) != math.Float64bits(want) || exact != (accuracy == big.Exact) {
			t.Errorf("Float128 %x: Float64 %v, %v, want %v, %v", x, got, exact, want, accuracy)
		}
		if back := Float128FromFloat64(got); exact != (back == x) {
			t.Errorf("Float128 %x: comes back from float64 as %x, exact %v", x, back, exact)
		}
		text := x.String()
		if back, err := ParseFloat128(text); back != x || err != nil {
			t.Errorf("Float128 %x: %q reads back as %x, %v", x, text, back, err)
		}
		checkQuadShortest(t, x)
	}
}

// checkQuadShortest compares with big.Float, which prints the shortest digits too for numbers with a full mantissa. For
// other numbers, no shorter text may read back.
func checkQuadShortest(t *testing.T, x Float128) {
	t.Helper()
	n, _ := scanNumber(x.String())
	digits, exp := n.digits()
	if x.exp() != 0 {
		want, _ := scanNumber(x.value().SetPrec(113).Text('e', -1))
		if d, e := want.digits(); d != digits || e != exp {
			t.Errorf("Float128 %x: digits %s e%d, want %s e%d", x, digits, exp, d, e)
		}
		return
	}
	if len(digits) < 2 {
		return
	}
	shorter, _ := new(big.Int).SetString(digits[:len(digits)-1], 10)
	for _, add := range []int64{0, 1} {
		text := fmt.Sprintf("%de%d", new(big.Int).Add(shorter, big.NewInt(add)), int(exp)-len(digits)+2)
		if back, _ := ParseFloat128(text); back.Hi == x.Hi&^(1<<63) && back.Lo == x.Lo {
			t.Errorf("Float128 %x: %s is longer than %s", x, x, text)
		}
	}
}

// Parsing rounds once: the exact midpoint goes to the even neighbour, and the slightest difference decides the
// direction.
func TestParseFloat128Ties(t *testing.T) {
	for _, x := range quads(oracle.Cases(t, 60)) {
		x.Hi &^= 1 << 63
		next := Float128{x.Hi, x.Lo + 1}
		if next.Lo == 0 {
			next.Hi++
		}
		if next.exp() == ldExpMask {
			continue
		}
		mid := new(big.Float).SetPrec(300).Add(x.value(), next.value())
		mid.SetMantExp(mid, -1)
		exact := mid.Text('e', 11600)
		mantissa, exp, _ := strings.Cut(exact, "e")
		even := x
		if x.Lo&1 == 1 {
			even = next
		}
		lower := new(big.Float).SetPrec(600).Sub(mid, new(big.Float).SetMantExp(mid, -250))
		for text, want := range map[string]Float128{exact: even, mantissa + "1e" + exp: next, lower.Text('e', 300): x} {
			if got, err := ParseFloat128(text); got != want || err != nil {
				t.Errorf("ParseFloat128(%.40q…) = %x, %v, want %x", text, got, err, want)
			}
		}
	}
}

func TestParseFloat128(t *testing.T) {
	for _, tt := range []struct {
		in, text string
		want     Float128
		err      error
	}{
		{"1", "1.0", Float128{0x3fff << 48, 0}, nil},
		{"-0.1", "-0.1", Float128{0xbffb999999999999, 0x999999999999999a}, nil},
		{"1.18973149535723176508575932662800702e4932", "1.189731495357231765085759326628007e+4932", Float128{0x7ffeffffffffffff, 1<<64 - 1}, nil},
		{"1.18973149535723176508575932662800708e4932", "inf", Float128{0x7fff << 48, 0}, ErrRange},
		{"6.475175119438025110924438958227646552e-4966", "6e-4966", Float128{0, 1}, nil},
		{"3.2e-4966", "0.0", Float128{}, nil},
		{"-1e99999999999", "-inf", Float128{0xffff << 48, 0}, ErrRange},
		{"1e-99999999999", "0.0", Float128{}, nil},
		{"-inf", "-inf", Float128{0xffff << 48, 0}, nil},
		{"nan", "nan", Float128{0x7fff8 << 44, 0}, nil},
		{"-0", "-0.0", Float128{1 << 63, 0}, nil},
		{"0x1", "0.0", Float128{}, ErrSyntax},
	} {
		got, err := ParseFloat128(tt.in)
		if got != tt.want || !errors.Is(err, tt.err) || got.String() != tt.text {
			t.Errorf("ParseFloat128(%q) = %x (%s), %v, want %x (%s), %v", tt.in, got, got, err, tt.want, tt.text, tt.err)
		}
	}
}

func TestFloat128BigAndComplex(t *testing.T) {
	inf, nan := Float128{0x7fff << 48, 0}, Float128{0xffff << 48, 1}
	if !inf.IsInf(0) || !inf.IsInf(1) || inf.IsInf(-1) || inf.IsNaN() || nan.IsInf(0) || !nan.IsNaN() || !nan.Signbit() {
		t.Error("infinities and NaNs are mixed up")
	}
	for _, f := range []float64{math.Inf(1), math.Inf(-1), math.Float64frombits(0x7ff0000000000001), math.Float64frombits(0xfff8000000000123)} {
		if got, exact := Float128FromFloat64(f).Float64(); math.Float64bits(got) != math.Float64bits(f) || !exact {
			t.Errorf("%x comes back as %x, %v", math.Float64bits(f), math.Float64bits(got), exact)
		}
	}
	if f, exact := nan.Float64(); f == f || exact || !math.Signbit(f) {
		t.Errorf("a NaN with low payload is %v, %v", f, exact)
	}
}

func TestFloat128Bytes(t *testing.T) {
	x := Float128{0x0102030405060708, 0x090a0b0c0d0e0f10}
	want := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	for _, big := range []bool{true, false} {
		got := make([]byte, 16)
		if err := x.PutBytes(got, big); err != nil || !bytes.Equal(got, want) {
			t.Errorf("PutBytes(%v) gives % x, %v", big, got, err)
		}
		if back, err := Float128FromBytes(got, big); back != x || err != nil {
			t.Errorf("Float128FromBytes(%v) = %x, %v", big, back, err)
		}
		reverse(want)
	}
	var se *SizeError
	if _, err := Float128FromBytes(want[:12], false); !errors.As(err, &se) || se.Size != 12 {
		t.Errorf("12 bytes: %v", err)
	}
	if err := x.PutBytes(want[:12], false); !errors.As(err, &se) || se.Size != 12 {
		t.Errorf("12 bytes: %v", err)
	}
}

func TestFloat128Special(t *testing.T) {
	inf, nan := Float128{Hi: 0x7fff << 48}, Float128{Hi: 0x7fff<<48 | 1<<47}
	if b := inf.Big(); !b.IsInf() || b.Signbit() {
		t.Errorf("Big of inf: %v", b)
	}
	if b := nan.Big(); b != nil {
		t.Errorf("Big of nan: %v", b)
	}
	one, minus := Float128FromFloat64(1), Float128FromFloat64(-2.5)
	for want, parts := range map[string][2]Float128{
		"1-2.5j": {one, minus}, "1j": {{}, one}, "-0+1j": {{Hi: 1 << 63}, one}, "nan-infj": {nan, {Hi: 0xffff << 48}}, "-2.5+nanj": {minus, nan},
	} {
		if got := string(AppendComplex256(nil, parts[0], parts[1])); got != want {
			t.Errorf("AppendComplex256 = %s, want %s", got, want)
		}
	}
}
