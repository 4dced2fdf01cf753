package diff_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

func TestFields(t *testing.T) {
	a := bytesAs(t, "[('x', '<i2'), ('in', [('n', '|u1', (2,)), ('gone', '|u1')]), ('s', '|S2')]", "\x01\x00\x02\x03\x04ab\x05\x00\x06\x07\x08cd")
	b := bytesAs(t, "[('new', '|u1'), ('s', '|S1'), ('x', '>i2'), ('in', [('n', '<i4', (2,))])]",
		"\x00a\x00\x01\x02\x00\x00\x00\x03\x00\x00\x00\x00c\x00\x05\x06\x00\x00\x00\x09\x00\x00\x00")
	r := arrays(t, a, b, diff.Options{})
	if got := strings.Join(r.OnlyA, " ") + ", " + strings.Join(r.OnlyB, " "); got != "in.gone, new" {
		t.Errorf("fields of one side: %s", got)
	}
	want := map[string]string{
		"x":    "0 of 2",
		"in.n": "1 of 4; first [1 1] 7 9; abs 2 at [1 1]; rel 0.2222222222222222 at [1 1]",
		"s":    "2 of 2; first [0] ab a",
	}
	for _, f := range r.Fields {
		if got := summary(f); got != want[f.Name] {
			t.Errorf("field %s: got  %s\nwant %s", f.Name, got, want[f.Name])
		}
	}
	if len(r.Fields) != len(want) || r.Equal() {
		t.Errorf("%d fields, equal %v", len(r.Fields), r.Equal())
	}
}

func TestWhatCannotBeCompared(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{"[('x', '|u1', (2,))]", "[('x', '|u1', (1, 2))]", "subarrays of shape (2,) and (1, 2)"},
		{"[('x', '|u1')]", "|u1", "only one side has fields"},
		{"[('x', [('y', '|u1')])]", "[('x', '|u1')]", "only one side has fields"},
		{"|b1", "|S1", "|b1 and |S1 have no values in common"},
	} {
		a, b := bytesAs(t, test.a, strings.Repeat("\x01", parse(t, test.a).ItemSize())), bytesAs(t, test.b, strings.Repeat("\x01", parse(t, test.b).ItemSize()))
		r := arrays(t, a, b, diff.Options{})
		if f := r.Fields[0]; f.Incomparable != test.want || f.Count != 0 || r.Equal() {
			t.Errorf("%s against %s: %q, %d counted, want %q", test.a, test.b, f.Incomparable, f.Count, test.want)
		}
	}
}

func TestChanges(t *testing.T) {
	grid := arrayAs(t, "<i4", int32(1), 2, 3, 4)
	square, err := grid.Reshape(2, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name            string
		a, b            *npy.Array
		changed, stored string
		equal           bool
	}{
		{"nothing", grid, grid, "[]", "[]", true},
		{"shape", grid, square, "[{shape (4,) (2, 2)}]", "[]", false},
		{"dtype", grid, arrayAs(t, "<i8", int64(1), 2, 3, 4), "[{dtype <i4 <i8}]", "[]", false},
		{"byte order", grid, arrayAs(t, ">i4", int32(1), 2, 3, 4), "[]", "[{byte order <i4 >i4}]", true},
		{"order", square, square.Fortran(), "[]", "[{order C Fortran}]", true},
		{"layout", bytesAs(t, "[('a', '|u1'), ('', '|V1')]", "ab"), bytesAs(t, "[('a', '|u1')]", "a"), "[]", "[{layout [('a', '|u1'), ('', '|V1')] [('a', '|u1')]}]", true},
		{"order of fields", bytesAs(t, "[('a', '|u1'), ('b', '|u1')]", "ab"), bytesAs(t, "[('b', '|u1'), ('a', '|u1')]", "ba"),
			"[{dtype [('a', '|u1'), ('b', '|u1')] [('b', '|u1'), ('a', '|u1')]}]", "[]", false},
		{"subarray", bytesAs(t, "[('a', '<u2', (2,))]", "abcd"), bytesAs(t, "[('a', '>u2', (2,))]", "badc"), "[]", "[{byte order [('a', '<u2', (2,))] [('a', '>u2', (2,))]}]", true},
	} {
		r := arrays(t, test.a, test.b, diff.Options{})
		if got := fmt.Sprint(r.Changed); got != test.changed {
			t.Errorf("%s: changed %s, want %s", test.name, got, test.changed)
		}
		if got := fmt.Sprint(r.Stored); got != test.stored {
			t.Errorf("%s: stored %s, want %s", test.name, got, test.stored)
		}
		if r.Equal() != test.equal {
			t.Errorf("%s: equal %v", test.name, r.Equal())
		}
		for _, f := range r.Fields {
			if f.Different > 0 {
				t.Errorf("%s: field %q differs", test.name, f.Name)
			}
		}
	}
}

func objectArray(t testing.TB, values ...any) *npy.Array {
	t.Helper()
	a, err := npy.FromObjects(values)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func list(items ...any) *pickle.List { return &pickle.List{Items: items} }

func dict(t testing.TB, pairs ...any) *pickle.Dict {
	t.Helper()
	d := &pickle.Dict{}
	for i := 0; i < len(pairs); i += 2 {
		if err := d.Set(pairs[i], pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func TestObjects(t *testing.T) {
	loop := func(rest any) *pickle.List {
		l := list(rest)
		l.Items = append(l.Items, l)
		return l
	}
	nested := func(x float64) *npy.Array { return arrayAs(t, "<f8", 1.0, x) }
	frozen := func(items ...any) *pickle.FrozenSet {
		s, err := pickle.NewFrozenSet(items...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	set := func(items ...any) *pickle.Set {
		s := &pickle.Set{}
		for _, x := range items {
			if err := s.Add(x); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	ordered := func(keys ...any) *pickle.OrderedDict {
		d := &pickle.OrderedDict{}
		for _, k := range keys {
			if err := d.Set(k, int64(0)); err != nil {
				t.Fatal(err)
			}
		}
		return d
	}
	object := func(state any) *pickle.Object {
		return &pickle.Object{Class: &pickle.Global{Module: "m", Name: "C"}, Args: &pickle.Tuple{}, State: state, HasState: true}
	}
	scalarOf := func(x float64) *objects.Scalar {
		a, err := arrayAs(t, "<f8", x).Slice(npy.At(0))
		if err != nil {
			t.Fatal(err)
		}
		s, err := objects.NewScalar(a)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	masked := func(fill any) *objects.MaskedArray {
		return &objects.MaskedArray{Data: nested(2), Mask: bytesAs(t, "|b1", "\x00\x01"), FillValue: fill}
	}
	for _, test := range []struct {
		name string
		a, b any
		want bool
	}{
		{"None", nil, nil, true},
		{"None and 0", nil, int64(0), false},
		{"integers and floats", int64(1), 1.0, false},
		{"large integers", new(big.Int).Lsh(big.NewInt(1), 80), new(big.Int).Lsh(big.NewInt(1), 80), true},
		{"strings", "a", "b", false},
		{"NaN", nan, nan, true},
		{"complex NaN", complex(1, nan), complex(2, nan), false},
		{"lists", list(int64(1), "a"), list(int64(1), "a"), true},
		{"lists of lists", list(list(1.0)), list(list(2.0)), false},
		{"lists of other lengths", list(nil), list(), false},
		{"list and tuple", list(), &pickle.Tuple{}, false},
		{"tuples", &pickle.Tuple{Items: []any{nan}}, &pickle.Tuple{Items: []any{nan}}, true},
		{"dicts in any order", dict(t, "a", int64(1), "b", int64(2)), dict(t, "b", int64(2), "a", int64(1)), true},
		{"dicts with other keys", dict(t, "a", nil), dict(t, "b", nil), false},
		{"dicts with other values", dict(t, "a", list()), dict(t, "a", list(nil)), false},
		{"ordered dicts", ordered("a", "b"), ordered("a", "b"), true},
		{"ordered dicts in another order", ordered("a", "b"), ordered("b", "a"), false},
		{"default dicts", &pickle.DefaultDict{Factory: &pickle.Global{Module: "m", Name: "f"}}, &pickle.DefaultDict{Factory: &pickle.Global{Module: "m", Name: "f"}}, true},
		{"counters", &pickle.Counter{Dict: *dict(t, "a", int64(1))}, &pickle.Counter{Dict: *dict(t, "a", int64(2))}, false},
		{"sets", set("a", "b"), set("b", "a"), true},
		{"other sets", set("a", "b"), set("b", "c"), false},
		{"frozen sets", frozen("a"), frozen("a"), true},
		{"bytes", []byte("ab"), []byte("ac"), false},
		{"dates", &pickle.Date{Year: 2000, Month: 1, Day: 2}, &pickle.Date{Year: 2000, Month: 1, Day: 2}, true},
		{"loops", loop("a"), loop("a"), true},
		{"other loops", loop("a"), loop("b"), false},
		{"nested arrays", nested(2), nested(2), true},
		{"other nested arrays", nested(2), nested(3), false},
		{"scalars", scalarOf(nan), scalarOf(nan), true},
		{"other scalars", scalarOf(1), scalarOf(2), false},
		{"masked arrays", masked(nil), masked(nil), true},
		{"masked arrays with other fill values", masked(nil), masked(int64(1)), false},
		{"objects", object(list(1.0)), object(list(1.0)), true},
		{"objects in another state", object(list(1.0)), object(list(2.0)), false},
	} {
		r := arrays(t, objectArray(t, test.a), objectArray(t, test.b), diff.Options{})
		if r.Equal() != test.want {
			t.Errorf("%s: equal %v, want %v", test.name, r.Equal(), test.want)
		}
		if r := arrays(t, objectArray(t, test.b), objectArray(t, test.a), diff.Options{}); r.Equal() != test.want {
			t.Errorf("%s, the other way round: equal %v, want %v", test.name, r.Equal(), test.want)
		}
	}
}

// A loop that differs decides only the pairs that it proves different.
func TestObjectsAfterLoops(t *testing.T) {
	chain := func(end string) (outer, inner *pickle.List) {
		inner = list()
		outer = list(inner, end)
		inner.Items = []any{outer}
		return outer, inner
	}
	outerA, innerA := chain("a")
	outerB, innerB := chain("b")
	r := arrays(t, objectArray(t, outerA, innerA), objectArray(t, outerB, innerB), diff.Options{Max: 5})
	if f := r.Fields[0]; f.Different != 2 || len(f.First) != 2 {
		t.Errorf("%s, want 2 of 2", summary(f))
	}
}

// Objects shared by all elements are compared once; otherwise this test would take hours.
func TestSharedObjects(t *testing.T) {
	const depth = 60
	build := func(end string) any {
		x := list(end)
		for range depth {
			x = list(x, x)
		}
		return x
	}
	a, b := build("a"), build("a")
	if r := arrays(t, objectArray(t, a, a, "x"), objectArray(t, b, b, "y"), diff.Options{}); r.Fields[0].Different != 1 {
		t.Errorf("%s, want 1 of 3", summary(r.Fields[0]))
	}
	if r := arrays(t, objectArray(t, a), objectArray(t, build("c")), diff.Options{}); r.Equal() {
		t.Error("another end far below is not found")
	}
}

func TestObjectsTooDeep(t *testing.T) {
	build := func() any {
		var x any
		for range 20_000 {
			x = list(x)
		}
		return x
	}
	_, err := diff.Compare(context.Background(), objectArray(t, build()), objectArray(t, build()), diff.Options{})
	if !errors.Is(err, npy.ErrLimit) {
		t.Errorf("error %v, want a limit", err)
	}
}

func TestRecordsWithObjects(t *testing.T) {
	descr := "[('o', '|O'), ('n', '<i4')]"
	build := func(o any, n int32) *npy.Array {
		a, err := npy.NewObjects(parse(t, descr), 2)
		if err != nil {
			t.Fatal(err)
		}
		field, err := a.Field("o")
		if err != nil {
			t.Fatal(err)
		}
		field.SetObject(o, 1)
		number, err := a.Field("n")
		if err != nil {
			t.Fatal(err)
		}
		v, err := npy.As[int32](number)
		if err != nil {
			t.Fatal(err)
		}
		if v.Shared() {
			v.Set(n, 0)
		}
		return a
	}
	r := arrays(t, build("a", 0), build("b", 0), diff.Options{})
	if got, want := summary(r.Fields[0]), "1 of 2; first [1] 'a' 'b'"; got != want {
		t.Errorf("objects: got %s, want %s", got, want)
	}
	if got, want := summary(r.Fields[1]), "0 of 2"; got != want || r.Fields[1].Name != "n" {
		t.Errorf("numbers: got %s, want %s", got, want)
	}
	numbers := arrayAs(t, "<f8", 1.0)
	if r := arrays(t, objectArray(t, 1.0), numbers, diff.Options{}); r.Fields[0].Incomparable == "" {
		t.Errorf("objects and numbers: %s", summary(r.Fields[0]))
	}
}

func TestWrongOptions(t *testing.T) {
	a := arrayAs(t, "<f8", 1.0)
	for _, o := range []diff.Options{{RTol: -1}, {ATol: math.NaN()}} {
		if _, err := diff.Compare(context.Background(), a, a, o); err == nil || !strings.Contains(err.Error(), "tolerance") {
			t.Errorf("%+v: error %v", o, err)
		}
	}
}

func TestTooManyItems(t *testing.T) {
	inner, err := dtype.Subarray(dtype.Bytes(0), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	dt, err := dtype.Struct(0, dtype.Field{Name: "x", DType: inner})
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.FromBytes(dt, nil, 1<<30, 1<<30/64)
	if err != nil {
		t.Skip("no such array on 32 bits: ", err)
	}
	if _, err := diff.Compare(context.Background(), a, a, diff.Options{}); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("error %v, want a limit", err)
	}
}
