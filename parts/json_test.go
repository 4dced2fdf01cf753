package parts_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/parts"
)

const example = `{
  "format": "npy parts",
  "version": 1,
  "dtype": "<f8",
  "shape": [1000, 3],
  "axis": 0,
  "parts": [
    {"path": "a/part-1.npy", "rows": 600},
    {"path": "a/part-2.npy", "rows": 400, "etag": "\"a1b2\"", "crc32": "00c0ffee"}
  ]
}
`

func TestDecode(t *testing.T) {
	m := must(parts.Decoder{}.Decode(strings.NewReader(example)))
	want := parts.Manifest{DType: must(dtype.Parse("<f8")), Shape: []int{1000, 3}, Parts: []parts.Part{
		{Path: "a/part-1.npy", Rows: 600}, {Path: "a/part-2.npy", Rows: 400, ETag: `"a1b2"`, CRC32: "00c0ffee"},
	}}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("%+v, want %+v", m, want)
	}
	if !slices.Equal(m.PartShape(1), []int{400, 3}) {
		t.Errorf("the shape of part 1 is %v", m.PartShape(1))
	}
	if text := string(must(m.Append(nil))); text != example {
		t.Errorf("written: %s", text)
	}
	path := filepath.Join(t.TempDir(), "m"+parts.Ending)
	if err := m.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	if again := must(parts.ReadFile(path)); !reflect.DeepEqual(again, m) {
		t.Errorf("read again: %+v", again)
	}
	m.DType = must(dtype.Parse("[('a', '<f8'), ('b', '<M8[ns]', (2,))]"))
	var again parts.Manifest
	if err := json.Unmarshal(must(json.Marshal(m)), &again); err != nil || !again.DType.Equal(m.DType) {
		t.Errorf("records: %v, %v", again, err)
	}
}

// A manifest is a file from a stranger.
func TestDecodeErrors(t *testing.T) {
	big := strconv.Itoa(math.MaxInt)
	for _, tt := range []struct{ name, old, new, want string }{
		{"version", `"version": 1`, `"version": 2`, "version 2 is not known"},
		{"format", `"npy parts"`, `"parts"`, `format "parts"`},
		{"unknown key", `"axis": 0`, `"axis": 0, "x": 1`, `unknown key "x"`},
		{"key twice", `"axis": 0`, `"axis": 0, "axis": 0`, `"axis" occurs twice`},
		{"key of a part twice", `"rows": 600`, `"rows": 600, "path": "b.npy"`, `"path" occurs twice`},
		{"no key", `"axis": 0,`, ``, `"axis" is missing`},
		{"no rows", `, "rows": 600`, ``, `"rows" is missing`},
		{"null", `"axis": 0`, `"axis": null`, "null where"},
		{"fraction", `"axis": 0`, `"axis": 0.0`, "0.0 where"},
		{"negative axis", `"axis": 0`, `"axis": -1`, "-1 where"},
		{"axis", `"axis": 0`, `"axis": 2`, "axis 2 is out of bounds"},
		{"no dimensions", `[1000, 3]`, `[]`, "axis 0 is out of bounds"},
		{"number as text", `"rows": 600`, `"rows": "600"`, `"600" where`},
		{"rows", `"rows": 600`, `"rows": 601`, `up to "a/part-2.npy" have more rows`},
		{"fewer rows", `"rows": 600`, `"rows": 599`, "999 rows, want the 1000"},
		{"sum beyond int", `"rows": 600`, `"rows": ` + big, "more rows"},
		{"beyond int", `"rows": 600`, `"rows": 9223372036854775808`, "where a number of elements"},
		{"size", `[1000, 3]`, `[1000, ` + big + `]`, "larger than memory"},
		{"dtype", `"<f8"`, `"<f3"`, "dtype"},
		{"not a descr", `"<f8"`, `"float64"`, "want the descr"},
		{"objects", `"<f8"`, `"|O"`, "Python objects"},
		{"absolute path", `a/part-1`, `/etc/part-1`, "relative"},
		{"parent", `a/part-1`, `../part-1`, "relative"},
		{"parent within", `a/part-1`, `a/../../part-1`, "relative"},
		{"no name", `a/part-1.npy`, ``, "relative"},
		{"dot", `a/part-1.npy`, `.`, "relative"},
		{"drive", `a/part-1`, `C:/part-1`, "colon"},
		{"drive without slash", `a/part-1`, `C:part-1`, "colon"},
		{"backslash", `a/part-1`, `..\\part-1`, "backslash"},
		{"UNC", `a/part-1`, `\\\\host\\share\\part-1`, "backslash"},
		{"URL", `a/part-1`, `http://host/part-1`, "relative"},
		{"URL without slashes", `a/part-1`, `file:part-1`, "colon"},
		{"NUL", `a/part-1`, `a\u0000/part-1`, "control"},
		{"crc32", `00c0ffee`, `00C0FFEE`, "eight digits"},
		{"no parts", example[strings.Index(example, `[
    {`):], `[]}`, "no parts"},
		{"more text", "}\n", "}x", ""},
		{"not UTF-8", `a/part-1`, "\xff", "UTF-8"},
	} {
		text := strings.Replace(example, tt.old, tt.new, 1)
		if text == example {
			t.Fatalf("%s: the example has no %q", tt.name, tt.old)
		}
		if _, err := (parts.Decoder{}).Decode(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	var over *npy.LimitError
	if _, err := (parts.Decoder{MaxBytes: 100}).Decode(strings.NewReader(example)); !errors.As(err, &over) || over.Name != "MaxBytes" {
		t.Errorf("MaxBytes: %v", err)
	}
	if _, err := (parts.Decoder{MaxParts: 1}).Decode(strings.NewReader(example)); !errors.As(err, &over) || over.Name != "MaxParts" {
		t.Errorf("MaxParts: %v", err)
	}
	if _, err := (parts.Decoder{MaxBytes: -1, MaxParts: -1}).Decode(strings.NewReader(example)); err != nil {
		t.Error(err)
	}
}

// Manifests are ASCII, and keep every character.
func TestAppendCharacters(t *testing.T) {
	m := must(parts.Decoder{}.Decode(strings.NewReader(example)))
	m.Parts[0].Path, m.Parts[1].ETag = "\u202eñ\U0001f600\u009b\u2028x", "\x7f\x1b\"\\"
	text := must(m.Append(nil))
	if i := bytes.IndexFunc(text, func(r rune) bool { return r >= 0x7f || r < ' ' && r != '\n' }); i >= 0 {
		t.Errorf("byte %d of %q", i, text)
	}
	if again, err := (parts.Decoder{}).Decode(bytes.NewReader(text)); err != nil || !reflect.DeepEqual(again, m) {
		t.Errorf("read again: %+v, %v", again, err)
	}
}

func TestIsManifest(t *testing.T) {
	for text, want := range map[string]bool{
		example: true, example[:30]: true, "\n{ \"format\"\t:\r\n\"npy parts\"": true,
		"": false, "{": false, `{"format"`: false, `{"format": "npy part`: false, `{"format": "x"}`: false, `["format"]`: false, "\x93NUMPY": false,
	} {
		if parts.IsManifest([]byte(text)) != want {
			t.Errorf("IsManifest(%q) is not %v", text, want)
		}
	}
}

// A manifest that is read is a possible array, and is the same after writing and reading.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte(strings.Replace(example, "<f8", "[('a', '<f8'), ('b', '|S3')]", 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parts.Decoder{}.Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		checkManifest(t, m)
		text := must(m.Append(nil))
		again, err := parts.Decoder{}.Decode(bytes.NewReader(text))
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("%s: read again: %+v, %v", text, again, err)
		}
	})
}

// checkManifest checks a manifest that was read.
func checkManifest(t *testing.T, m parts.Manifest) {
	t.Helper()
	rows := 0
	for _, p := range m.Parts {
		rows += p.Rows
		if !filepath.IsLocal(p.Path) || strings.ContainsAny(p.Path, `\:`) || strings.HasPrefix(p.Path, "/") {
			t.Errorf("path %q", p.Path)
		}
	}
	if rows != m.Shape[m.Axis] {
		t.Errorf("%d rows, and the shape is %v along axis %d", rows, m.Shape, m.Axis)
	}
}

func TestSort(t *testing.T) {
	want := []string{
		"a02", "a2", "a2/x10", "a10", "a10/x2", "b", "part-01.npy", "part-1.npy", "part-2.npy", "part-10.npy",
		"part-18446744073709551616.npy", "part-18446744073709551617.npy", "part-x.npy",
	}
	got := slices.Clone(want)
	slices.Sort(got)
	parts.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("sorted: %q, want %q", got, want)
	}
	for _, pair := range [][2]string{{"part-2", "part-10"}, {"part-2", "part-010"}, {"a2/x10", "a10/x2"}, {"a", "b"}, {"x", "x1"}, {"9", "a"}, {"18446744073709551616", "18446744073709551617"}} {
		if parts.Compare(pair[0], pair[1]) != -1 || parts.Compare(pair[1], pair[0]) != 1 {
			t.Errorf("%q is not before %q", pair[0], pair[1])
		}
	}
}

// Compare orders all strings.
func FuzzCompare(f *testing.F) {
	f.Add("part-2", "part-10", "part-02")
	f.Add("1a", "1", "01")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if x, y := parts.Compare(a, b), parts.Compare(b, a); x != -y || (x == 0) != (a == b) {
			t.Errorf("%q and %q: %d and %d", a, b, x, y)
		}
		if parts.Compare(a, b) <= 0 && parts.Compare(b, c) <= 0 && parts.Compare(a, c) > 0 {
			t.Errorf("%q <= %q <= %q, but the first is after the last", a, b, c)
		}
	})
}
