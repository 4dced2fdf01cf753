package dtype_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
)

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		why    string
		in     string
		offset int
		text   string
	}{
		{"empty", "no code", "", 0, `data type is not understood: ""`},
		{"order alone", "no code behind it", "<", 0, `data type is not understood: "<"`},
		{"two orders", "one is enough", "<<i4", 0, `data type is not understood: "<<i4"`},
		{"order and name", "names have no order", "<int32", 0, `data type is not understood: "<int32"`},
		{"size", "no machine has such floats", "<f7", 0, `data type is not understood: "<f7"`},
		{"size that would match if cut to 32 bits", "checked before conversion", "i4294967300", 0, `data type is not understood: "i4294967300"`},
		{"letter", "not a dtype.char", "<x8", 0, `data type is not understood: "<x8"`},
		{"NUL", "not a C string", "i4\x00", 0, `data type is not understood: "i4\x00"`},
		{"invalid UTF-8", "no text", "\xff\xfe", 0, `data type is not understood: "\xff\xfe"`},
		{"long", "an error repeats little of it", strings.Repeat("é", 5000), 0, `data type is not understood: "` + strings.Repeat("é", 60) + `"…`},
		{"bytes too large", "a C int", "S2147483648", 0, `size is out of range 0 to 2147483647: "S2147483648"`},
		{"bytes negative", "NumPy 1 makes |S-1 of it", "S-1", 0, `size is out of range 0 to 2147483647: "S-1"`},
		{"str too large", "four bytes per code point", ">U536870912", 0, `size is out of range 0 to 536870911: ">U536870912"`},
		{"void far too large", "no number of any width", "V99999999999999999999999999", 0, `size is out of range 0 to 2147483647: "V99999999999999999999999999"`},
		{"time without brackets", "M8 takes nothing else", "M8s", 2, `invalid datetime metadata "s", want a unit in brackets as in [ns]`},
		{"bracket not closed", "", "<M8[ns", 3, `invalid datetime metadata "[ns", want a unit in brackets as in [ns]`},
		{"no unit", "", "datetime64[]", 11, `invalid datetime unit "", want one of Y M W D h m s ms us ns ps fs as`},
		{"unit", "business days are gone", ">m8[10B]", 6, `invalid datetime unit "B", want one of Y M W D h m s ms us ns ps fs as`},
		{"count too large", "a C int", "M8[2147483648s]", 3, `datetime multiple "2147483648" is out of range 0 to 2147483647`},
		{"count negative", "", "M8[-1s]", 3, `datetime multiple "-1" is out of range 0 to 2147483647`},
		{"divisor", "not a number", "M8[s/x]", 5, `invalid datetime divisor "x"`},
		{"divisor zero", "NumPy 1 dies of it", "<M8[s/0]", 6, `invalid datetime divisor "0"`},
		{"divisor that does not fit", "", "M8[Y/7]", 5, "divisor 7 is not a multiple of a lower unit of Y"},
		{"divisor of the finest unit", "", "M8[as/2]", 6, "divisor 2 is not a multiple of a lower unit of as"},
		{"divisor of nothing", "", "M8[generic/2]", 11, "a generic datetime cannot have a divisor"},
		{"step too large after the divisor", "", "M8[2147483647Y/2]", 15, "datetime multiple 12884901882 is over 2147483647"},
		{"nothing behind a comma", "", "i4,,f8", 3, `invalid shape ","`},
		{"nothing in front of a comma", "", ",i4", 0, `invalid shape ","`},
		{"second of three", "the offset is the code's", "i4, q9, f8", 4, `data type is not understood: "q9"`},
		{"time in a struct", "the offset is within the code", "i4, <M8[q]", 8, `invalid datetime unit "q", want one of Y M W D h m s ms us ns ps fs as`},
		{"big time in a struct", "also where the order is the machine's other", "i4, >M8[q]", 8, `invalid datetime unit "q", want one of Y M W D h m s ms us ns ps fs as`},
		{"missing comma", "", "f8 f8,i4", 2, `want a comma in "f8 f8,i4"`},
		{"two orders in an item", "", "<2>i4", 0, `byte orders '<' and '>' contradict each other`},
		{"shape that is no tuple", "", "(2(3)i4,i4", 2, `data type is not understood: ""`},
		{"shape not closed", "", "(2,i4", 0, `invalid shape "(2,"`},
		{"large subarray", "", "i4,(65536,32768)f8", 3, "subarray is larger than 2147483647 bytes"},
		{"dimension too large", "", "99999999999i1,i4", 0, "dimension 99999999999 in a subarray is over 2147483647"},
		{"struct too large", "NumPy 1 lets it wrap", "V2147483647,i4", 12, "fields are larger than 2147483647 bytes"},
		{"list not closed", "brackets are for a descr", "[('a', '<i4')", 0, "not a Python literal: '[' was never closed"},
		{"field", "with its path", "[('a', '<i4'), ('b', 'x4')]", 22, `data type is not understood: "x4"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := dtype.Parse(tt.in)
			path := ""
			if tt.name == "field" {
				path = "[1]"
			}
			checkError(t, err, tt.offset, path, tt.text)
		})
	}
}

// checkError checks every part of an error.
func checkError(t *testing.T, err error, offset int, path, text string) {
	t.Helper()
	var e *dtype.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %T %v, want a *dtype.Error", err, err)
	}
	if e.Offset != offset || e.Path != path || e.Err.Error() != text {
		t.Errorf("got byte %d, path %q: %v\nwant byte %d, path %q: %s", e.Offset, e.Path, e.Err, offset, path, text)
	}
	want := fmt.Sprintf("dtype: invalid at byte %d: %s", offset, text)
	if path != "" {
		want = fmt.Sprintf("dtype: invalid at byte %d (%s): %s", offset, path, text)
	}
	if err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if errors.Unwrap(err) != e.Err {
		t.Errorf("Unwrap gives %v", errors.Unwrap(err))
	}
}

func TestParseDescrErrors(t *testing.T) {
	const want = " is not a dtype descriptor, want a string, a list of fields or (descr, shape)"
	for _, tt := range []struct {
		name   string
		why    string
		in     string
		offset int
		path   string
		text   string
	}{
		{"empty", "no literal", "", 0, "", "not a Python literal: unexpected end of text, a value is missing"},
		{"code", "nothing is evaluated", "__import__('os')", 0, "", "not a Python literal: name __import__ is not a literal"},
		{"not closed", "", "[('a', '<i4'", 1, "", "not a Python literal: '(' was never closed"},
		{"None", "", "None", 0, "", "None" + want},
		{"number", "", " 8", 1, "", "8" + want},
		{"bytes", "Python 3 has str and bytes", "b'<i4'", 0, "", "b'<i4'" + want},
		{"set", "has no order", "{('a', '<i4')}", 0, "", "{('a', '<i4')}" + want},
		{"dict", "", "{'a': '<i4'}", 0, "", "{'a': '<i4'}" + want},
		{"long", "an error repeats little of it", "{" + strings.Repeat("1,", 1000) + "}", 0, "", "{" + strings.Repeat("1, ", 19) + "1,…" + want},
		{"string", "offset in the literal", "'<i3'", 1, "", `data type is not understood: "<i3"`},
		{"string with an escape", "its start", `'<\x693'`, 0, "", `data type is not understood: "<i3"`},
		{"string of pieces", "its start", `'<' 'i3'`, 0, "", `data type is not understood: "<i3"`},
		{"time", "within the string", "['a', ('b', '<M8[x]')]", 1, "[0]", "field 'a' is not (name, descr) or (name, descr, shape)"},
		{"string in a string", "NumPy does not read it twice", `"['a']"`, 0, "", `"['a']"` + want},
		{"time unit", "", "[('a', '<i4'), ('b', '<M8[x]')]", 26, "[1]", `invalid datetime unit "x", want one of Y M W D h m s ms us ns ps fs as`},
		{"two characters", "", "['ax']", 1, "[0]", `data type is not understood: "x"`},
		{"two characters of many bytes", "", "['é整']", 1, "[0]", `data type is not understood: "整"`},
		{"field alone", "", "[('a',)]", 1, "[0]", "field ('a',) is not (name, descr) or (name, descr, shape)"},
		{"field of four", "", "[('a', '<i4', 2, 3)]", 1, "[0]", "field ('a', '<i4', 2, 3) is not (name, descr) or (name, descr, shape)"},
		{"field name", "", "[('a', '<i4'), (b'b', '<i4')]", 16, "[1].name", "field name b'b' is not a string"},
		{"name in a tuple", "title first", "[(('t', 5), '<i4')]", 8, "[0].name", "field name 5 is not a string"},
		{"name tuple of three", "", "[(('t', 'a', 'b'), '<i4')]", 2, "[0].name", "field name ('t', 'a', 'b') is not a string"},
		{"title", "would not be readable when it is written", "[((..., 'a'), '<i4')]", 3, "[0].title", "title Ellipsis is not a literal and could not be read back"},
		{"nested", "path through the fields", "[('a', '<i4'), ('b', [('c', '<i4'), ('d', None)])]", 42, "[1][1]", "None" + want},
		{"nested in a subarray", "", "[('a', ([('b', 'q3')], (2,)))]", 16, "[0].base[0]", `data type is not understood: "q3"`},
		{"duplicate", "", "[('a', '<i4'), ('', '|V4'), ('a', '<i4')]", 28, "[2]", `name "a" is already used as a name or title`},
		{"duplicate of a title", "", "[(('a', 'b'), '<i4'), ('a', '<i4')]", 22, "[1]", `name "a" is already used as a name or title`},
		{"title is a name", "", "[('a', '<i4'), (('a', 'b'), '<i4')]", 15, "[1]", `title "a" is already used as a name or title`},
		{"two unnamed", "no f0, f1, as NumPy", "[('', '<i4'), ('', '<i4')]", 14, "[1]", `name "" is already used as a name or title`},
		{"negative dimension", "", "[('a', '<i4', -1)]", 14, "[0].shape", "negative dimension -1 in a subarray"},
		{"negative in a tuple", "", "[('a', '<i4', (2, -3))]", 18, "[0].shape", "negative dimension -3 in a subarray"},
		{"float dimension", "", "[('a', '<i4', (2, 3.0))]", 18, "[0].shape", "invalid shape (2, 3.0) in a subarray, want integers"},
		{"bool dimension", "", "[('a', '<i4', (True,))]", 15, "[0].shape", "invalid shape (True,) in a subarray, want integers"},
		{"no shape", "", "[('a', '<i4', None)]", 14, "[0].shape", "invalid shape None in a subarray, want integers"},
		{"huge dimension", "", "[('a', '<i4', (2, 99999999999999999999))]", 18, "[0].shape", "dimension 99999999999999999999 in a subarray is over 2147483647"},
		{"very negative dimension", "", "[('a', '<i4', -99999999999)]", 14, "[0].shape", "negative dimension -99999999999 in a subarray"},
		{"more negative than any int", "", "[('a', '<i4', [-99999999999999999999])]", 15, "[0].shape", "negative dimension -99999999999999999999 in a subarray"},
		{"subarray too large", "", "[('a', '<i4', (65536, 65536))]", 14, "[0].shape", "subarray is larger than 2147483647 bytes"},
		{"65 dimensions", "", "[('a', '|i1', (" + strings.Repeat("1,", 65) + "))]", 14, "[0].shape", "subarray has 65 dimensions, at most 64 are possible"},
		{"unsized string", "the shape is its size", "[('a', 'S', -1)]", 12, "[0].shape", "size is out of range 0 to 2147483647: -1"},
		{"unsized str", "", "('U', 536870912)", 6, ".shape", "size is out of range 0 to 536870911: 536870912"},
		{"sum", "", "[('a', 'V2147483647'), ('b', 'V1')]", 23, "[1]", "struct is larger than 2147483647 bytes"},
		{"sum with padding", "", "[('a', 'V2147483647'), ('', 'V1')]", 23, "[1]", "struct is larger than 2147483647 bytes"},
		{"tuple of one", "", "[('a', ('<i4',))]", 7, "[0]", "tuple of 1 items, want (descr, shape)"},
		{"empty tuple", "", "()", 0, "", "tuple of 0 items, want (descr, shape)"},
		{"base", "", "((None, 2), 2)", 2, ".base.base", "None" + want},
		{"fields over a base", "", "('<i4', [('a', '<i2')])", 8, "", "fields of 2 bytes do not fit a base type of 4 bytes"},
		{"objects over a base", "a pointer from a file", "('<i8', [('a', 'O')])", 8, "", "fields over a base type cannot contain Python objects"},
		{"fields without a name", "", "('<i4', ['ab'])", 9, "", "'ab' is not a named field"},
		{"5,000 brackets", "no recursion without an end", strings.Repeat("[", 5000), 200, "", "not a Python literal: brackets are nested deeper than 200"},
		{"2,500 structs", "", strings.Repeat("[('a',", 2500), 600, "", "not a Python literal: brackets are nested deeper than 200"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := dtype.ParseDescr(tt.in)
			checkError(t, err, tt.offset, tt.path, tt.text)
		})
	}
}

func TestParseStepErrors(t *testing.T) {
	for in, want := range map[string]string{
		"": `dtype: invalid at byte 0: invalid datetime unit "", want one of Y M W D h m s ms us ns ps fs as`, "7x": `dtype: invalid at byte 1: invalid datetime unit "x", want one of Y M W D h m s ms us ns ps fs as`,
		"s/0": `dtype: invalid at byte 2: invalid datetime divisor "0"`,
	} {
		if got, err := dtype.ParseStep(in); err == nil || err.Error() != want {
			t.Errorf("ParseStep(%q) = %v, %v, want %s", in, got, err, want)
		}
	}
}

// The deepest struct that Python's limit on brackets allows is read quickly.
func TestDeepest(t *testing.T) {
	text := strings.Repeat("[('a', ", 99) + "'<i4'" + strings.Repeat(")]", 99)
	typ, err := dtype.ParseDescr(text)
	if err != nil || typ.ItemSize() != 4 || typ.Descr() != text {
		t.Fatalf("got %v, %v", typ, err)
	}
	text = strings.Repeat("(", 99) + "'|i1'" + strings.Repeat(", (2,))", 99)
	if _, err = dtype.ParseDescr(text); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("2**99 bytes: %v", err)
	}
	if typ, err = dtype.ParseDescr(strings.ReplaceAll(text, "2", "1")); err != nil || !typ.Equal(mustParse(t, typ.Descr())) || typ.HasObject() || !typ.IsNative() {
		t.Errorf("99 subarrays: %v, %v", typ, err)
	}
}

// manyFields returns a struct with n fields.
func manyFields(n int) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range n {
		fmt.Fprintf(&b, "('field_%d', '<f4'), ", i)
	}
	b.WriteByte(']')
	return b.String()
}

// Tens of thousands of fields are read in memory proportional to their number, not to its square.
func TestManyFields(t *testing.T) {
	used := func(n int) uint64 {
		text := manyFields(n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		typ, err := dtype.ParseDescr(text)
		runtime.ReadMemStats(&after)
		if err != nil || typ.NumField() != n || typ.ItemSize() != 4*n {
			t.Fatalf("%d fields: %v", n, err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if small, large := used(1000), used(30000); large > 60*small {
		t.Errorf("1,000 fields take %d bytes, 30,000 take %d", small, large)
	}
}

// Hostile texts cost memory at most proportional to their length.
func TestMemory(t *testing.T) {
	for _, text := range []string{
		manyFields(6000), strings.Repeat("[", 65536), strings.Repeat("V1,", 20000) + "V1", strings.Repeat("[('a',", 10000), "'" + strings.Repeat("i4,", 20000) + "x'",
		"('<i4', (" + strings.Repeat("1,", 30000) + "))", "[('a', '<i4', (" + strings.Repeat("9", 4000) + ",))]", strings.Repeat("x", 65536),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 4 {
			_, _ = dtype.Parse(text)
		}
		runtime.ReadMemStats(&after)
		if used, limit := (after.TotalAlloc-before.TotalAlloc)/4, uint64(200*len(text)+1<<14); used > limit {
			t.Errorf("%d bytes starting with %.20q take %d bytes, want at most %d", len(text), text, used, limit)
		}
	}
}
