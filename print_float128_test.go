package npy_test

import (
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/scalar"
)

// quads returns an array of binary128.
func quads(t *testing.T, descr string, shape []int, texts ...string) *npy.Array {
	t.Helper()
	data := make([]scalar.Float128, len(texts))
	for i, s := range texts {
		data[i] = must(scalar.ParseFloat128(s))
	}
	return of(descr, data, shape...)
}

// Only the caller knows the format of <f16. The texts are NumPy's where NumPy has the same value. All digits of the
// third are needed to distinguish it from other binary128.
func TestPrintFloat128(t *testing.T) {
	const third = "0.3333333333333333333333333333333333"
	quad, exact := npy.Printer{Float128: true}, npy.Printer{Float128: true, Precision: -1}
	for _, c := range []struct {
		name  string
		p     npy.Printer
		array *npy.Array
		want  string
	}{
		{"array", quad, quads(t, "<f16", nil, "1", "-2.5", third, "nan", "-inf", "-0"), "[ 1.         -2.5         0.33333333         nan        -inf -0.        ]"},
		{"big-endian", quad, quads(t, ">f16", nil, "1", "0.1"), "[1.  0.1]"},
		{"exponents", quad, quads(t, "<f16", nil, "1e4932", "1"), "[1.e+4932 1.e+0000]"},
		{"all digits", exact, quads(t, "<f16", nil, third, "1"), "[" + third + " 1.                                  ]"},
		{"half", quad, quads(t, "<f16", nil, "0.123456785", "0.5"), "[0.12345679 0.5       ]"}, // a tiny amount above half, in 113 bits
		{"alone", quad, quads(t, "<f16", alone, third), third},
		{"smallest", quad, quads(t, "<f16", alone, "6e-4966"), "6e-4966"},
		{"struct", quad, must(npy.FromBytes(parse("[('x','<f16')]"), quads(t, "<f16", nil, "0.1").Bytes(), 1)), "  x\n0.1"},
		{"complex", quad, must(npy.FromBytes(parse("<c32"), quads(t, "<f16", nil, "0.1", "-2").Bytes(), 1)), "[0.1-2.j]"},
		{"complex alone", quad, must(npy.FromBytes(parse("<c32"), quads(t, "<f16", nil, third, "-2").Bytes(), alone...)), "(" + third + "-2j)"},
		{"x87", npy.Printer{}, of("<f16", []scalar.LongDouble{scalar.LongDoubleFromFloat64(0.5)}), "[0.5]"},
	} {
		if got := sprint(t, c.p, c.array); got != c.want+"\n" {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, c.want)
		}
	}
}
