package npy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// Named types of some kinds. half is an integer for Go, and so it is here.
type (
	celsius  float64
	meters   float32
	count    int32
	id       uint64
	level    uint8
	position int
	phase    complex64
	onOff    bool
	label    string
	blob     []byte
	half     scalar.Float16
)

// Every type of the constraint Element is registered, and every registered type is an Element, is tested with all
// dtypes and stands in doc/dtypes.md.
func TestElementTable(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "element.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var terms []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && (spec.Name.Name == "Element" || spec.Name.Name == "Number") {
			for term := range strings.SplitSeq(types.ExprString(spec.Type.(*ast.InterfaceType).Methods.List[0].Type), " | ") {
				terms = append(terms, strings.Replace(strings.TrimPrefix(term, "~"), "[]byte", "[]uint8", 1))
			}
		}
		return true
	})
	registered := map[string]reflect.Type{}
	for _, g := range codec.Registered() {
		registered[g.String()] = g
		if !slices.Contains(terms, g.String()) && !slices.Contains(terms, g.Kind().String()) {
			t.Errorf("%v is registered and not in the constraint Element", g)
		}
		if !slices.ContainsFunc(everyElement, func(e element) bool { return e.goType == g }) {
			t.Errorf("%v is not in everyElement", g)
		}
	}
	for _, term := range terms {
		if _, ok := registered[term]; !ok && term != "Number" {
			t.Errorf("%s is in the constraint Element and not registered", term)
		}
	}
	doc, err := os.ReadFile("doc/dtypes.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range registered {
		if name = strings.Replace(name, "[]uint8", "[]byte", 1); !strings.Contains(string(doc), " `"+name+"` ") {
			t.Errorf("doc/dtypes.md has no dtype for %s", name)
		}
	}
}

// asBase compares what a named type N and its base type B are read from and written as.
func asBase[N, B npy.Element](t *testing.T, named []N, base []B) {
	t.Helper()
	same := func(what string, got []N, want []B) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) || len(got) != len(want) {
			t.Errorf("%s: %T %v, want %v", what, got, got, want)
		}
	}
	if got, want := npy.DTypeOf[N](), npy.DTypeOf[B](); !got.Equal(want) {
		t.Errorf("DTypeOf[%T] is %v, want %v", named, got, want)
	}
	a, b := must(npy.FromSlice(named)), must(npy.FromSlice(base))
	if !a.DType().Equal(b.DType()) || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("FromSlice of %T: dtype %v, want %v, or other bytes", named, a.DType(), b.DType())
	}
	for _, descr := range everyDType {
		for _, order := range []dtype.ByteOrder{dtype.LittleEndian, dtype.BigEndian} {
			typ := parse(descr).WithByteOrder(order)
			if typ.HasObject() {
				continue
			}
			c := must(npy.New(typ, 3))
			if raw, ok := c.ViewBytes(); ok {
				for i := range raw {
					raw[i] = byte(i % 3 * (i % 2))
				}
			}
			v, err := npy.As[N](c)
			w, want := npy.As[B](c)
			if (err == nil) != (want == nil) || v.Shared() != w.Shared() {
				t.Errorf("As of dtype %v: %T %v shared %v, %T %v shared %v", typ, named, err, v.Shared(), base, want, w.Shared())
			}
			if err == nil {
				same("As of dtype "+typ.String(), v.ToSlice(), w.ToSlice())
			}
			x, err := npy.FromSliceAs(typ, named)
			y, want := npy.FromSliceAs(typ, base)
			if (err == nil) != (want == nil) || err == nil && !bytes.Equal(x.Bytes(), y.Bytes()) {
				t.Errorf("FromSliceAs of dtype %v: %T %v, %T %v, or other bytes", typ, named, err, base, want)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.Save(path, named); err != nil {
		t.Fatal(err)
	}
	got, _, err := npy.Load[N](path)
	if err != nil {
		t.Fatal(err)
	}
	same("Load after Save", got, base)
	var swapped bytes.Buffer
	if err := npy.Write(&swapped, must(b.AsType(b.DType().WithByteOrder(dtype.BigEndian)))); err != nil {
		t.Fatal(err)
	}
	r, err := npy.NewRowReader[N](bytes.NewReader(swapped.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]N, len(named))
	if n, err := r.Next(rows); n != len(named) || err != nil && err != io.EOF {
		t.Fatalf("%d rows, %v", n, err)
	}
	same("Next", rows, base)
	if got, _, err = npy.LoadFrom[N](bytes.NewReader(swapped.Bytes())); err != nil {
		t.Fatal(err)
	}
	same("LoadFrom", got, base)
	text, err := json.Marshal(must(npy.As[N](a)))
	if want, err2 := json.Marshal(must(npy.As[B](b))); err != nil || err2 != nil || !bytes.Equal(text, want) {
		t.Errorf("JSON %s, %v, want %s, %v", text, err, want, err2)
	}
	ap, err := npy.OpenAppend(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(npy.AppendRows(ap, named), ap.Close()); err != nil {
		t.Fatal(err)
	}
	if got, _, err = npy.Load[N](path); err != nil {
		t.Fatal(err)
	}
	same("AppendRows", got, append(slices.Clone(base), base...))
	var w bytes.Buffer
	rw, err := npy.Saver[N]{DType: b.DType()}.NewRowWriter(&w, len(named))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(rw.Write(named), rw.Close()); err != nil {
		t.Fatal(err)
	}
	if got, _, err = npy.LoadFrom[N](&w); err != nil {
		t.Fatal(err)
	}
	same("RowWriter", got, base)
	objects := make([]any, len(base))
	for i, x := range base {
		objects[i] = x
	}
	if v, err := npy.As[N](must(npy.FromObjects(objects))); err != nil {
		t.Errorf("As[%T] of objects: %v", named, err)
	} else {
		same("As of objects", v.ToSlice(), base)
	}
}

func TestNamedTypes(t *testing.T) {
	asBase(t, []celsius{1.5, -2, math.MaxFloat64}, []float64{1.5, -2, math.MaxFloat64})
	asBase(t, []meters{1.5, -2, 0}, []float32{1.5, -2, 0})
	asBase(t, []count{1, -2, math.MaxInt32}, []int32{1, -2, math.MaxInt32})
	asBase(t, []id{1, 2, math.MaxUint64}, []uint64{1, 2, math.MaxUint64})
	asBase(t, []level{1, 2, 255}, []uint8{1, 2, 255})
	asBase(t, []position{1, -2, 3}, []int{1, -2, 3})
	asBase(t, []phase{1, 2i, 3}, []complex64{1, 2i, 3})
	asBase(t, []onOff{true, false, true}, []bool{true, false, true})
	asBase(t, []label{"a", "", "déjà"}, []string{"a", "", "déjà"})
	asBase(t, []blob{[]byte("a"), nil, []byte("bcd")}, [][]byte{[]byte("a"), nil, []byte("bcd")})
	asBase(t, []half{1, 2, 3}, []uint16{1, 2, 3})
}

// A named type that does not fit is named in the error.
func TestNamedTypeErrors(t *testing.T) {
	var te *npy.TypeError
	_, err := npy.As[count](must(npy.New(dtype.Float64, 1)))
	if !errors.As(err, &te) || te.GoType != reflect.TypeFor[count]() {
		t.Errorf("As[count] of float64: %v", err)
	}
	a := must(npy.FromSliceAs(parse("<U3"), []string{"a", "b"}))
	raw, _ := a.ViewBytes()
	raw[6] = 0x7f // beyond Unicode
	var ee *codec.ElementError
	if _, err = npy.As[label](a); !errors.As(err, &ee) || ee.Index != 0 {
		t.Errorf("As[label] of what is no text: %v", err)
	}
}

// Archives, mappings and records take named types, and views share memory.
func TestNamedTypesElsewhere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	want := []celsius{20.5, 21}
	if err := npy.Save(path, want); err != nil {
		t.Fatal(err)
	}
	f, err := mmap.OpenCopy(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v, err := mmap.ViewOf[celsius](f)
	if bulk.Shares && (err != nil || !slices.Equal(v.ToSlice(), want)) {
		t.Errorf("mmap.ViewOf: %v, %v", v, err)
	}
	var archive bytes.Buffer
	w := npz.NewWriter(&archive)
	if err := errors.Join(npz.Add(w, "t", want), w.Close()); err != nil {
		t.Fatal(err)
	}
	z, err := npz.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := npz.Load[celsius](z, "t"); err != nil || !slices.Equal(got, want) {
		t.Errorf("npz.Load: %v, %v", got, err)
	}
	type reading struct {
		T    celsius
		Site label `npy:",U4"`
	}
	a, err := record.FromSlice([]reading{{20.5, "home"}})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := record.Field[celsius](a, "T"); err != nil || v.At(0) != 20.5 {
		t.Errorf("record.Field: %v, %v", v, err)
	}
	if v, err := record.Field[label](a, "Site"); err != nil || v.At(0) != "home" {
		t.Errorf("record.Field: %v, %v", v, err)
	}
}

// A Duration is timedelta64 with a unit of fixed length.
func TestDurationElements(t *testing.T) {
	day := must(npy.FromSliceAs(parse(">m8[D]"), []scalar.Timedelta64{1, -2}))
	v, err := npy.As[time.Duration](day)
	if err != nil || !slices.Equal(v.ToSlice(), []time.Duration{24 * time.Hour, -48 * time.Hour}) || v.Shared() {
		t.Errorf("days: %v, %v", v, err)
	}
	a := must(npy.FromSlice([]time.Duration{time.Second}))
	if want := parse("m8[ns]"); !a.DType().Equal(want) || !npy.DTypeOf[time.Duration]().Equal(want) {
		t.Errorf("dtype %v, want %v", a.DType(), want)
	}
	for _, tt := range []struct {
		descr string
		ticks scalar.Timedelta64
		want  error
	}{
		{"m8[ns]", scalar.NaT, scalar.ErrNaT},
		{"m8[ps]", 1, scalar.ErrInexact},
		{"m8[W]", 1 << 40, scalar.ErrRange},
	} {
		a := must(npy.FromSliceAs(parse(tt.descr), []scalar.Timedelta64{0, tt.ticks}))
		var ee *codec.ElementError
		if _, err := npy.As[time.Duration](a); !errors.Is(err, tt.want) || !errors.As(err, &ee) || ee.Index != 1 {
			t.Errorf("%d of %s: %v, want element 1 and %v", tt.ticks, tt.descr, err, tt.want)
		}
	}
	if _, err := npy.FromSlice([]time.Duration{0, math.MinInt64}); !errors.Is(err, scalar.ErrNaT) {
		t.Errorf("the Duration that would be NaT: %v", err)
	}
	for _, descr := range []string{"m8", "m8[Y]", "m8[M]", "<i8", "M8[ns]"} {
		var te *npy.TypeError
		if _, err := npy.As[time.Duration](must(npy.New(parse(descr), 1))); !errors.As(err, &te) {
			t.Errorf("dtype %s as time.Duration: %v, want a TypeError", descr, err)
		}
	}
	text, err := json.Marshal(must(npy.As[time.Duration](a)))
	if err != nil {
		t.Error(err)
	}
	t.Logf("JSON of a Duration: %s", text)
}
