package npy_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
)

// sprint returns what p prints.
func sprint(t testing.TB, p npy.Printer, a *npy.Array) string {
	t.Helper()
	var text strings.Builder
	if err := p.Print(&text, a); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// of makes an array of the given dtype.
func of[T npy.Element](descr string, data []T, shape ...int) *npy.Array {
	return must(npy.FromSliceAs(must(dtype.Parse(descr)), data, shape...))
}

// raw makes an array of the given dtype from its bytes, of one dimension if there is no shape.
func raw(descr, data string, shape ...int) *npy.Array {
	t := must(dtype.Parse(descr))
	if shape == nil {
		shape = []int{len(data) / t.ItemSize()}
	}
	return must(npy.FromBytes(t, []byte(data), shape...))
}

// alone is the shape of an array without dimensions.
var alone = []int{}

func serial(n int, shape ...int) *npy.Array {
	data := make([]int64, n)
	for i := range data {
		data[i] = int64(i)
	}
	return of("<i8", data, shape...)
}

var (
	nan, inf = math.NaN(), math.Inf(1)
	zero     = math.Copysign(0, -1)
)

// printed has arrays and NumPy's text for them.
var printed = []struct {
	name  string
	array *npy.Array
	want  string
	ours  string // why NumPy prints another text, or none

	numpy1 string // the text of NumPy 1, if it differs
}{
	{name: "bool", array: raw("?", "\x00\x01\x02"), want: "[False  True  True]"},
	{name: "bool alone", array: raw("?", "\x07", alone...), want: "True"},
	{name: "int", array: of(">i2", []int16{-32768, 0, 7}), want: "[-32768      0      7]"},
	{name: "uint", array: of("<u8", []uint64{math.MaxUint64, 0}), want: "[18446744073709551615                    0]"},
	{name: "int alone", array: of(">i4", []int32{-5}, alone...), want: "-5"},
	{name: "float", array: of("<f8", []float64{1, 2.5, -3.25}), want: "[ 1.    2.5  -3.25]"},
	{name: "float big-endian", array: of(">f4", []float32{0.1, 100}), want: "[  0.1 100. ]"},
	{name: "eight decimals", array: of("<f8", []float64{1. / 3, 2. / 3}), want: "[0.33333333 0.66666667]"},
	{name: "exponents for large", array: of("<f8", []float64{1e8, 1e8}), want: "[1.e+08 1.e+08]"},
	{name: "none below that", array: of("<f8", []float64{99999999}), want: "[99999999.]"},
	{name: "exponents for small", array: of("<f8", []float64{9.9e-5}), want: "[9.9e-05]"},
	{name: "exponents for a wide range", array: of("<f8", []float64{1, 1000.5}), want: "[1.0000e+00 1.0005e+03]"},
	{name: "none up to 1000", array: of("<f8", []float64{1, 1000}), want: "[   1. 1000.]"},
	{name: "long exponents", array: of("<f8", []float64{1e-300, -1e300, inf, zero}), want: "[ 1.e-300 -1.e+300      inf -0.e+000]"},
	{name: "true digits beyond the shortest", array: of("<f4", []float32{0.1, 1.00000007e-9}), want: "[1.0000000e-01 1.0000001e-09]"},
	{name: "no numbers", array: of("<f8", []float64{nan, inf, nan}), want: "[nan inf nan]"},
	{name: "no number but a sign", array: of("<f8", []float64{nan, -inf}), want: "[ nan -inf]"},
	{name: "negative zero", array: of("<f8", []float64{zero, 0}), want: "[-0.  0.]"},
	{name: "float alone", array: of("<f8", []float64{1. / 3}, alone...), want: "0.3333333333333333"},
	{name: "float16", array: raw("<f2", "\x00\x3c\xff\x7b\x01\x00"), want: "[1.00e+00 6.55e+04 5.96e-08]"},
	{name: "float16 has true digits before the point", array: raw("<f2", "\xff\x7b"), want: "[6.55e+04]", numpy1: "[65504.]"},
	{name: "float16 alone", array: raw("<f2", "\xff\x7b", alone...), want: "6.55e+04", numpy1: "65500.0"},
	{name: "float16 up to 1000", array: raw("<f2", "\xcf\x63\x8f\x06"), want: "[9.995e+02 1.001e-04]"},
	{name: "float16 0.0001", array: raw("<f2", "\x8e\x06"), want: "[0.0001]"},
	{name: "float32 from 1e6 on", array: of("<f4", []float32{1e6, 2}), want: "[1.e+06 2.e+00]"},
	{name: "float32 1e6", array: of("<f4", []float32{1e6, 999999}), want: "[1.00000e+06 9.99999e+05]", numpy1: "[1000000.  999999.]"},
	{name: "float32 1e6 alone", array: of("<f4", []float32{-1234567}, alone...), want: "-1.234567e+06", numpy1: "-1234567.0"},
	{name: "float32 below 1e6 alone", array: of("<f4", []float32{999999.94}, alone...), want: "999999.94"},
	{name: "float32 0.0001", array: of("<f4", []float32{1e-4, 0.02}), want: "[0.0001 0.02  ]", numpy1: "[1.e-04 2.e-02]"},
	{name: "float32 0.0001 alone", array: of("<f4", []float32{1e-4}, alone...), want: "1e-04"},
	{name: "complex64 alone", array: of("<c8", []complex64{complex(1e6, -2e7)}, alone...), want: "(1e+06-2e+07j)", numpy1: "(1000000-20000000j)"},
	{name: "imaginary complex64 alone", array: of("<c8", []complex64{complex(0, 1e6)}, alone...), want: "1e+06j", numpy1: "1000000j"},
	{name: "float32 alone", array: of("<f4", []float32{0.1}, alone...), want: "0.1"},
	{name: "long double", array: longs("<f16", "1e4000", "-0.1", "nan", "-inf"), want: "[ 1.e+4000 -1.e-0001       nan      -inf]"},
	{name: "long double by places", array: longs(">f16", "0.5", "0.1"), want: "[0.5 0.1]"},
	{name: "long double alone", array: longs("<f16", "0.1"), want: "0.1"},
	{name: "complex", array: of("<c16", []complex128{1 + 2i, complex(nan, -0.5), complex(inf, inf)}), want: "[ 1.+2.j  nan-0.5j inf+infj]"},
	{name: "complex big-endian", array: of(">c8", []complex64{1e10 - 1i}), want: "[1.e+10-1.j]"},
	{name: "complex alone", array: of("<c16", []complex128{complex(zero, 1)}, alone...), want: "(-0+1j)"},
	{name: "imaginary alone", array: of("<c8", []complex64{2.5i}, alone...), want: "2.5j"},
	{name: "bytes", array: raw("S4", "ab\x00\x00\xff'\n\x00'\"\\\t"), want: `[b'ab' b"\xff'\n" b'\'"\\\t']`},
	{name: "bytes alone", array: raw("S2", "a\n", alone...), want: `b'a\n'`},
	{name: "no bytes", array: raw("S0", "", 2), want: "[b'' b'']"},
	{name: "str", array: of("<U3", []string{"é"}), want: "['é']"},
	{name: "str with escapes", array: of(">U4", []string{"it's", "\x1b[m\n", "\u202e整😀\u00a0", ""}), want: `["it's" '\x1b[m\n' '\u202e整😀\xa0' '']`},
	{name: "lone surrogate", array: raw("<U1", "\x00\xd8\x00\x00"), want: `['\ud800']`},
	{name: "str alone", array: of("<U4", []string{`'é\"`}, alone...), want: `'é\"`},
	{name: "void", array: raw("V2", "a\x00\x01\xff"), want: `[b'\x61\x00' b'\x01\xFF']`},
	{name: "void alone", array: raw("V2", "a\x00", alone...), want: `b'\x61\x00'`},
	{name: "datetime", array: of("<M8[D]", scalar.Datetime64s(0, scalar.NaT)), want: "['1970-01-01'        'NaT']"},
	{name: "datetime in steps", array: of(">M8[25s]", scalar.Datetime64s(1)), want: "['1970-01-01T00:00:25']"},
	{name: "datetime alone", array: of("<M8[M]", scalar.Datetime64s(1), alone...), want: "1970-02"},
	{name: "no time alone", array: of("<M8[M]", scalar.Datetime64s(scalar.NaT), alone...), want: "NaT"},
	{name: "timedelta", array: of("<m8[7D]", scalar.Timedelta64s(-1, scalar.NaT, 10)), want: "[   -1 'NaT'    10]"},
	{name: "timedelta alone", array: of(">m8[7D]", scalar.Timedelta64s(-1), alone...), want: "-7 days"},
	{name: "empty", array: of("<f8", []float64{}), want: "[]"},
	{name: "empty in the middle", array: of("<f8", []float64{}, 3, 0, 2), want: "[]"},
	{name: "two dimensions", array: serial(6, 2, 3), want: "[[0 1 2]\n [3 4 5]]"},
	{name: "Fortran order", array: serial(6, 2, 3).Fortran(), want: "[[0 1 2]\n [3 4 5]]"},
	{name: "transposed", array: serial(6, 2, 3).T(), want: "[[0 3]\n [1 4]\n [2 5]]"},
	{name: "backwards", array: must(serial(6).Slice(npy.All().By(-2))), want: "[5 3 1]"},
	{name: "three dimensions", array: serial(4, 2, 1, 2), want: "[[[0 1]]\n\n [[2 3]]]"},
	{name: "lines", array: must(serial(140).Slice(npy.SpanFrom(100))), want: "" +
		"[100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117\n" +
		" 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135\n 136 137 138 139]"},
	{name: "summary", array: serial(1001), want: "[   0    1    2 ...  998  999 1000]"},
	{name: "summary of floats by the edges", array: edgy(), want: "[1.5 2.  2.  ... 2.  2.  2. ]"},
	{name: "summary in two dimensions", array: serial(3000, 3, 1000), want: "" +
		"[[   0    1    2 ...  997  998  999]\n [1000 1001 1002 ... 1997 1998 1999]\n [2000 2001 2002 ... 2997 2998 2999]]"},
	{name: "summary of rows", array: serial(2002, 1001, 2), want: "" +
		"[[   0    1]\n [   2    3]\n [   4    5]\n ...\n [1996 1997]\n [1998 1999]\n [2000 2001]]"},
	{name: "tuples", array: raw("[('a', '|i1'), ('b', [('c', '>f2', (2,)), ('d', '|b1')]), ('e', '|S1')]",
		"\x01\x3c\x00\x40\x00\x01x"+"\xf0\x3c\x00\x4e\x00\x00y", 1, 2), want: "[[(  1, ([ 1.,  2.],  True), b'x') (-16, ([ 1., 24.], False), b'y')]]"},
	{name: "tuples of one", array: raw("[('a', '|i1', (2, 1))]", "\x01\x02", 1, 1), want: "[[([[1], [2]],)]]"},
	{name: "tuples of nothing", array: raw("[]", "", 2), want: "[() ()]"},

	{name: "text alone is escaped", array: of("<U3", []string{"a\n\x1b"}, alone...), want: `a\n\x1b`, ours: "NumPy prints control characters"},
	{name: "beyond Unicode", array: raw("<U1", "\x00\x00\x11\x00\xff\xff\xff\xff"), want: `['\U00110000' '\Uffffffff']`, ours: "NumPy fails"},
	{name: "generic datetime", array: of("<M8", scalar.Datetime64s(5, scalar.NaT)), want: `[  '5' 'NaT']`, ours: "NumPy fails"},
	{name: "i386 long double", array: longs("<f12", "1.5", "2"), want: "[1.5 2. ]", ours: "not known to this NumPy"},
	{name: "i386 long complex", array: raw("<c24", strings.Repeat("\x00", 24)), want: "[0.+0.j]", ours: "not known to this NumPy"},
	{name: "bfloat16", array: of("bfloat16", []scalar.BFloat16{{Bits: 0x3f80}, {Bits: 0x3e20}, {Bits: 0x7fc0}}), want: "[1.    0.156   nan]", ours: "from ml_dtypes"},
	{name: "bfloat16 alone", array: of("bfloat16", []scalar.BFloat16{{Bits: 0x3dcd}}, alone...), want: "0.1", ours: "from ml_dtypes"},
	{name: "float8_e4m3fn", array: of("float8_e4m3fn", []scalar.Float8E4M3FN{{Bits: 0x38}, {Bits: 0x7e}, {Bits: 0xff}}), want: "[  1. 448.  nan]", ours: "from ml_dtypes"},
	{name: "float8_e8m0fnu", array: of("float8_e8m0fnu", []scalar.Float8E8M0FNU{{Bits: 127}, {Bits: 128}, {Bits: 0xff}}), want: "[ 1.  2. nan]", ours: "from ml_dtypes"},
	{name: "float4_e2m1fn alone", array: of("float4_e2m1fn", []scalar.Float4E2M1FN{{Bits: 0xf}}, alone...), want: "-6.0", ours: "from ml_dtypes"},
	{name: "float8_e5m2", array: raw("<f1", "\x3c\x7b\x7c"), want: "[1.e+00 6.e+04    inf]", ours: "from ml_dtypes"},
	{name: "complex32", array: raw("<c4", "\x00\x3c\x00\xc0"), want: "[1.-2.j]", ours: "from ml_dtypes"},
	{name: "complex32 alone", array: raw("<c4", "\x00\x3c\x00\xc0", alone...), want: "(1-2j)", ours: "from ml_dtypes"},
	{name: "small integers", array: raw("int4", "\x07\x0f\xf8\x00"), want: `[ 7 -1 -8  0]`, ours: "from ml_dtypes"},
	{name: "small integers without sign", array: raw("uint2", "\x03\xfe"), want: `[3 2]`, ours: "from ml_dtypes"},
	{name: "small integer alone", array: func() *npy.Array { return must(npy.FromSlice([]scalar.Int2{{Bits: 2}}, alone...)) }(), want: "-2", ours: "from ml_dtypes"},
	{name: "other types of ml_dtypes", array: raw("int1", "\x07"), want: `[b'\x07']`, ours: "from ml_dtypes"},
}

// longs makes an array of long doubles, alone if it is one.
func longs(descr string, texts ...string) *npy.Array {
	data := make([]scalar.LongDouble, len(texts))
	for i, s := range texts {
		data[i] = must(scalar.ParseLongDouble(s))
	}
	if len(data) == 1 {
		return of(descr, data, alone...)
	}
	return of(descr, data)
}

// edgy has its only large numbers where a summary leaves them out.
func edgy() *npy.Array {
	data := slices.Repeat([]float64{2}, 1001)
	data[0], data[3], data[500], data[997] = 1.5, 1e300, nan, 1e-300
	return of("<f8", data)
}

func TestPrint(t *testing.T) {
	for _, row := range printed {
		t.Run(row.name, func(t *testing.T) {
			if got := row.array.String(); got != row.want {
				t.Errorf("%s array prints\n%s\nwant\n%s", row.array.DType(), got, row.want)
			}
			if got := sprint(t, npy.Printer{}, row.array); got != row.want+"\n" {
				t.Errorf("Print gives %q", got)
			}
			want := row.want
			if row.numpy1 != "" {
				want = row.numpy1
			}
			if got := sprint(t, npy.Printer{NumPy: 1}, row.array); got != want+"\n" {
				t.Errorf("as NumPy 1 Print gives %q, want %q", got, want)
			}
		})
	}
}

func TestPrintOptions(t *testing.T) {
	thirds := of("<f8", []float64{1. / 3, 2})
	for _, row := range []struct {
		name  string
		p     npy.Printer
		array *npy.Array
		want  string
	}{
		{"precision", npy.Printer{Precision: 3}, thirds, "[0.333 2.   ]"},
		{"all digits", npy.Printer{Precision: -1}, thirds, "[0.3333333333333333 2.                ]"},
		{"all digits with exponents", npy.Printer{Precision: -1}, of("<f4", []float32{0.1, 1e9}), "[1.e-01 1.e+09]"},
		{"threshold", npy.Printer{Threshold: 7}, serial(8), "[0 1 2 ... 5 6 7]"},
		{"at the threshold", npy.Printer{Threshold: 8}, serial(8), "[0 1 2 3 4 5 6 7]"},
		{"everything", npy.Printer{Threshold: -1, LineWidth: -1}, of("|i1", make([]int8, 2000)), "[" + strings.Repeat("0 ", 1999) + "0]"},
		{"edge items", npy.Printer{Threshold: 1, EdgeItems: 1}, serial(9, 3, 3), "[[0 ... 2]\n ...\n [6 ... 8]]"},
		{"no edge items are the default", npy.Printer{Threshold: 1, EdgeItems: -1}, serial(7), "[0 1 2 ... 4 5 6]"},
		{"edges that meet", npy.Printer{Threshold: 1, EdgeItems: math.MaxInt}, serial(3), "[0 1 2]"},
		{"line width", npy.Printer{LineWidth: 6}, serial(4), "[0 1\n 2 3]"},
		{"too small a width", npy.Printer{LineWidth: 1}, serial(2), "[0\n 1]"},
	} {
		if got := sprint(t, row.p, row.array); got != row.want+"\n" {
			t.Errorf("%s: got\n%swant\n%s", row.name, got, row.want)
		}
	}
}

// A short file that claims many elements must not take long to print, or print much.
func TestPrintClaims(t *testing.T) {
	parse := func(descr string) dtype.Type { return must(dtype.Parse(descr)) }
	twos := slices.Repeat([]int{2}, 30)
	nested := "('|S0', (2147483647,))"
	for range 5 {
		nested = "([('f', " + nested + ")], (1000, 1000))"
	}
	for _, row := range []struct {
		name  string
		array *npy.Array
		want  string
		limit int
	}{
		{"empty with large dimensions", must(npy.New(dtype.Float64, math.MaxInt/16, 0)), "[]", 2},
		{"many items of no bytes", must(npy.New(parse("S0"), math.MaxInt)), "[b'' b'' b'' ... b'' b'' b'']", 100},
		{"many tuples of no bytes", must(npy.New(parse("[]"), 1<<30)), "[() () () ... () () ()]", 100},
		{"one byte again and again", must(npy.FromStrides(dtype.Uint8, []byte{7}, 0, []int{1 << 30}, []int{0})), "[7 7 7 ... 7 7 7]", 100},
		{"nothing but edges", must(npy.New(parse("V0"), twos...)), "[[[[[[", 8 << 20},
		{"many items in a subarray", must(npy.New(parse("[('a', '|S0', (2147483647,))]"), 2, 2)), "[[([b'', b'', ", 6 << 20},
		{"many empty lists in a subarray", must(npy.New(parse("[('a', '|S0', (2147483647, 0))]"), 2, 2)), "[[([[], [], ", 6 << 20},
		{"subarrays of structs of subarrays", must(npy.New(parse("[('a', "+nested+")]"), 1, 1)), "[[([[([[([", 10 << 20},
		{"a table of them", must(npy.New(parse("[('a', "+nested+")]"), 1<<30)), "a\n[", 10_000},
		{"a table of nothing", must(npy.New(parse("[('a', '|S0')]"), 1<<30)), "a\nb''\nb''\nb''\n...\nb''\nb''\nb''", 100},
	} {
		got := row.array.String()
		if !strings.HasPrefix(got, row.want) || len(got) > row.limit {
			t.Errorf("%s: prints %d bytes, at most %d expected: %.200s", row.name, len(got), row.limit, got)
		}
	}
}

func TestPrintError(t *testing.T) {
	r, w := io.Pipe()
	r.CloseWithError(syscall.EPIPE)
	forever := must(npy.FromStrides(dtype.Float64, make([]byte, 8), 0, []int{1 << 27}, []int{0}))
	pairs := must(npy.FromStrides(must(dtype.Parse("[('a', '?')]")), make([]byte, 1), 0, []int{1 << 27}, []int{0}))
	for _, a := range []*npy.Array{serial(3), raw("[('a', '?')]", "\x01"), forever, pairs} {
		p := npy.Printer{}
		if err := p.Print(w, a); !errors.Is(err, syscall.EPIPE) {
			t.Errorf("Print to a closed pipe: error %v", err)
		}
	}
}

// An endless text stops when the writer fails.
func TestPrintStops(t *testing.T) {
	for _, shape := range [][]int{{1 << 20}, {1 << 8, 1 << 12}} {
		endless := must(npy.FromStrides(dtype.Float64, make([]byte, 8), 0, shape, make([]int, len(shape))))
		if err := (npy.Printer{Threshold: -1}).Print(&full{room: 1 << 16}, endless); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("Print to a full writer: error %v", err)
		}
	}
}

// At most about a million values without bytes are printed in full, and at most MaxText bytes of shared objects.
func TestPrintLimits(t *testing.T) {
	for _, tt := range []struct {
		descr string
		shape []int
		ok    bool
	}{
		{"S0", []int{1000}, true},
		{"S0", []int{1 << 21}, false},
		{"[('a', '|S0', (2147483647,))]", []int{1}, false},
		{"[('a', '|S0', (2147483647,)), ('b', '|S0', (2147483647,))]", []int{1}, false},
		{"[('a', '|S0', (0,))]", []int{1000}, true},
	} {
		a := must(npy.New(must(dtype.Parse(tt.descr)), tt.shape...))
		err := npy.Printer{Threshold: -1}.Print(io.Discard, a)
		if tt.ok && err != nil || !tt.ok && !errors.Is(err, npy.ErrLimit) {
			t.Errorf("Print of %v of %s in full: error %v", tt.shape, tt.descr, err)
		}
		if err := (npy.Printer{}).Print(io.Discard, a); err != nil {
			t.Errorf("Print of %v of %s: error %v", tt.shape, tt.descr, err)
		}
	}
	text := strings.Repeat("x", 1000)
	objects := must(npy.FromObjects(slices.Repeat([]any{text}, 100)))
	for _, tt := range []struct {
		limit int64
		want  int // texts that are printed
	}{{0, 100}, {-1, 100}, {10_000, 10}, {1, 1}} {
		var b strings.Builder
		err := npy.Printer{Threshold: -1, MaxText: tt.limit}.Print(&b, objects)
		if got := strings.Count(b.String(), text); got != tt.want || errors.Is(err, npy.ErrLimit) != (tt.want < 100) {
			t.Errorf("Print with MaxText %d: %d texts, %v, want %d", tt.limit, got, err, tt.want)
		}
	}
}

// One long cell does not make every row of a table as long.
func TestPrintTableWidth(t *testing.T) {
	table := must(npy.NewObjects(must(dtype.Parse("[('a', 'O'), ('b', 'i1')]")), 1000))
	must(table.Field("a")).SetObject(strings.Repeat("x", 100_000), 500)
	var b strings.Builder
	if err := (npy.Printer{Threshold: -1}).Print(&b, table); err != nil || b.Len() > 400_000 {
		t.Errorf("a table with a cell of 100,000 bytes: %d bytes, %v", b.Len(), err)
	}
}

// A full takes a limited number of bytes.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.room)
	f.room -= n
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

// splitLines returns the lines of a text that ends in a newline.
func splitLines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// A file prints as its array does, for any part of it and any number of printed elements.
func TestPrintFile(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1500 {
		dt := must(dtype.Parse(fileTypes[r.IntN(len(fileTypes))]))
		shape := make([]int, r.IntN(4))
		for i := range shape {
			shape[i] = r.IntN(15)
		}
		data := fileOf(t, dt, r.IntN(2) == 0, shape...)
		f, m := openWith(t, npy.ReadOptions{Gap: -1}, data)
		index := randomIndex(r, shape)
		whole := must(must(npy.Read(bytes.NewReader(data))).Slice(index...))
		p := npy.Printer{Threshold: []int{-1, 0, 1, 20}[r.IntN(4)], EdgeItems: r.IntN(4)}
		var want, got strings.Builder
		if err := errors.Join(p.Print(&want, whole), p.Print(&got, must(f.Select(index...)))); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Fatalf("%v of shape %v%v, %+v: the file prints as\n%s\nthe array as\n%s", dt, shape, index, p, &got, &want)
		}
		if m.bytes > int64(whole.NBytes()) {
			t.Fatalf("%d bytes read to print %d", m.bytes, whole.NBytes())
		}
	}
}

// Many axes with only edges print little, and read no more.
func TestPrintFileReadsEdges(t *testing.T) {
	f, m := openWith(t, npy.ReadOptions{Gap: -1}, fileOf(t, dtype.Float64, false, 1000, 1000))
	if err := (npy.Printer{}).Print(io.Discard, f); err != nil || m.bytes != 36*8 {
		t.Errorf("%d bytes read for 36 elements, %v", m.bytes, err)
	}
	f, m = openBytes(t, fileOf(t, dtype.Uint8, true, slices.Repeat([]int{2}, 21)...))
	var want, got strings.Builder
	p := npy.Printer{EdgeItems: 1}
	if err := errors.Join(p.Print(&want, must(f.ReadAll(context.Background()))), p.Print(&got, f)); err != nil || got.String() != want.String() {
		t.Errorf("21 axes print in another way: %v", err)
	}
	m.failAt = m.reads + 1
	if err := p.Print(io.Discard, f); !errors.Is(err, errBroken) {
		t.Errorf("a read that fails: %v", err)
	}
}

// Marks take no space: without them every line is unchanged. Headings are lines of their own, with the index of each
// block in the whole array.
func TestPrintMarksAndAxes(t *testing.T) {
	const before, behind = "\x1b[31m", "\x1b[0m"
	for _, v := range vectors(t) {
		a, err := npy.ReadFile(v.Path)
		if err != nil {
			continue
		}
		marked := 0
		p := npy.Printer{Mark: func(of dtype.Type, item []byte) (string, string) {
			if len(item) != of.ItemSize() {
				t.Errorf("%s: %d bytes of dtype %s", v.Path, len(item), of)
			}
			marked++
			return before, behind
		}}
		got, want := strings.NewReplacer(before, "", behind, "").Replace(sprint(t, p, a)), sprint(t, npy.Printer{}, a)
		if got != want || a.Size() > 0 && marked == 0 {
			t.Errorf("%s: with %d marks\n%s\nwant\n%s", v.Path, marked, got, want)
		}
	}

	big, err := npy.FromSlice(make([]int8, 9*8*2*2), 9, 8, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	text := sprint(t, npy.Printer{Axes: true, Threshold: 1, EdgeItems: 1}, big)
	var headings []string
	for line := range strings.Lines(text) {
		if strings.HasSuffix(line, ", :, :]\n") {
			headings = append(headings, strings.TrimSpace(line))
		}
	}
	if got, want := strings.Join(headings, " "), "[0, 0, :, :] [0, 7, :, :] [8, 0, :, :] [8, 7, :, :]"; got != want {
		t.Errorf("headings %s, want %s, in\n%s", got, want, text)
	}
}

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

const askRepr = `
import base64, io
print(json.dumps(np.__version__))
for line in sys.stdin:
    print(json.dumps(repr(np.load(io.BytesIO(base64.b64decode(json.loads(line)))))))
`

// The repr of an array is Python's, line breaks and the position of the dtype included.
func TestReprLive(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 1))
	descrs := []string{"<i4", "<i8", "|i1", "<u8", ">i2", "|b1", "|S3", "<U5", "<M8[s]", "<m8[D]", "|V3", "<f8", "<c16", "<U40", "|S70"}
	var questions []string
	var files [][]byte
	for i := range 1500 {
		d := parse(descrs[i%len(descrs)])
		shape := []int{r.IntN(60)}
		if r.IntN(3) == 0 {
			shape = []int{r.IntN(4), 1 + r.IntN(30)}
		}
		n := 1
		for _, k := range shape {
			n *= k
		}
		raw := make([]byte, n*d.ItemSize())
		for j := range raw {
			switch d.Descr()[1] {
			case 'U': // one byte of four, so that it is a character
				if j%4 == 0 {
					raw[j] = byte('a' + r.IntN(26))
				}
			case 'f', 'c': // small whole numbers
				if j%8 > 5 {
					raw[j] = []byte{0, 0x40}[j%2]
				}
			case 'S':
				raw[j] = byte('a' + r.IntN(26))
			case 'b':
				raw[j] = byte(r.IntN(2))
			default:
				raw[j] = byte(r.Uint32()) >> r.IntN(8)
			}
		}
		var b bytes.Buffer
		if err := npy.Write(&b, must(npy.FromBytes(d, raw, shape...))); err != nil {
			t.Fatal(err)
		}
		questions = append(questions, base64.StdEncoding.EncodeToString(b.Bytes()))
		files = append(files, b.Bytes())
	}
	version, answers := oracle.Ask[string, string](t, askRepr, questions)
	for i, want := range answers {
		got := must(npy.Read(bytes.NewReader(files[i]))).Repr(0)
		if version[0] == '1' { // NumPy 1 leaves the byte order out
			got = strings.Replace(got, "dtype='>i2'", "dtype=int16", 1)
		}
		if got != want {
			t.Errorf("%.60q: Repr gives\n%s\nwant\n%s", files[i][10:], got, want)
		}
	}
}

// records makes n structs whose bytes count up.
func records(descr string, n int) *npy.Array {
	t := must(dtype.Parse(descr))
	data := make([]byte, n*t.ItemSize())
	for i := range data {
		data[i] = byte(i)
	}
	return must(npy.FromBytes(t, data, n))
}

func TestPrintTable(t *testing.T) {
	quakes := "[('time', '>M8[D]'), ('mag', '<f4'), ('station', [('name', '|S3'), ('up', '|b1'), ('loc', '<f8', (2,))])]"
	for _, row := range []struct {
		name  string
		p     npy.Printer
		array *npy.Array
		want  string
	}{
		{name: "kinds", array: raw(quakes,
			"\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x80\x3fab\x00\x01\x00\x00\x00\x00\x00\x00\xf8\x3f\x00\x00\x00\x00\x00\x00\xf0\x3f"+
				"\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x24\xc1\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf8\xff\x00\x00\x00\x00\x00\x00\x00\x00"),
			want: "" +
				"      time     mag  station.name  station.up  station.loc\n" +
				"1970-01-02    1.    b'ab'               True  [1.5 1. ]\n" +
				"       NaT  -10.25  b''                False  [nan 0. ]\n"},
		{name: "alone", array: raw("[('a', '|i1'), ('b', '|V1')]", "\xff\x07", alone...), want: " a  b\n-1  b'\\x07'\n"},
		{name: "no rows", array: raw("[('a', '|i1'), ('b', '|V1')]", ""), want: "a  b\n"},
		{name: "summary", p: npy.Printer{EdgeItems: 2}, array: records("[('a', '|u1'), ('b', '|S1')]", 1001), want: "" +
			"  a  b\n  0  b'\\x01'\n  2  b'\\x03'\n...  ...\n206  b'\\xcf'\n208  b'\\xd1'\n"},
		{name: "everything", p: npy.Printer{Threshold: -1}, array: records("[('a', '|i1')]", 7), want: "a\n0\n1\n2\n3\n4\n5\n6\n"},
		{name: "empty structs", array: raw("[('a', '|i1'), ('b', [])]", "\x05"), want: "a  b\n5  ()\n"},
		{name: "no name", array: raw("[('', '|i1'), ('a', '|i1')]", "\x05\x06"), want: "''  a\n 5  6\n"},
		{name: "long list", array: records("[('a', '|u1', (100,))]", 1), want: "a\n[ 0  1  2  3  4  5  6  7  8  9 10 ...]\n"},
		{name: "long list in full", p: npy.Printer{Threshold: -1}, array: records("[('a', '|u1', (12,))]", 1), want: "a\n[ 0  1  2  3  4  5  6  7  8  9 10 11]\n"},
		{name: "list of structs", array: records("[('a', [('b', '|u1'), ('c', '|S1')], (2,))]", 1), want: "a\n[(0, b'\\x01') (2, b'\\x03')]\n"},
		{name: "long text", array: raw("[('a', '|S60'), ('b', '|i1')]", strings.Repeat("x", 60)+"\x01"), want: "" +
			"a                                         b\nb'" + strings.Repeat("x", 35) + "...  1\n"},
		{name: "long text in full", p: npy.Printer{Threshold: -1}, array: raw("[('a', '|S60')]", strings.Repeat("x", 60)), want: "a\nb'" + strings.Repeat("x", 60) + "'\n"},
		{name: "names", array: raw(`[('\x1b[2J\n', '|i1'), ('\u202e\xe9', '|i1'), ('a b', '|i1'), ('d\\', '|i1')]`, "\x00\x00\x00\x00"), want: "" +
			`\x1b[2J\n  \u202eé  a b  d\` + "\n        0        0    0   0\n"},
		{name: "bfloat16", array: raw("[('a', 'bfloat16')]", "\x40\x40"), want: " a\n3.\n"},
	} {
		if got := sprint(t, row.p, row.array); got != row.want {
			t.Errorf("%s:\n%swant\n%s", row.name, got, row.want)
		}
	}
}

// Wide structs only make long lines.
func TestPrintWideTable(t *testing.T) {
	fields := make([]dtype.Field, 5000)
	for i := range fields {
		fields[i] = dtype.Field{Name: fmt.Sprintf("f%d", i), DType: dtype.Float64, Offset: 8 * i}
	}
	a := must(npy.New(must(dtype.Struct(-1, fields...)), 2000))
	lines := strings.Split(sprint(t, npy.Printer{}, a), "\n")
	if len(lines) != 9 || !strings.HasSuffix(lines[0], "  f4999") || !strings.HasSuffix(lines[1], "     0.") {
		t.Errorf("%d lines, the first ends in %q, the second in %q", len(lines), lines[0][len(lines[0])-10:], lines[1][len(lines[1])-10:])
	}
}

// FuzzPrint prints random bytes as arrays of any dtype and shape.
func FuzzPrint(f *testing.F) {
	for _, row := range printed {
		a := row.array
		f.Add(a.DType().Descr(), a.Bytes(), uint8(a.NDim()), uint8(a.Len()), int8(0), int8(0), int8(0), int8(0))
	}
	f.Add("[('a', '<U2', (3,)), ('b\\n', [('c', '|S1'), ('d', '<c32')])]", make([]byte, 400), uint8(1), uint8(3), int8(1), int8(1), int8(1), int8(1))
	f.Fuzz(func(t *testing.T, descr string, data []byte, ndim, length uint8, precision, threshold, edges, width int8) {
		dt, err := dtype.Parse(descr)
		if err != nil {
			return
		}
		a := fuzzArray(dt, data, int(ndim%4), int(length))
		if a == nil {
			return
		}
		p := npy.Printer{Precision: int(precision), Threshold: int(threshold), EdgeItems: int(edges), LineWidth: int(width)}
		if dt.IsStruct() { // in full, subarrays may be long
			p.Threshold = max(p.Threshold, 0)
		}
		var text strings.Builder
		if err := p.Print(&text, a); err != nil {
			t.Fatal(err)
		}
		got := text.String()
		if limit := 32<<20 + 100*len(data)*(len(descr)+10); len(got) > limit {
			t.Errorf("%d bytes as %s of shape %v print %d bytes", len(data), descr, a.Shape(), len(got))
		}
		for _, c := range got {
			if c != '\n' && !unicode.IsPrint(c) {
				t.Fatalf("%s prints %q", descr, c)
			}
		}
	})
}

// fuzzArray lays an array over data, and returns nil if there is none with this dtype.
func fuzzArray(t dtype.Type, data []byte, ndim, length int) *npy.Array {
	n := 1000
	if t.ItemSize() > 0 {
		n = len(data) / t.ItemSize()
	}
	shape := make([]int, ndim)
	for i := range shape {
		shape[i] = length
		if i == ndim-1 {
			shape[i] = n / max(int(math.Pow(float64(length), float64(i))), 1)
		}
	}
	size := t.ItemSize()
	for _, d := range shape {
		size *= d
	}
	if size > len(data) {
		return nil
	}
	a, err := npy.FromBytes(t, data[:size], shape...)
	if err != nil {
		return nil
	}
	return a
}
