package npy_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/npygo/npy"
)

// documented is the rows of doc/dtypes.md.
var documented = []struct{ descr, note string }{
	{"|b1", "any byte but 0 is true"},
	{"|i1", ""}, {"<i2", ""}, {"<i4", ""}, {"<i8", "`int` on 64-bit machines"},
	{"|u1", ""}, {"<u2", ""}, {"<u4", ""}, {"<u8", "`uint` on 64-bit machines"},
	{"<f2", ""}, {"<f4", ""}, {"<f8", ""},
	{"<f16", "x87 long double of Linux on x86; 80 bits, the rest is padding that is kept; other machines: see below"},
	{"<f12", "the same on 32-bit x86"},
	{"<c8", ""}, {"<c16", ""}, {"<c32", ""},
	{"|S5", "NULs at the end are padding"},
	{"<U5", "UCS-4 in the file, UTF-8 in Go; NULs at the end are padding"},
	{"|V5", "all bytes"},
	{"<M8[ns]", "int64 ticks; every unit and multiple; generic without one"},
	{"<m8[25s]", "int64 ticks"},
	{"bfloat16", "ml_dtypes, where the file names it; NumPy writes it as `<V2`, which reads as void, see below"},
	{"<f1", "float8_e5m2 of ml_dtypes"},
	{"<c4", "complex32 of ml_dtypes"},
	{"float8_e3m4", "ml_dtypes; a file has it as `<V1`, see below"},
	{"float8_e4m3", ""},
	{"float8_e4m3fn", ""},
	{"float8_e4m3fnuz", ""},
	{"float8_e4m3b11fnuz", ""},
	{"float8_e5m2fnuz", ""},
	{"float8_e8m0fnu", ""},
	{"float6_e2m3fn", ""},
	{"float6_e3m2fn", ""},
	{"float4_e2m1fn", ""},
	{"int4", "and the other names of ml_dtypes: as the bytes they are; `scalar.Int4` has the values"},
	{"[('x', '<f8'), ('n', '<i4')]", "struct: a Go struct through package `record`, or field by field with `Array.Field`"},
	{"|O", "Python objects: with package `objects`, as values of package `pickle`; else `ErrObjects`"},
}

// row is what the code does for one dtype, as a line of the table.
func row(descr, note string) string {
	t := parse(descr)
	var types []string
	for _, g := range npy.GoTypes(t) {
		types = append(types, "`"+strings.ReplaceAll(g.String(), "[]uint8", "[]byte")+"`")
	}
	own, also := "–", "–"
	if len(types) > 0 {
		own = types[0]
	}
	if len(types) > 1 {
		also = strings.Join(types[1:], " ")
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s |", strings.ReplaceAll(descr, "|", "\\|"), t.Name(), own, also, note)
}

// The table says what the code does.
func TestDTypesDocument(t *testing.T) {
	if intIsNarrow() {
		t.Skip("the table is that of 64-bit machines")
	}
	text, err := os.ReadFile("doc/dtypes.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documented {
		if line := row(d.descr, d.note); !strings.Contains(string(text), line+"\n") {
			t.Errorf("doc/dtypes.md lacks the line\n%s", line)
		}
	}
	if n := strings.Count(string(text), "\n| `"); n != len(documented) {
		t.Errorf("doc/dtypes.md has %d rows, want %d", n, len(documented))
	}
}

// intIsNarrow reports whether int has 32 bits here, which changes what it can hold.
func intIsNarrow() bool { return npy.DTypeOf[int]().ItemSize() == 4 }
