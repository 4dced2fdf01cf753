package convert_test

import (
	"encoding/binary"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// Text that a spreadsheet would take for a formula begins with an apostrophe, in cells and names; numbers and all other text
// stay as they are.
func TestEscapeFormulas(t *testing.T) {
	formulas := []string{
		"=1+1", "=", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "-", "+", "--1", "-1-1", "\t=1", "\r=1", "\n=1", "\uff1d1", "\uff0b1", "\uff0dx", "\uff20x",
		`=HYPERLINK("http://x","y")`, "=a,b", "-inf", "+0x10", "-1_0", "-1e5x", "=cmd;x",
	}
	others := []string{"a=1", "-1", "+1", "-1.5e-3", "+.5", "1", "1e", "-1e999", "", "'=1", "a\n=1", "x", "é", "\u2212x", " x"}
	texts, want := slices.Concat(formulas, others), []string{}
	for _, s := range formulas {
		want = append(want, "'"+s)
	}
	want = append(want, others...)
	objects := make([]any, len(texts))
	for i, s := range texts {
		objects[i] = s
	}
	a, err := npy.FromObjects(objects, len(texts))
	if err != nil {
		t.Fatal(err)
	}
	for f, delim := range map[convert.Format]rune{convert.CSV: ',', convert.TSV: '\t'} {
		for escape, want := range map[bool][]string{true: want, false: texts} {
			var b strings.Builder
			if err := convert.Write(t.Context(), &b, f, a, convert.WriteOptions{EscapeFormulas: escape}); err != nil {
				t.Fatal(err)
			}
			r := csv.NewReader(strings.NewReader(b.String()))
			r.Comma, r.FieldsPerRecord = delim, 1
			rows, err := r.ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range rows {
				if w := strings.ReplaceAll(want[i], "\r\n", "\n"); row[0] != w {
					t.Errorf("%s, EscapeFormulas %v: %q is written as %q, want %q", f, escape, texts[i], row[0], w)
				}
			}
			if len(rows) != len(texts) {
				t.Errorf("%s: %d rows, want %d", f, len(rows), len(texts))
			}
		}
	}
}

// Names of fields and Python objects are text; columns of numbers are not touched.
func TestEscapeFormulasOfRecords(t *testing.T) {
	record, err := dtype.Struct(-1, dtype.Field{Name: "=x", DType: dtype.Int32}, dtype.Field{Name: "y", DType: dtype.Float64, Offset: 4})
	if err != nil {
		t.Fatal(err)
	}
	data := binary.NativeEndian.AppendUint32(nil, 1<<32-1) // -1
	a, err := npy.FromBytes(record, append(data, make([]byte, 8)...), 1)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := npy.FromObjects([]any{"=1", -1}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		a    *npy.Array
		want string
	}{{a, "'=x,y\n-1,0.0\n"}, {objects, "'=1\n-1\n"}} {
		var b strings.Builder
		if err := convert.Write(t.Context(), &b, convert.CSV, test.a, convert.WriteOptions{EscapeFormulas: true}); err != nil || b.String() != test.want {
			t.Errorf("%q, %v, want %q", b.String(), err, test.want)
		}
	}
}
