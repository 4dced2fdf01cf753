package npy_test

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
)

// documented is the rows of the first table in doc/dtypes.md.
var documented = []struct{ descr, note string }{
	{"|b1", "any byte but 0 is true"},
	{"|i1", ""}, {"<i2", ""}, {"<i4", ""}, {"<i8", "`int` on 64-bit machines"},
	{"|u1", ""}, {"<u2", ""}, {"<u4", ""}, {"<u8", "`uint` on 64-bit machines"},
	{"<f2", ""}, {"<f4", ""}, {"<f8", ""},
	{"<f16", "long double: x87 with padding that is kept, or binary128, see below"},
	{"<f12", "x87 long double of 32-bit Linux"},
	{"<c8", ""}, {"<c16", ""}, {"<c32", "of x87"},
	{"|S5", "NULs at the end are padding"},
	{"<U5", "UCS-4 in the file, UTF-8 in Go; NULs at the end are padding"},
	{"|V5", "all bytes"},
	{"|V1", "what the caller says it is, see below"},
	{"|V2", "what the caller says it is, see below"},
	{"<M8[ns]", "int64 ticks; every unit and multiple; generic without one"},
	{"<m8[25s]", "int64 ticks; a `time.Duration` is no NaT"},
	{"<m8[ns]", "the dtype of a `time.Duration`"},
	{"bfloat16", "ml_dtypes; NumPy writes it as `<V2`"},
	{"<f1", "float8_e5m2 of ml_dtypes"},
	{"<c4", "complex32 of ml_dtypes"},
	{"float8_e3m4", "ml_dtypes; NumPy writes it as `<V1`, and so all below"},
	{"float8_e4m3", ""},
	{"float8_e4m3fn", ""},
	{"float8_e4m3fnuz", ""},
	{"float8_e4m3b11fnuz", ""},
	{"float8_e5m2fnuz", ""},
	{"float8_e8m0fnu", ""},
	{"float6_e2m3fn", ""},
	{"float6_e3m2fn", ""},
	{"float4_e2m1fn", ""},
	{"int4", ""}, {"uint4", ""}, {"int2", ""}, {"uint2", ""},
	{"int1", "and the other names of ml_dtypes: as the bytes they are"},
	{"[('x', '<f8'), ('n', '<i8')]", "a Go struct through package `record`, see below, or field by field with `Array.Field`"},
	{"|O", "Python objects: with package `objects`, as values of package `pickle`; else `ErrObjects`"},
}

// row is the line of the table for one dtype, as the code behaves. The types that GoTypes lists come first. The other
// types are taken at the caller's request.
func row(descr, note string) string {
	t := parse(descr)
	read := npy.GoTypes(t)
	var written, viewed []reflect.Type
	if !t.HasObject() {
		a := must(npy.New(t, 1))
		for _, e := range everyElement {
			if e.as(a) == nil && !slices.Contains(read, e.goType) {
				read = append(read, e.goType)
			}
		}
		for _, e := range everyElement {
			if e.writes(t) {
				written = append(written, e.goType)
			}
			if e.shares(a) {
				viewed = append(viewed, e.goType)
			}
		}
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s |", strings.ReplaceAll(descr, "|", "\\|"), t.Name(), list(read), list(written), list(viewed), note)
}

// list returns types as a cell of the table.
func list(types []reflect.Type) string {
	if len(types) == 0 {
		return "–"
	}
	var names []string
	for _, t := range types {
		names = append(names, "`"+strings.ReplaceAll(t.String(), "[]uint8", "[]byte")+"`")
	}
	return strings.Join(names, " ")
}

// The table agrees with the code.
func TestDTypesDocument(t *testing.T) {
	if intIsNarrow() || !bulk.Shares || dtype.NativeEndian == dtype.BigEndian {
		t.Skip("the table is that of 64-bit little-endian machines, and views need unsafe")
	}
	text, err := os.ReadFile("doc/dtypes.md")
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(string(text), "\n## ")
	for _, d := range documented {
		if line := row(d.descr, d.note); !strings.Contains(table, line+"\n") {
			t.Errorf("doc/dtypes.md lacks the line\n%s", line)
		}
	}
	if n := strings.Count(table, "\n| `"); n != len(documented) {
		t.Errorf("doc/dtypes.md has %d rows, want %d", n, len(documented))
	}
}

// intIsNarrow reports whether int has 32 bits here, which changes the values it can hold.
func intIsNarrow() bool { return npy.DTypeOf[int]().ItemSize() == 4 }
