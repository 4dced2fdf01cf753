package convert_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

func list(items ...any) *pickle.List   { return &pickle.List{Items: items} }
func tuple(items ...any) *pickle.Tuple { return &pickle.Tuple{Items: items} }

func dictOf(t *testing.T, pairs ...any) *pickle.Dict {
	t.Helper()
	d := &pickle.Dict{}
	for i := 0; i < len(pairs); i += 2 {
		if err := d.Set(pairs[i], pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func mustArray(t *testing.T, a *npy.Array, err error) *npy.Array {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// written returns the output of Write for one object.
func written(t *testing.T, f convert.Format, v any, o convert.WriteOptions) (string, error) {
	t.Helper()
	a, err := npy.FromObjects([]any{v})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	err = convert.Write(context.Background(), &b, f, a, o)
	return b.String(), err
}

func TestWriteObjects(t *testing.T) {
	point := &pickle.Global{Module: "shapes", Name: "Point"}
	paris := &pickle.Object{Class: &pickle.Global{Module: "pytz", Name: "_p"}, Args: tuple("Europe/Paris")}
	cycle := list(int64(1))
	cycle.Items = append(cycle.Items, cycle, dictOf(t, "up", cycle))
	set := &pickle.Set{}
	if err := set.Add(int64(3)); err != nil {
		t.Fatal(err)
	}
	floats, err := npy.FromSlice([]float64{1, math.NaN()}, 2, 1)
	floats = mustArray(t, floats, err)
	one, err := npy.FromSlice([]float32{0.1}, []int{}...)
	half, err2 := objects.NewScalar(mustArray(t, one, err))
	if err2 != nil {
		t.Fatal(err2)
	}
	mask, err := npy.FromSlice([]bool{true, false}, 2, 1)
	masked := &objects.MaskedArray{Data: floats, Mask: mustArray(t, mask, err), FillValue: half}
	inner, err := npy.FromObjects([]any{nil, "x"}, 2)
	inner = mustArray(t, inner, err)

	for _, test := range []struct {
		why  string
		v    any
		json string
		cell string // "" if it equals the JSON
	}{
		{"None is nothing", nil, `null`, `""`},
		{"", true, `true`, ``},
		{"", int64(-5), `-5`, ``},
		{"exact, whatever JSON readers make of it", new(big.Int).Lsh(big.NewInt(1), 100), `1267650600228229401496703205376`, ``},
		{"Go's own ints", uint8(7), `7`, ``},
		{"shortest digits", 0.1, `0.1`, ``},
		{"as floats of arrays", math.Inf(-1), `"-Infinity"`, `-inf`},
		{"", math.NaN(), `"NaN"`, `nan`},
		{"", complex(1, -2), `"1-2j"`, `1-2j`},
		{"", "a \"b\"\n", `"a \"b\"\n"`, "\"a \"\"b\"\"\n\""},
		{"a lone surrogate, as in str arrays", "\xed\xa0\x80", `"\\ud800"`, `\ud800`},
		{"which stays apart from its escape", `\ud800`, `"\\u005cud800"`, `\u005cud800`},
		{"as bytes of arrays, but nothing is trimmed", []byte("a\xff\x00"), `"a\\xff\u0000"`, "a\\xff\x00"},
		{"", &pickle.ByteArray{Bytes: []byte("b")}, `"b"`, `b`},
		{"", list(), `[]`, ``},
		{"", list(int64(1), tuple(nil, "x")), `[1,[null,"x"]]`, ``},
		{"", set, `[3]`, ``},
		{"", dictOf(t), `{}`, ``},
		{"in order", dictOf(t, "b", 1.5, "a", list()), `{"b":1.5,"a":[]}`, ``},
		{"1 and \"1\" are two keys", dictOf(t, int64(1), "x", "1", "y"), `[[1,"x"],["1","y"]]`, ``},
		{"and bytes are no str", dictOf(t, []byte("k"), nil), `[["k",null]]`, ``},
		{"a digit is not lost", &pickle.Decimal{Text: "1.50"}, `"1.50"`, `1.50`},
		{"", &pickle.Fraction{Num: big.NewInt(-1), Den: big.NewInt(3)}, `"-1/3"`, `-1/3`},
		{"", &pickle.UUID{Bytes: [16]byte{15: 9}}, `"00000000-0000-0000-0000-000000000009"`, `00000000-0000-0000-0000-000000000009`},
		{"", point, `"shapes.Point"`, `shapes.Point`},
		{"", pickle.Ellipsis, `"Ellipsis"`, `Ellipsis`},
		{"", &pickle.Range{Start: int64(0), Stop: int64(3), Step: int64(1)}, `"range(0, 3)"`, `"range(0, 3)"`},
		{"", &pickle.Date{Year: 1, Month: 2, Day: 3}, `"0001-02-03"`, `0001-02-03`},
		{"", &pickle.Time{Hour: 1, TZ: &pickle.TimeZone{Offset: &pickle.Timedelta{Days: -1, Seconds: 81000}}}, `"01:00:00-01:30"`, `01:00:00-01:30`},
		{"", &pickle.Datetime{Year: 2020, Month: 1, Day: 2, Microsecond: 6}, `"2020-01-02T00:00:00.000006"`, `2020-01-02T00:00:00.000006`},
		{"an offset of odd seconds", &pickle.Time{TZ: &pickle.TimeZone{Offset: &pickle.Timedelta{Seconds: 1, Microseconds: 2}}}, `"00:00:00+00:00:01.000002"`, `00:00:00+00:00:01.000002`},
		{"rules of a library", &pickle.Datetime{Year: 2020, Month: 1, Day: 2, TZ: paris}, `"2020-01-02T00:00:00[pytz._p('Europe/Paris')]"`, `2020-01-02T00:00:00[pytz._p('Europe/Paris')]`},
		{"", &pickle.Timedelta{}, `"PT0S"`, `PT0S`},
		{"", &pickle.Timedelta{Days: 3}, `"P3D"`, `P3D`},
		{"", &pickle.Timedelta{Days: 1, Seconds: 7384, Microseconds: 500000}, `"P1DT2H3M4.500000S"`, `P1DT2H3M4.500000S`},
		{"one sign for all of it", &pickle.Timedelta{Days: -1, Seconds: 86399, Microseconds: 1}, `"-PT0.999999S"`, `-PT0.999999S`},
		{"", &pickle.Timedelta{Days: -1, Seconds: 82800}, `"-PT1H"`, `-PT1H`},
		{"a call, never made", &pickle.Object{Class: point, Args: tuple(int64(1)), Kwargs: dictOf(t, "y", 2.5)}, `{"class":"shapes.Point","args":[1],"kwargs":{"y":2.5}}`, ``},
		{"", &pickle.Object{Class: point, Items: []any{int64(1)}, Pairs: []pickle.Pair{{Key: "k", Value: nil}}, State: dictOf(t, "x", int64(1)), HasState: true},
			`{"class":"shapes.Point","items":[1],"pairs":[["k",null]],"state":{"x":1}}`, ``},
		{"a list in itself, and one further in", cycle, `[1,{"cycle":1},{"up":{"cycle":2}}]`, ``},
		{"arrays are lists", floats, `[[1.0],["NaN"]]`, ``},
		{"", inner, `[null,"x"]`, ``},
		{"", half, `0.1`, ``},
		{"", masked, `{"data":[[1.0],["NaN"]],"mask":[[true],[false]],"fill_value":0.1}`, ``},
		{"", &objects.DType{Type: dtype.Float32}, `"dtype('float32')"`, `dtype('float32')`},
	} {
		got, err := written(t, convert.NDJSON, test.v, convert.WriteOptions{})
		if err != nil || got != test.json+"\n" || !json.Valid([]byte(got)) {
			t.Errorf("%s: NDJSON of %T is %q, %v, want %q", test.why, test.v, got, err, test.json)
		}
		want := test.cell
		if want == "" {
			want = test.json
			if strings.ContainsAny(want, `",`) {
				want = `"` + strings.ReplaceAll(want, `"`, `""`) + `"`
			}
		}
		if got, err := written(t, convert.CSV, test.v, convert.WriteOptions{}); err != nil || got != want+"\n" {
			t.Errorf("%s: CSV of %T is %q, %v, want %q", test.why, test.v, got, err, want)
		}
	}
}

// A graph of n lists, each holding the next one twice, has 2**n elements.
func TestWriteObjectsHoldsBack(t *testing.T) {
	double := list("x")
	for range 60 {
		double = list(double, double)
	}
	long := strings.Repeat("x", 1<<20)
	copies := list()
	for range 4 {
		copies.Items = append(copies.Items, long)
	}
	hollow, err := npy.New(dtype.Float64, 1<<20, 0)
	hollow = mustArray(t, hollow, err)
	deep := list()
	for range 2000 {
		deep = list(deep)
	}
	for _, test := range []struct {
		name, want string
		v          any
	}{
		{"doubling", "MaxShared 2097152", double},
		{"one long string", "MaxShared 2097152", copies},
		{"arrays without bytes", "MaxShared 2097152", list(hollow, hollow, hollow)},
		{"nesting", "MaxDepth 128", deep},
	} {
		_, err := written(t, convert.JSON, test.v, convert.WriteOptions{MaxShared: 2 << 20})
		if !errors.Is(err, npy.ErrLimit) || !strings.Contains(err.Error(), "element [0]: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want ErrLimit with %s", test.name, err, test.want)
		}
	}
	apart := list()
	for i := range 100 {
		apart.Items = append(apart.Items, strings.Repeat("x", 5000)+string(rune('a'+i)))
	}
	if _, err := written(t, convert.CSV, list(apart, apart.Items[0]), convert.WriteOptions{MaxShared: 6000}); err != nil {
		t.Errorf("500 KB that are no copies, and 5 KB that are: %v, want no error", err)
	}
	if got, err := written(t, convert.NDJSON, deep, convert.WriteOptions{MaxDepth: -1}); err != nil || len(got) != 4003 {
		t.Errorf("without MaxDepth: %d bytes, %v, want 4003", len(got), err)
	}
	if got, err := written(t, convert.CSV, copies, convert.WriteOptions{MaxShared: -1}); err != nil || len(got) < 4<<20 {
		t.Errorf("without MaxShared: %d bytes, %v, want over 4 MiB", len(got), err)
	}
}

func TestWriteObjectsThatHaveNoText(t *testing.T) {
	type mine struct{}
	for _, v := range []any{mine{}, &mine{}, make(chan int), "\xff", (*pickle.List)(nil), list("\xed\xa0")} {
		for _, f := range []convert.Format{convert.NDJSON, convert.CSV} {
			if got, err := written(t, f, v, convert.WriteOptions{}); err == nil || !strings.HasPrefix(err.Error(), "convert: element [0]: ") {
				t.Errorf("%s of %T is %q, %v, want an error for element [0]", f, v, got, err)
			}
		}
	}
}

// Every vector with objects becomes JSON.
func TestWriteObjectVectors(t *testing.T) {
	for _, pattern := range []string{"../testdata/numpy-1.24.2/object-*.npy", "../testdata/numpy-2.3.5/object-*.npy", "../testdata/numpy-2.5.2/object-*.npy"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) < 10 {
			t.Fatalf("%s: %d files, %v, want 10 or more", pattern, len(paths), err)
		}
		for _, path := range paths {
			a, err := npy.Decoder{Objects: objects.Decoder{}}.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := convert.Write(context.Background(), &b, convert.JSON, a, convert.WriteOptions{}); err != nil || !json.Valid([]byte(b.String())) {
				t.Errorf("%s: JSON %.200q, error %v", path, b.String(), err)
			}
		}
	}
}

// Fields with objects, alone, in subarrays and in nested records, next to others.
func TestWriteObjectRecords(t *testing.T) {
	record, err := dtype.ParseDescr("[('none', '|O', (0,)), ('o', '|O'), ('g', [('n', '<i2'), ('o', '|O')], (2,))]")
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.NewObjects(record, 2)
	a = mustArray(t, a, err)
	top, err := a.Field("o")
	mustArray(t, top, err).SetObject("first", 0)
	cells, err := a.Field("g")
	cells, err2 := mustArray(t, cells, err).Field("o")
	cells = mustArray(t, cells, err2)
	cells.SetObject(list(int64(1)), 0, 1)
	cells.SetObject("last", 1, 1)
	for f, want := range map[convert.Format]string{
		convert.NDJSON: `{"none":[],"o":"first","g":[{"n":0,"o":null},{"n":0,"o":[1]}]}
{"none":[],"o":null,"g":[{"n":0,"o":null},{"n":0,"o":"last"}]}
`,
		convert.CSV: "o,g[0].n,g[0].o,g[1].n,g[1].o\nfirst,0,,0,[1]\n,0,,0,last\n",
	} {
		var b strings.Builder
		if err := convert.Write(context.Background(), &b, f, a, convert.WriteOptions{}); err != nil || b.String() != want {
			t.Errorf("%s is %q, %v, want %q", f, b.String(), err, want)
		}
	}
}
