package format

import (
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
)

// At any depth, void of the item size of As becomes As, and nothing else changes.
func TestDecoderAs(t *testing.T) {
	for _, c := range []struct{ descr, as, want string }{
		{"'<V2'", "bfloat16", "bfloat16"},
		{"'|V2'", "bfloat16", "bfloat16"},
		{"'|V1'", "int4", "int4"},
		{"'|V1'", "float8_e4m3fn", "float8_e4m3fn"},
		{"'|V1'", "bfloat16", "void8"},
		{"'|V2'", ">f2", "float16"},
		{"'<f2'", "bfloat16", "float16"},
		{"'|S2'", "bfloat16", "bytes16"},
		{"'|O'", "bfloat16", "object"},
		{"[('a', '<V2'), ('b', '<i4'), ('c', [('d', '<V2', (2, 3)), ('e', '|V1')])]", "bfloat16",
			"a bfloat16, b int32, c (d (2, 3) bfloat16, e void8)"},
		{"[('a', '|O'), ('b', '<V2')]", "bfloat16", "a object, b void16"}, // the pickle has the dtype of b
		{"[(('title', 'a'), '<V2'), ('', '|V4'), ('b', '<V2')]", "bfloat16", "a bfloat16, b bfloat16"},
	} {
		as, err := dtype.Parse(c.as)
		if err != nil {
			t.Fatal(err)
		}
		file := withHeader("{'descr': " + c.descr + ", 'fortran_order': False, 'shape': (3,), }")
		plain, err := ParseHeader(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, read := range map[string]func() (Header, error){
			"ParseHeader": func() (Header, error) { return Decoder{VoidAs: as}.ParseHeader(file) },
			"ReadHeader":  func() (Header, error) { return Decoder{VoidAs: as}.ReadHeader(strings.NewReader(string(file))) },
		} {
			h, err := read()
			if err != nil || spell(h.DType) != c.want {
				t.Errorf("%s of %s as %s: %s, %v, want %s", name, c.descr, c.as, spell(h.DType), err, c.want)
			}
			if h.DType.ItemSize() != plain.DType.ItemSize() || h.DType.NumField() != plain.DType.NumField() || h.DataOffset != plain.DataOffset {
				t.Errorf("%s of %s as %s: the layout has changed: %s", name, c.descr, c.as, h.DType)
			}
			for i, f := range h.DType.Fields() {
				if g := plain.DType.Field(i); f.Offset != g.Offset || f.Title != g.Title {
					t.Errorf("%s of %s: field %s at %d with title %q, want %d, %q", name, c.descr, f.Name, f.Offset, f.Title, g.Offset, g.Title)
				}
			}
		}
	}
}

// A dtype that cannot replace void is an error, for every file.
func TestDecoderAsWrong(t *testing.T) {
	file := withHeader("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }")
	for _, text := range []string{"O", "[('a', 'i2')]", "(2,)i1", "S0"} {
		as, err := dtype.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (Decoder{VoidAs: as}).ParseHeader(file); err == nil || !strings.Contains(err.Error(), "Decoder.VoidAs") {
			t.Errorf("As %s: %v", text, err)
		}
	}
}

func withHeader(text string) []byte {
	text += "\n"
	return append([]byte("\x93NUMPY\x01\x00"+string([]byte{byte(len(text)), byte(len(text) >> 8)})), text...)
}

// spell names the dtypes of all elements.
func spell(t dtype.Type) string {
	switch {
	case t.IsStruct():
		var parts []string
		for _, f := range t.Fields() {
			text := spell(f.DType)
			if f.DType.IsStruct() {
				text = "(" + text + ")"
			}
			parts = append(parts, f.Name+" "+text)
		}
		return strings.Join(parts, ", ")
	case t.IsSubarray():
		return ShapeString(t.SubShape()) + " " + spell(t.Elem())
	}
	return t.Name()
}
