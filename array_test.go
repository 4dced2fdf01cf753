package npy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

func TestNew(t *testing.T) {
	a := must(npy.New(dtype.Float64, 2, 3))
	if !slices.Equal(a.Shape(), []int{2, 3}) || !slices.Equal(a.Strides(), []int{24, 8}) || a.NDim() != 2 ||
		a.Len() != 2 || a.Size() != 6 || a.NBytes() != 48 || !a.DType().Equal(dtype.Float64) {
		t.Errorf("New(f8, 2, 3): shape %v, strides %v, %d dimensions, length %d, size %d, %d bytes, dtype %s",
			a.Shape(), a.Strides(), a.NDim(), a.Len(), a.Size(), a.NBytes(), a.DType())
	}
	if !bytes.Equal(a.Bytes(), make([]byte, 48)) {
		t.Errorf("New gives other bytes than 0: % x", a.Bytes())
	}
	scalar := must(npy.New(dtype.Float64))
	if scalar.NDim() != 0 || scalar.Len() != 1 || scalar.Size() != 1 || scalar.NBytes() != 8 || !scalar.IsC() || !scalar.IsFortran() {
		t.Errorf("New without dimensions: %d dimensions, length %d, size %d", scalar.NDim(), scalar.Len(), scalar.Size())
	}
}

func TestNewErrors(t *testing.T) {
	record := parse("[('o','O')]")
	for _, tt := range []struct {
		name  string
		t     dtype.Type
		shape []int
		want  string
	}{
		{"no dtype", dtype.Type{}, []int{1}, "npy: header without a dtype"},
		{"negative", dtype.Int8, []int{2, -1}, "npy: negative dimension -1"},
		{"too large", dtype.Int16, []int{math.MaxInt/2 + 1}, "is larger than memory can be"},
		{"too many dimensions", dtype.Int8, make([]int, 65), "npy: 65 dimensions, at most 64 are possible"},
		{"subarray", parse("2i1"), []int{1}, "npy: subarray ('|i1', (2,)) cannot be the dtype of an array"},
		{"objects", dtype.Object, nil, npy.ErrObjects.Error()},
		{"objects in a struct", record, nil, npy.ErrObjects.Error()},
	} {
		_, err := npy.New(tt.t, tt.shape...)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: New(%v, %v): error %v, want %s", tt.name, tt.t, tt.shape, err, tt.want)
		}
		_, err2 := npy.FromBytes(tt.t, nil, tt.shape...)
		_, err3 := npy.FromStrides(tt.t, nil, 0, tt.shape, tt.shape)
		if fmt.Sprint(err2) != fmt.Sprint(err) || fmt.Sprint(err3) != fmt.Sprint(err) {
			t.Errorf("%s: FromBytes says %v, FromStrides %v, New %v", tt.name, err2, err3, err)
		}
		if strings.HasPrefix(tt.name, "objects") && !errors.Is(err, npy.ErrObjects) {
			t.Errorf("%s: error %v does not wrap ErrObjects", tt.name, err)
		}
	}
}

func TestFromBytes(t *testing.T) {
	data := []byte{1, 2, 3, 4}
	a := must(npy.FromBytes(parse(">i2"), data, 2))
	data[1] = 9
	if got := a.Item(0); !bytes.Equal(got, []byte{1, 9}) {
		t.Errorf("FromBytes does not share its bytes: item 0 is % x", got)
	}
	for _, n := range []int{0, 3, 5} {
		_, err := npy.FromBytes(parse(">i2"), make([]byte, n), 2)
		want := fmt.Sprintf("npy: %d bytes given for shape (2,) of dtype >i2, which takes 4", n)
		if err == nil || err.Error() != want {
			t.Errorf("FromBytes with %d of 4 bytes: error %v, want %s", n, err, want)
		}
	}
}

// The caller's slices are not kept, and returned slices are copies.
func TestShapesAreCopies(t *testing.T) {
	shape, strides := []int{2, 3}, []int{3, 1}
	made := []*npy.Array{
		must(npy.New(dtype.Int8, shape...)),
		must(npy.FromBytes(dtype.Int8, make([]byte, 6), shape...)),
		must(npy.FromStrides(dtype.Int8, make([]byte, 6), 0, shape, strides)),
		must(npy.FromSlice(make([]int8, 6), shape...)),
		must(must(npy.New(dtype.Int8, 6)).Reshape(shape...)),
	}
	shape[0], strides[0] = 100, 100
	for i, a := range made {
		a.Shape()[0], a.Strides()[0] = 100, 100
		if !slices.Equal(a.Shape(), []int{2, 3}) || !slices.Equal(a.Strides(), []int{3, 1}) {
			t.Errorf("array %d has shape %v and strides %v after the caller's slices change", i, a.Shape(), a.Strides())
		}
	}
}

func TestFromStrides(t *testing.T) {
	data := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, tt := range []struct {
		name           string
		t              dtype.Type
		offset         int
		shape, strides []int
		want           []byte // nil for an error
	}{
		{"window", dtype.Int8, 2, []int{2, 3}, []int{3, 1}, []byte{2, 3, 4, 5, 6, 7}},
		{"back", dtype.Int8, 9, []int{4}, []int{-3}, []byte{9, 6, 3, 0}},
		{"repeated", dtype.Int8, 4, []int{3}, []int{0}, []byte{4, 4, 4}},
		{"overlapping", parse("<i2"), 0, []int{3}, []int{1}, []byte{0, 1, 1, 2, 2, 3}},
		{"both ways", dtype.Int8, 5, []int{2, 2}, []int{-5, 4}, []byte{5, 9, 0, 4}},
		{"no dimensions", parse("<i2"), 8, nil, nil, []byte{8, 9}},
		{"one element, wild stride", dtype.Int8, 3, []int{1, 1}, []int{math.MinInt, math.MaxInt}, []byte{3}},
		{"empty, wild stride", dtype.Int8, 0, []int{0, 2}, []int{math.MinInt, math.MaxInt}, []byte{}},
		{"no bytes at the end", dtype.Bytes(0), 10, []int{3}, []int{0}, []byte{}},
		{"the whole end", parse("<i4"), 6, []int{1}, []int{4}, []byte{6, 7, 8, 9}},

		{"beyond the end", parse("<i4"), 7, []int{1}, []int{4}, nil},
		{"last beyond the end", dtype.Int8, 0, []int{11}, []int{1}, nil},
		{"before the start", dtype.Int8, 2, []int{4}, []int{-1}, nil},
		{"negative offset", dtype.Int8, -1, []int{2}, []int{1}, nil},
		{"smallest offset", dtype.Int8, math.MinInt, []int{2}, []int{1}, nil},
		{"largest offset", dtype.Int8, math.MaxInt, []int{1}, []int{1}, nil},
		{"largest offset of 8 bytes", dtype.Int64, math.MaxInt, nil, nil, nil},
		{"offset wraps with the reach", dtype.Int8, math.MaxInt, []int{2}, []int{1}, nil},
		{"no bytes beyond the end", dtype.Bytes(0), 11, []int{1}, []int{0}, nil},
		{"smallest stride", dtype.Int8, 5, []int{2}, []int{math.MinInt}, nil},
		{"smallest stride, twice", dtype.Int8, 5, []int{3}, []int{math.MinInt}, nil},
		{"largest stride", dtype.Int8, 5, []int{2}, []int{math.MaxInt}, nil},
		{"stride that wraps to 0", dtype.Int8, 5, []int{5}, []int{math.MaxInt/4*2 + 2}, nil},
		{"strides that wrap together", dtype.Int8, 0, []int{2, 2, 2}, []int{math.MaxInt, math.MaxInt, 2}, nil},
		{"too few strides", dtype.Int8, 0, []int{2, 2}, []int{1}, nil},
		{"strides of nothing", dtype.Int8, 0, nil, []int{1}, nil},
	} {
		a, err := npy.FromStrides(tt.t, data, tt.offset, tt.shape, tt.strides)
		if (err != nil) != (tt.want == nil) {
			t.Errorf("%s: error %v, want one: %v", tt.name, err, tt.want == nil)
			continue
		}
		if err != nil {
			continue
		}
		if got := a.Bytes(); !bytes.Equal(got, tt.want) {
			t.Errorf("%s: elements % x, want % x", tt.name, got, tt.want)
		}
		if a.Size() > 0 && tt.t.ItemSize() == 1 {
			if got := must(npy.As[int8](a)).ToSlice(); byte(got[0]) != tt.want[0] || len(got) != len(tt.want) {
				t.Errorf("%s: As gives %v, want %v", tt.name, got, tt.want)
			}
		}
	}
}

func FuzzFromStrides(f *testing.F) {
	f.Add(10, 2, 2, 3, 3, 1)
	f.Add(10, math.MaxInt, 1, 1, 8, 8)
	f.Add(0, 0, 0, 5, math.MinInt, 1)
	f.Fuzz(func(t *testing.T, size, offset, n0, n1, s0, s1 int) {
		data := make([]byte, uint(size)%100)
		a, err := npy.FromStrides(dtype.Int16, data, offset, []int{n0, n1}, []int{s0, s1})
		if err != nil || a.Size() > 10000 {
			return
		}
		eachIndex(a.Shape(), func(index []int) { a.Item(index...)[0] = 1 })
		a.Bytes()
		if _, err := npy.As[int16](a); err != nil {
			t.Fatal(err)
		}
	})
}

func TestItem(t *testing.T) {
	a := le("<i2", []int16{0, 1, 2, 3, 4, 5}, 2, 3)
	item := a.T().Item(2, 1)
	if !bytes.Equal(item, []byte{5, 0}) || cap(item) != 2 {
		t.Errorf("a.T.Item(2, 1) is % x with room for %d, want 05 00 and 2", item, cap(item))
	}
	item[1] = 1
	if got := a.Item(1, 2); got[1] != 1 {
		t.Error("Item does not share memory")
	}
	for _, index := range [][]int{{}, {0}, {0, 0, 0}, {2, 0}, {0, 3}, {-1, 0}, {0, math.MinInt}, {math.MaxInt, 0}} {
		wantPanic(t, fmt.Sprintf("Item(%v)", index), func() { a.Item(index...) })
	}
	if got := must(npy.New(dtype.Int8)).Item(); len(got) != 1 {
		t.Errorf("Item of an array without dimensions has %d bytes", len(got))
	}
	wantPanic(t, "Item(0) of an empty array", func() { must(npy.New(dtype.Int8, 0)).Item(0) })
	if got := must(npy.New(dtype.Bytes(0), 3)).Item(2); len(got) != 0 {
		t.Errorf("Item of 0 bytes has %d", len(got))
	}
}

func wantPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if text := fmt.Sprint(recover()); !strings.HasPrefix(text, "npy: ") {
			t.Errorf("%s: panic %q, want one that begins with npy:", what, text)
		}
	}()
	f()
}

func TestViewBytes(t *testing.T) {
	data := []byte{0, 1, 2, 3, 4, 5}
	a := must(npy.FromBytes(dtype.Int8, data, 2, 3))
	raw, ok := a.ViewBytes()
	if !ok || &raw[0] != &data[0] || len(raw) != 6 || cap(raw) != 6 {
		t.Errorf("ViewBytes: %v, %d bytes", ok, len(raw))
	}
	row := must(a.Slice(npy.At(1)))
	raw, ok = row.ViewBytes()
	if !ok || &raw[0] != &data[3] || cap(raw) != 3 {
		t.Errorf("ViewBytes of a row: %v, % x", ok, raw)
	}
	if raw, ok := a.T().ViewBytes(); ok || raw != nil {
		t.Errorf("ViewBytes of a transposed array: %v, % x", ok, raw)
	}
	if raw, ok := must(a.Slice(npy.SpanTo(0))).ViewBytes(); !ok || len(raw) != 0 {
		t.Errorf("ViewBytes of nothing: %v, % x", ok, raw)
	}
	if got := a.Bytes(); &got[0] == &data[0] {
		t.Error("Bytes shares memory")
	}
}

func TestContiguousShares(t *testing.T) {
	a := le("<i2", []int16{0, 1, 2, 3, 4, 5}, 2, 3)
	if a.Contiguous() != a || a.T().Contiguous().Item(0, 0)[0] != 0 {
		t.Error("Contiguous copies an array in C order")
	}
	if f := a.T(); f.Fortran() != f {
		t.Error("Fortran copies an array in Fortran order")
	}
	c := a.Clone()
	c.Item(0, 0)[0] = 7
	if a.Item(0, 0)[0] != 0 {
		t.Error("Clone shares memory")
	}
	f := a.Fortran()
	if f == a || !slices.Equal(f.Strides(), []int{2, 4}) || !bytes.Equal(f.Bytes(), a.Bytes()) {
		t.Errorf("Fortran: strides %v, elements % x", f.Strides(), f.Bytes())
	}
}

// A stream can claim as much as an int holds.
func TestReadAnnouncedMaxInt(t *testing.T) {
	for _, shape := range [][]int{{math.MaxInt}, {math.MaxInt/8 - 1, 8}, {math.MaxInt - 1}} {
		head := must(format.Header{DType: dtype.Uint8, Shape: shape}.Append(nil))
		_, err := npy.Read(io.MultiReader(bytes.NewReader(head), strings.NewReader("abc"))) // hides the length
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("Read of shape %v with 3 bytes: error %v, want %v", shape, err, io.ErrUnexpectedEOF)
		}
		_, _, err = npy.LoadFrom[uint16](io.MultiReader(bytes.NewReader(head), strings.NewReader("abc")))
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("LoadFrom of shape %v with 3 bytes: error %v, want %v", shape, err, io.ErrUnexpectedEOF)
		}
	}
}

// countTo returns an array of the numbers 0, 1, 2, … as int32.
func countTo(shape ...int) *npy.Array {
	n := 1
	for _, k := range shape {
		n *= k
	}
	data := make([]int32, n)
	for i := range data {
		data[i] = int32(i)
	}
	return must(npy.FromSlice(data, append([]int{}, shape...)...))
}

func TestTranspose(t *testing.T) {
	a := countTo(2, 3, 4)
	for _, axes := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}, {-1, -2, -3}, {-1, 0, 1}} {
		b, err := a.Transpose(axes...)
		if err != nil {
			t.Fatalf("Transpose(%v): %v", axes, err)
		}
		eachIndex(b.Shape(), func(index []int) {
			at := make([]int, 3)
			for i, axis := range axes {
				at[(axis+3)%3] = index[i]
			}
			if !bytes.Equal(b.Item(index...), a.Item(at...)) {
				t.Fatalf("Transpose(%v): element %v is not %v of the original", axes, index, at)
			}
		})
	}
	for _, tt := range []struct {
		axes []int
		want string
	}{
		{nil, "npy: 0 axes given to transpose an array of 3 dimensions"},
		{[]int{0, 1}, "npy: 2 axes given to transpose an array of 3 dimensions"},
		{[]int{0, 1, 1}, "npy: axis 1 is out of range or repeated in a transpose of 3 dimensions"},
		{[]int{0, 1, -2}, "npy: axis -2 is out of range or repeated in a transpose of 3 dimensions"},
		{[]int{0, 1, 3}, "npy: axis 3 is out of range or repeated in a transpose of 3 dimensions"},
		{[]int{0, 1, -4}, "npy: axis -4 is out of range or repeated in a transpose of 3 dimensions"},
		{[]int{0, 1, math.MinInt}, fmt.Sprintf("npy: axis %d is out of range or repeated in a transpose of 3 dimensions", math.MinInt)},
	} {
		if _, err := a.Transpose(tt.axes...); err == nil || err.Error() != tt.want {
			t.Errorf("Transpose(%v): error %v, want %s", tt.axes, err, tt.want)
		}
	}
	if b, err := countTo().Transpose(); err != nil || b.NDim() != 0 {
		t.Errorf("Transpose without dimensions: %v", err)
	}
}

func TestT(t *testing.T) {
	a := countTo(2, 3)
	b := a.T()
	if !slices.Equal(b.Shape(), []int{3, 2}) || !slices.Equal(b.Strides(), []int{4, 12}) || b.IsC() || !b.IsFortran() {
		t.Errorf("T: shape %v, strides %v, IsC %v, IsFortran %v", b.Shape(), b.Strides(), b.IsC(), b.IsFortran())
	}
	if !slices.Equal(a.Shape(), []int{2, 3}) || !slices.Equal(a.Strides(), []int{12, 4}) {
		t.Errorf("T changes its receiver: shape %v, strides %v", a.Shape(), a.Strides())
	}
	b.Item(2, 1)[0] = 77
	if a.Item(1, 2)[0] != 77 {
		t.Error("T does not share memory")
	}
}

func TestReshape(t *testing.T) {
	a := countTo(2, 3, 4)
	for _, tt := range []struct {
		shape, want []int // want is nil for an error
	}{
		{[]int{24}, []int{24}},
		{[]int{-1}, []int{24}},
		{[]int{4, -1}, []int{4, 6}},
		{[]int{-1, 1, 8}, []int{3, 1, 8}},
		{[]int{1, 24, 1}, []int{1, 24, 1}},
		{[]int{2, 3, 4, -1}, []int{2, 3, 4, 1}},
		{[]int{}, nil},
		{[]int{5, -1}, nil},
		{[]int{-1, -1}, nil},
		{[]int{-2, 12}, nil},
		{[]int{-1, 0}, nil},
		{[]int{25}, nil},
		{[]int{0}, nil},
		{[]int{math.MaxInt, -1}, nil},
		{[]int{math.MaxInt, math.MaxInt}, nil},
		{[]int{math.MaxInt, 2, -1}, nil},
		{[]int{0, -1}, nil},
		{[]int{48, -1}, nil},
	} {
		given := slices.Clone(tt.shape)
		b, err := a.Reshape(tt.shape...)
		if (err != nil) != (tt.want == nil) {
			t.Errorf("Reshape(%v): error %v, want one: %v", tt.shape, err, tt.want == nil)
		}
		if !slices.Equal(given, tt.shape) {
			t.Errorf("Reshape changes its arguments from %v to %v", given, tt.shape)
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "npy: ") {
				t.Errorf("Reshape(%v): error %q does not begin with the package", given, err)
			}
			continue
		}
		if !slices.Equal(b.Shape(), tt.want) || !bytes.Equal(b.Bytes(), a.Bytes()) {
			t.Errorf("Reshape(%v): shape %v, want %v, same elements %v", given, b.Shape(), tt.want, bytes.Equal(b.Bytes(), a.Bytes()))
		}
		b.Item(make([]int, b.NDim())...)[3] ^= 1
		if !bytes.Equal(b.Bytes(), a.Bytes()) {
			t.Errorf("Reshape(%v) of an array in C order does not share memory", given)
		}
	}
	if _, err := a.Reshape(5, -1); err == nil || err.Error() != "npy: array of size 24 cannot be reshaped to (5, -1)" {
		t.Errorf("Reshape(5, -1): error %v", err)
	}

	b := must(a.T().Reshape(4, 6))
	b.Item(0, 0)[3] ^= 1
	if bytes.Equal(b.Item(0, 0), a.Item(0, 0, 0)) || !bytes.Equal(b.Item(0, 1), a.T().Item(0, 0, 1)) {
		t.Error("Reshape of an array in another order is no copy in C order")
	}
	one := must(countTo(1, 1).Reshape())
	if one.NDim() != 0 || one.Size() != 1 {
		t.Errorf("Reshape of one element to no dimensions: shape %v", one.Shape())
	}
	empty := countTo(0, 3)
	for _, shape := range [][]int{{0}, {3, 0}, {5, -1}, {-1}} {
		if b, err := empty.Reshape(shape...); err != nil || b.Size() != 0 {
			t.Errorf("Reshape(%v) of an empty array: %v", shape, err)
		}
	}
}

func TestField(t *testing.T) {
	record := parse("[('a','|u1'),(('long name','s'),'<i4',(2,3)),('n',[('p','<i4'),('q','>i2',(2,))])]")
	a := must(npy.New(record, 2))
	for i := range 2 {
		item := a.Item(i)
		for k := range item {
			item[k] = byte(100*i + k)
		}
	}
	for _, tt := range []struct {
		path  []string
		shape []int
		descr string
		first []byte // of element (1, 0, …)
	}{
		{[]string{"a"}, []int{2}, "|u1", []byte{100}},
		{[]string{"s"}, []int{2, 2, 3}, "<i4", []byte{101, 102, 103, 104}},
		{[]string{"long name"}, []int{2, 2, 3}, "<i4", []byte{101, 102, 103, 104}},
		{[]string{"n", "p"}, []int{2}, "<i4", []byte{125, 126, 127, 128}},
		{[]string{"n", "q"}, []int{2, 2}, ">i2", []byte{129, 130}},
	} {
		b := a
		for _, name := range tt.path {
			var err error
			if b, err = b.Field(name); err != nil {
				t.Fatalf("field %q: %v", tt.path, err)
			}
		}
		index := make([]int, b.NDim())
		index[0] = 1
		if !slices.Equal(b.Shape(), tt.shape) || b.DType().Descr() != tt.descr || !bytes.Equal(b.Item(index...), tt.first) {
			t.Errorf("field %q: shape %v, dtype %s, item % d, want %v, %s, % d", tt.path, b.Shape(), b.DType(), b.Item(index...), tt.shape, tt.descr, tt.first)
		}
		b.Item(index...)[0]++
		if b.Item(index...)[0] != tt.first[0]+1 || bytes.Equal(a.Bytes(), must(npy.New(record, 2)).Bytes()) {
			t.Errorf("field %q does not share memory", tt.path)
		}
		b.Item(index...)[0]--
	}
	if !slices.Equal(a.Shape(), []int{2}) {
		t.Errorf("Field changes its receiver: shape %v", a.Shape())
	}
}

func TestFieldErrors(t *testing.T) {
	many := make([]dtype.Field, 25)
	for i := range many {
		many[i] = dtype.Field{Name: fmt.Sprint("f", i), DType: dtype.Int8, Offset: i}
	}
	wide := must(dtype.Struct(-1, many...))
	deep := parse("[('x','|u1',(" + strings.Repeat("1,", 60) + "))]")
	uncountable := parse("[('x','|S0',(2147483647,))]")
	for _, tt := range []struct {
		a          *npy.Array
		name, want string
	}{
		{countTo(2), "x", "npy: no field \"x\": dtype " + dtype.Int32.Descr() + " has no fields"},
		{must(npy.New(parse("[('a','|u1'),('b','|u1')]"))), "x", `npy: no field "x", want one of ["a" "b"]`},
		{must(npy.New(parse("[('a','|u1')]"))), "", `npy: no field "", want one of ["a"]`},
		{must(npy.New(wide, 1)), "x", `"f19" "…"]`},
		{must(npy.New(deep, 1, 1, 1, 1, 1)), "x", "more than an array can have"},
		{must(npy.New(uncountable, math.MaxInt)), "x", "more than an array can have"},
		{must(npy.New(uncountable, math.MaxInt/4)), "x", "more than an array can have"},
	} {
		_, err := tt.a.Field(tt.name)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Field(%q) of %s: error %v, want %s", tt.name, tt.a.DType(), err, tt.want)
		}
	}
	if _, err := must(npy.New(deep, 1, 1, 1, 1)).Field("x"); err != nil {
		t.Errorf("a field that makes 64 dimensions: %v", err)
	}
}

func TestFieldOfNothing(t *testing.T) {
	record := parse("[('a','|u1'),('b','<i4',(3,)),('c','<i4',(0,)),('d','|S0')]")
	for _, a := range []*npy.Array{
		must(npy.New(record, 0)), must(npy.New(record, 0, 2)), must(must(npy.New(record, 3)).Slice(npy.SpanTo(0))), must(npy.New(record, 2)), must(npy.New(record)),
	} {
		for _, f := range record.Fields() {
			b := must(a.Field(f.Name))
			if got := b.Bytes(); len(got) != b.NBytes() {
				t.Errorf("field %q of shape %v has %d bytes, want %d", f.Name, a.Shape(), len(got), b.NBytes())
			}
			if !slices.Equal(b.Shape()[:a.NDim()], a.Shape()) {
				t.Errorf("field %q of shape %v has shape %v", f.Name, a.Shape(), b.Shape())
			}
		}
	}
}

// sixObjects returns a (2, 3) array of six objects.
func sixObjects() *npy.Array {
	return must(npy.FromObjects([]any{int64(1), "a", nil, 2.5, true, []byte("b")}, 2, 3))
}

// Views share the objects. Copies have numbers of their own for the same objects.
func TestObjectViews(t *testing.T) {
	a := sixObjects()
	column := must(a.Slice(npy.All(), npy.At(1)))
	if got := must(column.Objects()); !slices.Equal(got, []any{"a", true}) {
		t.Errorf("a[:, 1] is %v", got)
	}
	for name, c := range map[string]*npy.Array{
		"Clone": column.Clone(), "Fortran": a.Fortran(), "Reshape": must(a.T().Reshape(6)), "AsType": must(a.AsType(dtype.Object)),
	} {
		before := must(a.Objects())
		first := make([]int, c.NDim())
		c.SetObject("changed", first...)
		if after := must(a.Objects()); after[0] != before[0] || after[1] != before[1] || c.Object(first...) != "changed" {
			t.Errorf("%s shares its elements: %v", name, after)
		}
	}
	a.T().SetObject("new", 1, 1)
	column.SetObject(nil, 0)
	if a.Object(1, 1) != "new" || a.Object(0, 1) != nil {
		t.Errorf("views do not share: %v", must(a.Objects()))
	}
}

func TestObjectFields(t *testing.T) {
	a := must(npy.NewObjects(parse("[('i','<i4'),('o','O'),('s',[('p','O',(2,))])]"), 2))
	must(a.Field("o")).SetObject("x", 1)
	must(must(a.Field("s")).Field("p")).SetObject("y", 1, 0)
	c := a.Clone()
	must(c.Field("o")).SetObject("z", 1)
	if got := must(must(a.Field("o")).Objects()); !slices.Equal(got, []any{nil, "x"}) {
		t.Errorf("field o is %v", got)
	}
	if got := must(must(must(c.Field("s")).Field("p")).Objects()); !slices.Equal(got, []any{nil, nil, "y", nil}) {
		t.Errorf("subarray of the copy is %v", got)
	}
	want := "i     o  s.p\n0  None  [None None]\n0   'x'  ['y' None]"
	if got := a.String(); got != want {
		t.Errorf("printed as\n%s\nwant\n%s", got, want)
	}
}

// The numbers of elements are never visible as bytes.
func TestObjectsAreNoBytes(t *testing.T) {
	a := sixObjects()
	if b, ok := a.ViewBytes(); ok {
		t.Errorf("ViewBytes gives % x", b)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("Bytes gives some")
			}
		}()
		a.Bytes()
	}()
	var buf bytes.Buffer
	if err := npy.Write(&buf, a); !errors.Is(err, npy.ErrObjects) || buf.Len() > 0 {
		t.Errorf("Write writes %d bytes, %v", buf.Len(), err)
	}
	if err := npy.WriteFile(filepath.Join(t.TempDir(), "a.npy"), a); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("WriteFile: %v", err)
	}
	if _, err := a.AsType(dtype.Float64); err == nil {
		t.Error("AsType makes numbers of them")
	}
}

func TestObjectsAs(t *testing.T) {
	ints := must(npy.FromObjects([]any{int64(1), big.NewInt(2), uint8(3)}))
	if v, err := npy.As[int8](ints); err != nil || !slices.Equal(v.ToSlice(), []int8{1, 2, 3}) {
		t.Errorf("As[int8] gives %v, %v", v, err)
	}
	if v, err := npy.As[float64](ints); err != nil || !slices.Equal(v.ToSlice(), []float64{1, 2, 3}) {
		t.Errorf("As[float64] gives %v, %v", v, err)
	}
	if v, err := npy.As[complex128](ints); err != nil || v.At(2) != 3 {
		t.Errorf("As[complex128] gives %v, %v", v, err)
	}
	one := func(v any) *npy.Array { return must(npy.FromObjects([]any{int64(0), v}, 1, 2)) }
	for _, tt := range []struct {
		name string
		as   func() error
		want string
	}{
		{"too large", func() error { _, err := npy.As[int8](one(int64(128))); return err }, "element (0, 1) is 128"},
		{"negative", func() error { _, err := npy.As[uint64](one(int64(-1))); return err }, "is -1"},
		{"inexact", func() error { _, err := npy.As[float64](one(int64(1<<53 + 1))); return err }, "is 9007199254740993"},
		{"huge", func() error { _, err := npy.As[float64](one(new(big.Int).Lsh(big.NewInt(1), 70))); return err }, "is 1180591620717411303424"},
		{"float for an int", func() error { _, err := npy.As[int64](one(2.0)); return err }, "is 2.0"},
		{"bool for an int", func() error { _, err := npy.As[int64](one(true)); return err }, "is True"},
		{"inexact float32", func() error { _, err := npy.As[float32](one(0.1)); return err }, "is 0.1"},
		{"text", func() error { _, err := npy.As[int64](one("5")); return err }, "is a string"},
		{"None", func() error { _, err := npy.As[int64](one(nil)); return err }, "is None"},
	} {
		var e *npy.TypeError
		if err := tt.as(); !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestObjectErrors(t *testing.T) {
	for name, err := range map[string]error{
		"2 elements given for shape (3,), which has 3": errorOf(npy.FromObjects([]any{1, 2}, 3)),
		"negative dimension":                           errorOf(npy.FromObjects(nil, -1)),
		"has no objects: use New":                      errorOf(npy.NewObjects(dtype.Int8, 1)),
		"larger than memory":                           errorOf(npy.NewObjects(dtype.Object, 1<<30, 1<<30, 1<<30)),
		"are no objects":                               errorOf(must(npy.New(dtype.Int8, 1)).Objects()),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error is %v, want %s", err, name)
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }

// lineDecoder reads a line as the text of all elements.
type lineDecoder struct{}

func (lineDecoder) DecodeObjects(r io.Reader, h format.Header) (*npy.Array, error) {
	var line []byte
	for b := make([]byte, 1); ; line = append(line, b[0]) {
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, err
		}
		if b[0] == '\n' {
			break
		}
	}
	values := make([]any, h.Size())
	for i := range values {
		values[i] = string(line)
	}
	return must(npy.FromObjects(values, h.Shape...)).WithOrigin("a line"), nil
}

// An origin belongs to the array, not to arrays made from it. Load and LoadFrom take objects of one type.
func TestObjectDecoder(t *testing.T) {
	file := string(must(format.Header{DType: dtype.Object, Shape: []int{2}}.Append(nil))) + "text\nrest"
	d := npy.Decoder{Objects: lineDecoder{}}
	r := strings.NewReader(file)
	a := must(d.Read(r))
	if a.Origin() != "a line" || a.T().Origin() != nil || a.Clone().Origin() != nil || must(a.Slice()).Origin() != nil {
		t.Errorf("origins are %v, %v, %v", a.Origin(), a.T().Origin(), a.Clone().Origin())
	}
	if r.Len() != len("rest") {
		t.Errorf("%d bytes are left", r.Len())
	}
	data, shape, err := npy.Loader[string](d).LoadFrom(strings.NewReader(file))
	if err != nil || !slices.Equal(data, []string{"text", "text"}) || !slices.Equal(shape, []int{2}) {
		t.Errorf("LoadFrom gives %q, %v, %v", data, shape, err)
	}
	d.MaxBytes = 4
	if _, err := d.Read(strings.NewReader(file)); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("over MaxBytes: %v", err)
	}
}
