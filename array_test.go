package npy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
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
