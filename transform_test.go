package npy_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

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
