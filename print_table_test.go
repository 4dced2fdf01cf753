package npy_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

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
