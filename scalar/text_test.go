package scalar

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestAppendFloatAgainstNumPy(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 1))
	fs := []float32{0, float32(math.Copysign(0, -1)), 1, 1e-4, 1e-5, 1e16, 9.999999e15, 16777216, 0.1, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}
	ds := []float64{0, math.Copysign(0, -1), 1, 1e-4, 9.999999999999999e-05, 1e16, 9999999999999998, 123456789012345678, 0.1, 5e-324, 1e22, 1e23, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for e := -149; e < 128; e++ {
		fs = append(fs, float32(math.Ldexp(1, e)), math.Nextafter32(float32(math.Ldexp(1, e)), 0))
	}
	for e := -1074; e < 1024; e++ {
		ds = append(ds, math.Ldexp(1, e), math.Nextafter(math.Ldexp(1, e), 0))
	}
	for e := -30; e < 30; e++ {
		fs = append(fs, float32(math.Pow10(e)), -float32(math.Pow10(e)*3))
		ds = append(ds, math.Pow10(e), -math.Pow10(e)*3)
	}
	for e := range 40 { // few binary digits: exact ties between two shortest texts
		for k := 1; k < 1<<24; k += 1 + k>>9*3 {
			fs = append(fs, float32(math.Ldexp(float64(k), -e)))
		}
	}
	for range 60000 {
		fs = append(fs, math.Float32frombits(rng.Uint32()), float32(rng.IntN(1e9))/1000)
		ds = append(ds, math.Float64frombits(rng.Uint64()), float64(rng.IntN(1e9))/1000)
	}
	want := numpyLines(t, `
n = 4 * `+itoa(int64(len(fs)))+`
f, d = np.frombuffer(data[:n], '<f4'), np.frombuffer(data[n:], '<f8')
lines([newest(x) for x in f] + [repr(float(x)) for x in d] + [str(x) for x in d])`, append(packed(t, fs), packed(t, ds)...), len(fs)+2*len(ds))
	m := mismatches{t: t}
	for i, f := range fs {
		m.check("AppendFloat32", f, string(AppendFloat32(nil, f)), want[i])
	}
	for i, d := range ds {
		m.check("AppendFloat64", d, string(AppendFloat64(nil, d)), want[len(fs)+i])
		m.check("AppendFloat64", d, string(AppendFloat64(nil, d)), want[len(fs)+len(ds)+i])
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func complexCases() []complex128 {
	rng := rand.New(rand.NewPCG(128, 1))
	parts := []float64{0, math.Copysign(0, -1), 1, -1, 1.5, -2, 1e16, 1e-5, 1e-4, 0.1, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(math.NaN(), -1), 123456.0}
	var cs []complex128
	for _, re := range parts {
		for _, im := range parts {
			cs = append(cs, complex(re, im))
		}
	}
	for range 5000 {
		cs = append(cs, complex(math.Float64frombits(rng.Uint64()), rng.NormFloat64()*math.Pow10(rng.IntN(40)-20)))
	}
	return cs
}

func TestAppendComplexAgainstNumPy(t *testing.T) {
	cs := complexCases()
	want := numpyLines(t, `
c = np.frombuffer(data, '<c16')
lines([str(x) for x in c] + [str(complex(x)) for x in c] + [newest(x) for x in c.astype('<c8')])`, packed(t, cs), 3*len(cs))
	m := mismatches{t: t}
	for i, c := range cs {
		text := string(AppendComplex128(nil, c))
		m.check("AppendComplex128", c, text, strings.Trim(want[i], "()"))
		m.check("AppendComplex128", c, text, strings.Trim(want[len(cs)+i], "()"))
		m.check("AppendComplex64", c, string(AppendComplex64(nil, complex64(c))), strings.Trim(want[2*len(cs)+i], "()"))
		for _, s := range []string{text, "(" + text + ")"} {
			back, err := ParseComplex128(s)
			if err != nil || !samePart(real(back), real(c)) || !samePart(imag(back), imag(c)) {
				t.Errorf("ParseComplex128(%q) = %v, %v", s, back, err)
			}
		}
	}
}

func samePart(a, b float64) bool {
	return a != a && b != b || math.Float64bits(a) == math.Float64bits(b)
}

func TestParseComplex128(t *testing.T) {
	texts := strings.Fields("1 j -j +j 1+j 1-J (2j) 1e5+1e-5j 1e+5j -1e-5-1e-5j nanj infj -inf-infj nan-nanj .5j 5. 1+2 +1+-2j (1 1) () ( 1+2jj " +
		"1j+2 e5j 1ej 1e+ ++1j --j 1__0 1++j inf+j Infinity-Infinityj 1e400 1-1e400j infinity+nanj 1..2 jj 0x1j")
	want := numpyLines(t, `
def f(s):
    try: c = complex(s)
    except ValueError: return 'error'
    return str(c).strip('()')
lines(f(s) for s in data.decode().split())`, []byte(strings.Join(texts, " ")), len(texts))
	m := mismatches{t: t}
	for i, s := range texts {
		c, err := ParseComplex128(s)
		got := string(AppendComplex128(nil, c))
		if errors.Is(err, ErrSyntax) {
			got = "error"
		}
		m.check("ParseComplex128", s, got, want[i])
		if strings.Contains(s, "e400") != errors.Is(err, ErrRange) {
			t.Errorf("ParseComplex128(%q): error %v", s, err)
		}
	}
}
