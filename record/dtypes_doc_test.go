package record

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/scalar"
)

// fieldTypes are the Go types that a field can have; one array and one struct stand for all others.
var fieldTypes = []reflect.Type{
	reflect.TypeFor[bool](),
	reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[int](),
	reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uint](),
	reflect.TypeFor[scalar.Int4](), reflect.TypeFor[scalar.Uint4](), reflect.TypeFor[scalar.Int2](), reflect.TypeFor[scalar.Uint2](),
	reflect.TypeFor[scalar.Float6E2M3FN](), reflect.TypeFor[scalar.Float6E3M2FN](), reflect.TypeFor[scalar.Float4E2M1FN](),
	reflect.TypeFor[scalar.Float8E3M4](), reflect.TypeFor[scalar.Float8E4M3](), reflect.TypeFor[scalar.Float8E4M3FN](),
	reflect.TypeFor[scalar.Float8E4M3FNUZ](), reflect.TypeFor[scalar.Float8E4M3B11FNUZ](), reflect.TypeFor[scalar.Float8E5M2FNUZ](),
	reflect.TypeFor[scalar.Float8E8M0FNU](), reflect.TypeFor[scalar.Float8E5M2](),
	reflect.TypeFor[scalar.BFloat16](), reflect.TypeFor[scalar.Float16](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[scalar.LongDouble](), reflect.TypeFor[scalar.Float128](),
	reflect.TypeFor[scalar.Complex32](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](), reflect.TypeFor[scalar.LongComplex](),
	timeType, reflect.TypeFor[scalar.Datetime64](), durationType, reflect.TypeFor[scalar.Timedelta64](),
	reflect.TypeFor[string](), reflect.TypeFor[[]byte](),
	reflect.TypeFor[[2][3]float32](),
	reflect.TypeFor[struct {
		X float64
		N int64
	}](),
}

// Every element type has a column, and is in the table of the document.
func TestColumns(t *testing.T) {
	for _, e := range codec.Registered() {
		if _, ok := columnFor(e, dtype.Type{}, dtype.Type{}); !ok || !slices.Contains(fieldTypes, e) {
			t.Errorf("%v is an element: it has a column %v, and fieldTypes must have it", e, ok)
		}
	}
}

// fieldRow returns a line of the table: the behaviour for a struct of one field of dtype descr, for every Go
// type. Types that can be written come first. The tag is given where no Go type determines the dtype.
func fieldRow(t *testing.T, descr string) string {
	t.Helper()
	d, err := dtype.Parse(descr)
	if err != nil {
		t.Fatal(err)
	}
	one, told := recordOf(t, d), ","+descr
	tag := "`" + told + "`"
	var readOnly, written, viewed []reflect.Type
	for _, goType := range fieldTypes {
		p, err := compile(oneField(goType, ""), one, policy{})
		switch {
		case err != nil:
			continue
		case p.noStore != nil:
			readOnly = append(readOnly, goType)
			continue
		}
		written = append(written, goType)
		if p.sameLoad {
			viewed = append(viewed, goType)
		}
		if got, err := derive(oneField(goType, told), false); err != nil || !got.Equal(one) {
			t.Errorf("a field of type %s with the tag %s has the dtype %s, %v, want %s", goType, told, got, err, one)
		}
		if natural, err := derive(oneField(goType, ""), false); err == nil && natural.Equal(one) {
			tag = "–"
		}
	}
	if len(written) == 0 {
		tag = "–"
	}
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s |", cell(descr), cell(tag), typeList(append(written, readOnly...)), typeList(written), typeList(viewed))
}

// oneField returns a struct with a field X of this type and tag.
func oneField(goType reflect.Type, tag string) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: "X", Type: goType, Tag: reflect.StructTag(fmt.Sprintf("npy:%q", tag))}})
}

// recordOf returns the dtype of records with a single field X of dtype d.
func recordOf(t *testing.T, d dtype.Type) dtype.Type {
	t.Helper()
	one, err := dtype.Struct(d.ItemSize(), dtype.Field{Name: "X", DType: d})
	if err != nil {
		t.Fatal(err)
	}
	return one
}

func typeList(types []reflect.Type) string {
	var names []string
	for _, t := range types {
		name := strings.ReplaceAll(t.String(), "[]uint8", "[]byte")
		if t.Kind() == reflect.Struct && t.Name() == "" {
			name = "a struct"
		}
		names = append(names, "`"+name+"`")
	}
	if names == nil {
		return "–"
	}
	return strings.Join(names, " ")
}

// The second table of doc/dtypes.md must match the code for each dtype of the first table, and for subarrays.
func TestDTypesDocument(t *testing.T) {
	if reflect.TypeFor[int]().Size() != 8 || !bulk.Shares || dtype.NativeEndian == dtype.BigEndian {
		t.Skip("the table is that of 64-bit little-endian machines, and views need unsafe")
	}
	text, err := os.ReadFile("../doc/dtypes.md")
	if err != nil {
		t.Fatal(err)
	}
	elements, rest, _ := strings.Cut(string(text), "\n## In structs\n")
	fields, _, _ := strings.Cut(rest, "\n## ")
	descrs := append(descrsOf(elements), "(2,3)<f4")
	for _, descr := range descrs {
		if line := fieldRow(t, descr); !strings.Contains(fields, line+"\n") {
			t.Errorf("doc/dtypes.md lacks the line\n%s", line)
		}
	}
	if n := len(descrsOf(fields)); n != len(descrs) {
		t.Errorf("doc/dtypes.md has %d dtypes for structs, want %d", n, len(descrs))
	}
}

// descrsOf returns the first cell of each line of a table.
func descrsOf(table string) []string {
	var descrs []string
	for line := range strings.Lines(table) {
		if cell, ok := strings.CutPrefix(line, "| `"); ok {
			descr, _, _ := strings.Cut(cell, "` |")
			descrs = append(descrs, strings.ReplaceAll(descr, `\|`, "|"))
		}
	}
	return descrs
}
