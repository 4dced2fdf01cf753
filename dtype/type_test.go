package dtype_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
)

// mustParse parses a type that a test needs and fails the test on an error.
func mustParse(t testing.TB, text string) dtype.Type {
	t.Helper()
	got, err := dtype.Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return got
}

// everyType returns the types of all spellings and descrs in this package, without duplicates.
func everyType() []dtype.Type {
	types := []dtype.Type{
		dtype.Bool, dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64,
		dtype.Float16, dtype.Float32, dtype.Float64, dtype.LongDouble, dtype.Complex64, dtype.Complex128, dtype.LongComplex, dtype.Object,
		dtype.Bytes(3), dtype.Str(3), dtype.Void(3), dtype.Datetime64(dtype.Step{Num: 25, Unit: dtype.Second}),
		dtype.Timedelta64(dtype.Step{}), subarray(dtype.Int16, 2, 3),
	}
	for _, text := range allSpellings() {
		if t, err := dtype.Parse(text); err == nil {
			types = append(types, t)
		}
	}
	for _, text := range allDescrs() {
		if t, err := dtype.ParseDescr(text); err == nil {
			types = append(types, t)
		}
	}
	return types
}

// stored returns the type that t is after it has been written to a file and read back. Types such as bfloat16, whose
// names are not in the descr, become raw bytes; without a field name they become padding.
func stored(t dtype.Type) dtype.Type {
	switch {
	case t.IsSubarray():
		sub, err := dtype.Subarray(stored(t.Elem()), t.SubShape()...)
		if err != nil {
			panic(err)
		}
		return sub
	case t.IsStruct():
		var fields []dtype.Field
		for _, f := range t.Fields() {
			if f.Name == "" && f.Title == "" && hasNoCode(f.DType) {
				continue
			}
			f.DType = stored(f.DType)
			fields = append(fields, f)
		}
		record, err := dtype.Struct(t.ItemSize(), fields...)
		if err != nil {
			panic(err)
		}
		return record
	case hasNoCode(t):
		return dtype.Void(t.ItemSize())
	}
	return t
}

// hasNoCode reports whether t is a type such as bfloat16: raw bytes to NumPy, but with a byte order.
func hasNoCode(t dtype.Type) bool {
	return t.Kind() == dtype.KindVoid && !t.IsStruct() && !t.IsSubarray() && t.ByteOrder() != dtype.NoByteOrder
}

func TestRoundTrip(t *testing.T) {
	for _, typ := range everyType() {
		descr := typ.Descr()
		again, err := dtype.Parse(descr)
		if err != nil {
			t.Errorf("Parse(%q): %v", descr, err)
			continue
		}
		if !again.Equal(stored(typ)) {
			t.Errorf("Parse(%q) is not Equal to the type it came from", descr)
		}
		literal := string(typ.AppendDescr([]byte("x")))
		if !strings.HasPrefix(literal, "x") {
			t.Errorf("AppendDescr of %s overwrote what was there: %q", typ, literal)
		}
		if again, err = dtype.ParseDescr(literal[1:]); err != nil || !again.Equal(stored(typ)) {
			t.Errorf("ParseDescr(%q) = %v, %v, want %s", literal[1:], again, err, typ)
		}
		if typ.String() != descr {
			t.Errorf("String of %s is %q", descr, typ.String())
		}
	}
}

func TestZeroType(t *testing.T) {
	var zero dtype.Type
	if zero.IsValid() || zero.String() != "invalid dtype" || zero.ItemSize() != 0 || zero.NumField() != 0 || zero.HasObject() {
		t.Errorf("zero Type: valid %t, %q, %d bytes", zero.IsValid(), zero, zero.ItemSize())
	}
	for _, o := range []dtype.ByteOrder{dtype.LittleEndian, dtype.BigEndian, dtype.NoByteOrder} {
		if got := zero.WithByteOrder(o); got != zero {
			t.Errorf("WithByteOrder(%s) changed the zero Type: %#v", o, got)
		}
	}
	if zero.Equal(dtype.Void(0)) || !zero.Equal(dtype.Type{}) {
		t.Error("the zero Type equals only itself")
	}
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"bool": "bool", "i1": "int8", ">i8": "int64", "u2": "uint16", "f2": "float16", "f16": "float128", "f12": "float96",
		"c8": "complex64", "c24": "complex192", "c32": "complex256", "S": "bytes", "S5": "bytes40", "U3": "str96", "V": "void", "V4": "void32",
		"O": "object", "M8": "datetime64", "M8[ns]": "datetime64[ns]", ">m8[25s]": "timedelta64[25s]", "i4,f8": "void96", "2i4": "void64",
		"bfloat16": "bfloat16", "float8_e5m2": "float8_e5m2", "f1": "float8_e5m2", "c4": "complex32", "complex32": "complex32",
		"float8_e4m3fn": "float8_e4m3fn", "int4": "int4", "[]": "void",
	} {
		if got := mustParse(t, text).Name(); got != want {
			t.Errorf("Parse(%q).Name() = %q, want %q", text, got, want)
		}
	}
}

func TestByteOrder(t *testing.T) {
	const mixed = "[('a', '<i4'), ('b', '>f8', (2,)), ('c', '|S3'), ('d', [('e', '<U2'), ('f', '|u1')]), ('', '|V4')]"
	for _, tt := range []struct {
		why, text, little, big string
	}{
		{"numbers have an order", "<i4", "<i4", ">i4"},
		{"so have code points", ">U3", "<U3", ">U3"},
		{"and times", "<M8[25s]", "<M8[25s]", ">M8[25s]"},
		{"one byte has none", "|u1", "|u1", "|u1"},
		{"bool has none", "|b1", "|b1", "|b1"},
		{"bytes have none", "S5", "|S5", "|S5"},
		{"void has none", "<V5", "|V5", "|V5"},
		{"objects have none", "O", "|O", "|O"},
		{"float8_e5m2 is stored with one", "<f1", "<f1", ">f1"},
		{"subarrays pass it on", "('<i4', (2,))", "('<i4', (2,))", "('>i4', (2,))"},
		{"structs too, and keep offsets", mixed, strings.ReplaceAll(mixed, ">", "<"), strings.ReplaceAll(mixed, "<", ">")},
	} {
		typ := mustParse(t, tt.text)
		if got := typ.WithByteOrder(dtype.LittleEndian).Descr(); got != tt.little {
			t.Errorf("%s: %s in little-endian is %s, want %s", tt.why, tt.text, got, tt.little)
		}
		if got := typ.WithByteOrder(dtype.BigEndian).Descr(); got != tt.big {
			t.Errorf("%s: %s in big-endian is %s, want %s", tt.why, tt.text, got, tt.big)
		}
		if got := typ.WithByteOrder(dtype.NoByteOrder); !got.Equal(typ) {
			t.Errorf("%s: %s without an order is %s, want no change", tt.why, tt.text, got)
		}
		if native := typ.WithByteOrder(dtype.NativeEndian); !native.IsNative() {
			t.Errorf("%s: %s is not native", tt.why, native)
		}
	}
	if typ := mustParse(t, mixed); typ.IsNative() || typ.ByteOrder() != dtype.NoByteOrder {
		t.Errorf("%s: native %t, order %s", typ, typ.IsNative(), typ.ByteOrder())
	}
	native := map[dtype.ByteOrder]string{dtype.LittleEndian: "<f8", dtype.BigEndian: ">f8"}[dtype.NativeEndian]
	for _, typ := range []dtype.Type{dtype.Float64, mustParse(t, "=f8"), mustParse(t, "|f8"), mustParse(t, "f8"), mustParse(t, "double")} {
		if typ != dtype.Float64 || typ.Descr() != native || !typ.IsNative() {
			t.Errorf("got %s, want %s", typ, native)
		}
	}
	if swapped := swap(dtype.Float64); swapped.IsNative() || swapped.Equal(dtype.Float64) || subarray(swapped, 2).IsNative() {
		t.Errorf("%s is not native", swapped)
	}
}

func TestEqual(t *testing.T) {
	texts := []string{
		"<i4", ">i4", "<u4", "<f4", "<i8", "|S4", "|V4", "<U1", "|O", "<M8", "<m8", "<M8[s]", "<M8[2s]", "bfloat16", "<V2", "float8_e4m3fn", "float8_e4m3",
		"('<i4', (1,))", "('<i4', (2,))", "('<i4', (2, 1))", "('<i4', (1, 2))", "('>i4', (2,))", "('|V4', (2,))", "|V8",
		"[('a', '<i4')]", "[('b', '<i4')]", "[('a', '>i4')]", "[(('T', 'a'), '<i4')]", "[(('U', 'a'), '<i4')]", "[((5, 'a'), '<i4')]",
		"[((6, 'a'), '<i4')]", "[(('', 'a'), '<i4')]", "[('a', '<i4'), ('', '|V4')]", "[('', '|V4'), ('a', '<i4')]", "[('a', '<i4'), ('b', '<i4')]",
		"[('a', [('b', '<i4')])]", "[('a', '<i4', (1,))]", "[]", "[('', '|V4')]", "('<i4', (0,))",
	}
	for i, a := range texts {
		for j, b := range texts {
			ta, tb := mustParse(t, a), mustParse(t, b)
			if got := ta.Equal(tb); got != (i == j) && a != "<V2" && b != "<V2" {
				t.Errorf("%s Equal %s: %t", a, b, got)
			}
		}
	}
}

// Every name and title of a struct finds its field, whatever the number of fields.
func TestFieldByName(t *testing.T) {
	for n := range 40 {
		fields := make([]dtype.Field, n)
		for i := range fields {
			fields[i] = dtype.Field{Name: fmt.Sprint("f", i), DType: dtype.Int16, Offset: 2 * i}
			if i%3 == 0 {
				fields[i].Title = fmt.Sprint("t", i)
			}
		}
		typ, err := dtype.Struct(-1, fields...)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range fields {
			f, ok := typ.FieldByName(want.Name)
			g, titled := typ.FieldByName(fmt.Sprint("t", i))
			if !ok || f != want || titled != (want.Title != "") || titled && g != want {
				t.Errorf("%d fields: %q finds %+v, its title %+v", n, want.Name, f, g)
			}
		}
		for _, none := range []string{"", fmt.Sprint("f", n), "t1"} {
			if f, ok := typ.FieldByName(none); ok {
				t.Errorf("%d fields: %q finds %+v", n, none, f)
			}
		}
	}
}

func TestFields(t *testing.T) {
	typ := mustParse(t, "[(('Title', 'a'), '<i4'), ('', '|V4'), ('b', '<f8', (2,)), ((7, 'Title2'), '|u1')]")
	for _, tt := range []struct {
		key    string
		name   string
		offset int
	}{{"a", "a", 0}, {"Title", "a", 0}, {"b", "b", 8}, {"Title2", "Title2", 24}} {
		f, ok := typ.FieldByName(tt.key)
		if !ok || f.Name != tt.name || f.Offset != tt.offset {
			t.Errorf("FieldByName(%q) = %+v, %t, want %s at %d", tt.key, f, ok, tt.name, tt.offset)
		}
	}
	for _, key := range []string{"", "c", "7", "title"} {
		if f, ok := typ.FieldByName(key); ok {
			t.Errorf("FieldByName(%q) = %+v, want none", key, f)
		}
	}
	if _, ok := dtype.Int8.FieldByName("a"); ok || dtype.Int8.Fields() != nil || dtype.Int8.NumField() != 0 || dtype.Int8.SubShape() != nil {
		t.Error("int8 has fields or a shape")
	}
	fields := typ.Fields()
	fields[0].Name = "changed"
	if typ.Field(0).Name != "a" {
		t.Error("Fields does not return a copy")
	}
	if b := typ.Field(1).DType; !b.IsSubarray() || b.Elem().Descr() != "<f8" || len(b.SubShape()) != 1 {
		t.Errorf("field b is %s", b)
	}
	b := typ.Field(1).DType
	b.SubShape()[0] = 99
	if b.SubShape()[0] != 2 {
		t.Error("SubShape does not return a copy")
	}
	// Structs made of the fields of another struct keep titles that are not strings.
	again, err := dtype.Struct(typ.ItemSize(), typ.Fields()...)
	if err != nil || !again.Equal(typ) {
		t.Errorf("Struct(Fields()...) = %s, %v, want %s", again, err, typ)
	}
}

func TestStruct(t *testing.T) {
	field := func(name string, offset int, descr string) dtype.Field {
		return dtype.Field{Name: name, Offset: offset, DType: mustParse(t, descr)}
	}
	titled := func(title string, f dtype.Field) dtype.Field { f.Title = title; return f }
	for _, tt := range []struct {
		name   string
		size   int
		fields []dtype.Field
		want   string // descr, or part of the error
	}{
		{"empty", -1, nil, "[]"},
		{"empty with a size", 8, nil, "[('', '|V8')]"},
		{"size from fields", -1, []dtype.Field{field("a", 0, "|i1"), field("b", 1, "<i4")}, "[('a', '|i1'), ('b', '<i4')]"},
		{"gaps", 16, []dtype.Field{field("a", 1, "|i1"), field("b", 4, "<i4")}, "[('', '|V1'), ('a', '|i1'), ('', '|V2'), ('b', '<i4'), ('', '|V8')]"},
		{"no bytes at one place", -1, []dtype.Field{field("a", 0, "|S0"), field("b", 0, "<i4"), field("c", 4, "|V0")}, "[('a', '|S0'), ('b', '<i4'), ('c', '|V0')]"},
		{"title", -1, []dtype.Field{titled("T", field("a", 0, "|i1"))}, "[(('T', 'a'), '|i1')]"},
		{"largest", dtype.MaxItemSize, []dtype.Field{field("a", 0, "|V2147483647")}, "[('a', '|V2147483647')]"},
		{"overlap", -1, []dtype.Field{field("a", 0, "<i4"), field("b", 3, "|i1")}, `field "b" at offset 3 overlaps the field before it, which ends at 4`},
		{"order", -1, []dtype.Field{field("a", 4, "<i4"), field("b", 0, "<i4")}, `field "b" at offset 0 overlaps`},
		{"negative offset", -1, []dtype.Field{field("a", -1, "|i1")}, `field "a" at offset -1 overlaps`},
		{"no dtype", -1, []dtype.Field{{Name: "a"}}, `field "a" has no dtype`},
		{"same name", -1, []dtype.Field{field("a", 0, "|i1"), field("a", 1, "|i1")}, `name "a" is already used as a name or title`},
		{"name is a title", -1, []dtype.Field{titled("b", field("a", 0, "|i1")), field("b", 1, "|i1")}, `name "b" is already used`},
		{"title is a name", -1, []dtype.Field{field("b", 0, "|i1"), titled("b", field("a", 1, "|i1"))}, `title "b" is already used`},
		{"title is its name", -1, []dtype.Field{titled("a", field("a", 0, "|i1"))}, `title "a" is already used`},
		{"size too small", 3, []dtype.Field{field("a", 0, "<i4")}, "item size 3 does not hold fields that end at 4"},
		{"size negative", -2, nil, "item size -2 does not hold"},
		{"field beyond the end", -1, []dtype.Field{field("a", 0, "|V2147483647"), field("b", dtype.MaxItemSize, "|i1")}, `field "b" ends beyond the largest item size 2147483647`},
	} {
		got, err := dtype.Struct(tt.size, tt.fields...)
		switch {
		case err != nil && !strings.Contains(err.Error(), tt.want):
			t.Errorf("%s: got error %v, want %q", tt.name, err, tt.want)
		case err == nil && got.Descr() != tt.want:
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	fields := []dtype.Field{field("a", 0, "|i1")}
	typ, err := dtype.Struct(-1, fields...)
	if fields[0].Name = "b"; err != nil || typ.Field(0).Name != "a" {
		t.Errorf("Struct keeps the caller's slice: %v, %v", typ, err)
	}
}

// subarray is dtype.Subarray for valid shapes.
func subarray(base dtype.Type, shape ...int) dtype.Type {
	t, err := dtype.Subarray(base, shape...)
	if err != nil {
		panic(err)
	}
	return t
}

func TestSubarray(t *testing.T) {
	shape := []int{2, 3}
	typ := subarray(dtype.Int8, shape...)
	if shape[0] = 9; typ.Descr() != "('|i1', (2, 3))" || typ.ItemSize() != 6 || typ.Kind() != dtype.KindVoid {
		t.Errorf("got %s of %d bytes", typ, typ.ItemSize())
	}
	if got := subarray(dtype.Int8); got != dtype.Int8 {
		t.Errorf("a shape without dimensions gives %s", got)
	}
	ones := make([]int, 65)
	for i := range ones {
		ones[i] = 1
	}
	if got := subarray(dtype.Int8, ones[:64]...); got.ItemSize() != 1 {
		t.Errorf("64 dimensions give %s", got)
	}
	for _, tt := range []struct {
		name  string
		base  dtype.Type
		shape []int
	}{
		{"65 dimensions", dtype.Int8, ones},
		{"negative", dtype.Int8, []int{2, -1}},
		{"two negatives", dtype.Int8, []int{-2, -1}},
		{"bytes", dtype.Int16, []int{1 << 30}},
		{"product", dtype.Int8, []int{1 << 16, 1 << 15}},
		{"product that wraps around 64 bits", dtype.Int8, []int{1 << 30, 1 << 30, 1 << 30}},
		{"product without bytes", dtype.Void(0), []int{1 << 16, 1 << 15}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if typ, err := dtype.Subarray(tt.base, tt.shape...); err == nil || !strings.HasPrefix(err.Error(), "dtype: ") {
				t.Errorf("got %s, error %v", typ, err)
			}
		})
	}
}

func TestStepWithoutNumber(t *testing.T) {
	second := dtype.Step{Unit: dtype.Second}
	if d, m := dtype.Datetime64(second), dtype.Timedelta64(second); d.Step().Num != 1 || m.Step().Num != 1 {
		t.Errorf("got %s and %s", d, m)
	}
	if typ := mustParse(t, "<M8[0s]"); typ.Descr() != "<M8[0s]" {
		t.Errorf("<M8[0s] of a file is %s", typ)
	}
}

func TestPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"negative bytes":        func() { dtype.Bytes(-1) },
		"large str":             func() { dtype.Str(dtype.MaxItemSize/4 + 1) },
		"negative void":         func() { dtype.Void(-1) },
		"negative step":         func() { dtype.Datetime64(dtype.Step{Num: -1, Unit: dtype.Second}) },
		"unknown unit":          func() { dtype.Timedelta64(dtype.Step{Num: 1, Unit: 99}) },
		"field of a plain type": func() { dtype.Int8.Field(0) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func TestSizes(t *testing.T) {
	for _, tt := range []struct {
		typ         dtype.Type
		size, chars int
	}{
		{dtype.Bytes(5), 5, 5}, {dtype.Bytes(0), 0, 0}, {dtype.Str(5), 20, 5}, {dtype.Void(5), 5, 0}, {dtype.Int64, 8, 0},
		{dtype.LongDouble, 16, 0}, {dtype.LongComplex, 32, 0}, {dtype.Object, 8, 0}, {dtype.Bytes(dtype.MaxItemSize), dtype.MaxItemSize, dtype.MaxItemSize},
		{mustParse(t, "O4"), 8, 0}, {mustParse(t, "bfloat16"), 2, 0},
	} {
		if tt.typ.ItemSize() != tt.size || tt.typ.Chars() != tt.chars {
			t.Errorf("%s: %d bytes, %d characters, want %d, %d", tt.typ, tt.typ.ItemSize(), tt.typ.Chars(), tt.size, tt.chars)
		}
	}
}

func TestHasObject(t *testing.T) {
	for text, want := range map[string]bool{
		"O": true, "T": true, "2O": true, "i4,O": true, "[('a', [('b', [('c', '|O', (2,))], (3,))])]": true, "i4": false, "[]": false, "2V3": false,
	} {
		if got := mustParse(t, text).HasObject(); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

func TestStep(t *testing.T) {
	for text, want := range map[string]dtype.Step{
		"25s": {25, dtype.Second}, "ns": {1, dtype.Nanosecond}, "generic": {}, "7generic": {}, "0s": {0, dtype.Second}, "Y/12": {1, dtype.Month},
		"3D/24": {3, dtype.Hour}, "s/1": {1, dtype.Second}, "+2as": {2, dtype.Attosecond}, "μs": {1, dtype.Microsecond}, "2147483647D": {2147483647, dtype.Day},
	} {
		got, err := dtype.ParseStep(text)
		if err != nil || got != want {
			t.Errorf("ParseStep(%q) = %+v, %v, want %+v", text, got, err, want)
			continue
		}
		if again, err := dtype.ParseStep(got.String()); err != nil || again != got {
			t.Errorf("ParseStep(%q) = %+v, %v, want %+v", got.String(), again, err, got)
		}
		for _, typ := range []dtype.Type{dtype.Datetime64(got), dtype.Timedelta64(got)} {
			if got.Num > 0 && typ.Step() != got || mustParse(t, typ.Descr()) != typ {
				t.Errorf("%s has the step %v, want %v", typ, typ.Step(), got)
			}
		}
	}
	if got := dtype.Int64.Step(); got != (dtype.Step{}) {
		t.Errorf("int64 has the step %v", got)
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		dtype.KindInt.String(): "int", dtype.KindTimedelta.String(): "timedelta", dtype.Kind('?').String(): "Kind(?)",
		dtype.BigEndian.String(): ">", dtype.NoByteOrder.String(): "|", dtype.Unit(99).String(): "Unit(99)", dtype.Week.String(): "W",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPacked(t *testing.T) {
	fields := []dtype.Field{{Name: "a", DType: dtype.Int8}, {Name: "b", DType: dtype.Float64, Offset: 100}, {Name: "c", DType: dtype.Bytes(3)}}
	got, err := dtype.Packed(fields...)
	want, wantErr := dtype.Parse("[('a','i1'),('b','f8'),('c','S3')]")
	if err != nil || wantErr != nil || !got.Equal(want) || got.ItemSize() != 12 {
		t.Errorf("Packed = %v, %v, want %v", got, err, want)
	}
	if fields[1].Offset != 100 {
		t.Error("Packed changed the fields that it was given")
	}
	for text, fields := range map[string][]dtype.Field{
		`field "b" has no dtype`:            {{Name: "a", DType: dtype.Int8}, {Name: "b"}},
		`"a"`:                               {{Name: "a", DType: dtype.Int8}, {Name: "a", DType: dtype.Int8}},
		"ends beyond the largest item size": {{Name: "a", DType: dtype.Bytes(dtype.MaxItemSize)}, {Name: "b", DType: dtype.Bytes(dtype.MaxItemSize)}, {Name: "c", DType: dtype.Bytes(dtype.MaxItemSize)}},
	} {
		if _, err := dtype.Packed(fields...); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("Packed(%v): error %v, want one with %s", fields, err, text)
		}
	}
}
