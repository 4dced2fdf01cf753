package scalar

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Every complex number reads back from its text, with and without parentheses, each part rounded once.
func TestParseComplexRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	for range 20_000 {
		c := Complex32{Float16{Bits: uint16(rng.Uint32())}, Float16{Bits: uint16(rng.Uint32())}}
		for _, s := range []string{c.String(), "(" + c.String() + ")"} {
			if back, err := ParseComplex32(s); err != nil || !same16(back.Real, c.Real) || !same16(back.Imag, c.Imag) {
				t.Fatalf("ParseComplex32(%q) = %x, %v, want %x", s, back, err, c)
			}
		}
	}
	for range 500 {
		part := func() LongDouble {
			return LongDouble{Mantissa: rng.Uint64() | ldIntBit, SignExp: uint16(rng.IntN(2))<<15 | uint16(1+rng.IntN(32766))}
		}
		c := LongComplex{part(), part()}
		if back, err := ParseLongComplex(c.String()); err != nil || back != c {
			t.Fatalf("ParseLongComplex(%q) = %v, %v", c, back, err)
		}
	}
}

// same16 reports whether two floats are equal bit for bit, or both are NaN.
func same16(x, y Float16) bool { return x == y || x.IsNaN() && y.IsNaN() }

func TestParseComplexTexts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1", "1+0j"}, {"-1.5e0", "-1.5+0j"}, {"j", "1j"}, {"-J", "-1j"}, {"+j", "1j"}, {"1+j", "1+1j"}, {"(1-2j)", "1-2j"}, {"(j)", "1j"},
		{"nan", "nan+0j"}, {"nanj", "nanj"}, {"inf-infj", "inf-infj"}, {"-Infinity+NaNj", "-inf+nanj"}, {"infj", "infj"},
		{"1e-2+1E+2j", "0.01+100j"}, {"-0-0j", "-0-0j"}, {"0j", "0j"},
		{"", "syntax"}, {"()", "syntax"}, {"(1", "syntax"}, {"1+2", "syntax"}, {"1+2i", "syntax"}, {"1+2j+3", "syntax"}, {"1+2j3j", "syntax"},
		{" 1", "syntax"}, {"1 + 2j", "syntax"}, {"((1))", "syntax"}, {"1e+j", "syntax"}, {"+", "syntax"}, {"jj", "syntax"},
		{"1e9999", "range"}, {"1-1e9999j", "range"},
	} {
		long, err := ParseLongComplex(c.text)
		check := func(name, got string, err error) {
			t.Helper()
			var pe *ParseError
			switch c.want {
			case "syntax", "range":
				want := map[string]error{"syntax": ErrSyntax, "range": ErrRange}[c.want]
				if !errors.Is(err, want) || !errors.As(err, &pe) || pe.Text != c.text {
					t.Errorf("%s(%q): error %v, want %v", name, c.text, err, want)
				}
			default:
				if got != c.want || err != nil {
					t.Errorf("%s(%q) = %s, %v, want %s", name, c.text, got, err, c.want)
				}
			}
		}
		if c.text != "1e9999" && c.text != "1-1e9999j" { // a long double holds this number
			check("ParseLongComplex", long.String(), err)
		}
		half, err := ParseComplex32(c.text)
		check("ParseComplex32", half.String(), err)
		double, err := ParseComplex128(c.text)
		check("ParseComplex128", string(AppendComplex128(nil, double)), err)
	}
	if c, err := ParseLongComplex("1-1e5000j"); !errors.Is(err, ErrRange) || fmt.Sprint(c) != "1-infj" {
		t.Errorf("ParseLongComplex beyond the largest: %v, %v", c, err)
	}
}

// Slices convert as their elements do, bit for bit.
func TestComplexSlices(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 1))
	singles, halves := make([]complex64, 5000), make([]Complex32, 5000)
	for i := range singles {
		singles[i] = complex(math.Float32frombits(rng.Uint32()), float32(rng.NormFloat64()))
		halves[i] = Complex32{Float16{Bits: uint16(rng.Uint32())}, Float16{Bits: uint16(rng.Uint32())}}
	}
	wide, narrow := make([]complex64, len(halves)), make([]Complex32, len(singles))
	Complex32sToComplex64s(wide, halves)
	Complex64sToComplex32s(narrow, singles)
	bits := func(c complex64) [2]uint32 { return [2]uint32{math.Float32bits(real(c)), math.Float32bits(imag(c))} }
	for i := range singles {
		if got, want := wide[i], halves[i].Complex64(); bits(got) != bits(want) {
			t.Fatalf("Complex32sToComplex64s of %x: %v, want %v", halves[i], got, want)
		}
		if got, want := narrow[i], Complex32FromComplex64(singles[i]); got != want {
			t.Fatalf("Complex64sToComplex32s of %v: %x, want %x", singles[i], got, want)
		}
	}
	one, tenth := LongDoubleFromFloat64(1), LongDoubleFromFloat64(0.1)
	long := []LongComplex{{one, tenth}, {tenth, one}}
	out := make([]complex128, 2)
	if !LongComplexesToComplex128s(out, long) || out[0] != 1+0.1i || out[1] != 0.1+1i {
		t.Errorf("LongComplexesToComplex128s = %v, want exact", out)
	}
	long[0].Imag.Mantissa |= 1
	if LongComplexesToComplex128s(out, long) || out[0] != 1+0.1i {
		t.Errorf("LongComplexesToComplex128s = %v, want inexact", out)
	}
}
