package npy_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// ViewOf shares memory or refuses, and never copies.
func TestViewOf(t *testing.T) {
	a, err := npy.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	v, err := npy.ViewOf[float32](a.T())
	if err != nil {
		t.Skip("the build does not share memory: ", err)
	}
	v.Set(9, 2, 0)
	if again, err := npy.As[float32](a); err != nil || again.At(0, 2) != 9 {
		t.Errorf("the view does not share the memory: %v, error %v", again, err)
	}
	if _, err := npy.ViewOf[float64](a); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("float32 as float64: error %v", err)
	}
	if _, err := npy.ViewOf[int8](a); !errors.As(err, new(*npy.TypeError)) {
		t.Errorf("float32 as int8: error %v", err)
	}
	big, err := a.AsType(dtype.Float32.WithByteOrder(dtype.BigEndian))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := npy.ViewOf[float32](big); dtype.NativeEndian == dtype.LittleEndian && !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("big-endian: error %v", err)
	}
	unaligned, err := npy.FromStrides(dtype.Float32, make([]byte, 64), 1, []int{2}, []int{4})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := npy.ViewOf[float32](unaligned); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("not aligned: error %v", err)
	}
	objects, err := npy.NewObjects(dtype.Object, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := npy.ViewOf[int](objects); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("objects: error %v", err)
	}
}

// Strided and FromStrided are the inverse of each other for arrays without negative strides.
func TestStridedBothWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		shape := make([]int, 1+rng.IntN(3))
		n := 1
		for i := range shape {
			shape[i] = 1 + rng.IntN(4)
			n *= shape[i]
		}
		data := make([]int32, n)
		for i := range data {
			data[i] = rng.Int32()
		}
		a, err := npy.FromSlice(data, shape...)
		if err != nil {
			t.Fatal(err)
		}
		index := make([]npy.Index, len(shape))
		for i, k := range shape {
			index[i] = npy.SpanFrom(rng.IntN(k)).By(1 + rng.IntN(2))
		}
		if a, err = a.Slice(index...); err != nil {
			t.Fatal(err)
		}
		if rng.IntN(2) == 0 {
			a = a.T()
		}
		v, err := npy.As[int32](a)
		if err != nil {
			t.Fatal(err)
		}
		elements, strides, ok := v.Strided()
		if !ok {
			t.Fatalf("no strides for shape %v", a.Shape())
		}
		b, err := npy.FromStrided(elements, a.Shape(), strides)
		if err != nil {
			t.Fatalf("shape %v, strides %v, %d elements: %v", a.Shape(), strides, len(elements), err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) || !slices.Equal(a.Shape(), b.Shape()) {
			t.Fatalf("shape %v, strides %v: %v became %v", a.Shape(), strides, a, b)
		}
	}
}

func TestStridedRefuses(t *testing.T) {
	a, err := npy.FromSlice([]int16{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	v, err := npy.As[int16](a)
	if err != nil {
		t.Fatal(err)
	}
	if data, strides, ok := v.Row(1).Strided(); !ok || len(strides) != 0 || !slices.Equal(data, []int16{2}) {
		t.Errorf("one element: %v, %v, %v", data, strides, ok)
	}
	backwards, err := a.Slice(npy.All().By(-1))
	if err != nil {
		t.Fatal(err)
	}
	if v, err = npy.ViewOf[int16](backwards); err == nil {
		if _, _, ok := v.Strided(); ok {
			t.Error("a negative stride was given")
		}
	}
	for _, test := range []struct{ shape, strides []int }{
		{[]int{2, 2}, []int{2, 1}},                                     // one element too many
		{[]int{2}, []int{math.MaxInt}},                                 // over the end
		{[]int{3, 3}, []int{math.MaxInt/2 + 1, 1}},                     // more than an int counts
		{[]int{2}, []int{-1}},                                          // before the start
		{[]int{2}, []int{1, 1}},                                        // not one for each axis
		{[]int{-1}, []int{1}},                                          // no shape
		{[]int{math.MaxInt, math.MaxInt, math.MaxInt}, []int{0, 0, 0}}, // more elements than can be counted
	} {
		if b, err := npy.FromStrided([]int16{1, 2, 3}, test.shape, test.strides); err == nil {
			t.Errorf("shape %v, strides %v: %v", test.shape, test.strides, b)
		}
		if b, err := npy.FromStrided([]string{"1", "2", "3"}, test.shape, test.strides); err == nil {
			t.Errorf("strings, shape %v, strides %v: %v", test.shape, test.strides, b)
		}
	}
	for _, empty := range [][]int{{0}, {0, 5}} {
		if b, err := npy.FromStrided([]int16(nil), empty, make([]int, len(empty))); err != nil || !slices.Equal(b.Shape(), empty) {
			t.Errorf("shape %v: %v, error %v", empty, b, err)
		}
	}
	if b, err := npy.FromStrided([]time.Duration{1, 2, 3}, []int{2}, []int{2}); err != nil || b.DType().Name() != "timedelta64[ns]" {
		t.Errorf("durations: %v, error %v", b, err)
	}
	if _, err := npy.FromStrided(scalar.Datetime64s(1), []int{1}, []int{1}); !errors.As(err, new(*npy.TypeError)) {
		t.Errorf("times without a step: error %v", err)
	}
	if b, err := npy.FromStrided([]string{"a", "b", "c", "d"}, []int{2, 2}, []int{1, 2}); err != nil || b.String() != "[['a' 'c']\n ['b' 'd']]" {
		t.Errorf("strings: %v, error %v", b, err)
	}
}

// BLAS takes part of a matrix: columns 1 and 2, with a leading dimension of 3.
func ExampleView_Strided() {
	a, err := npy.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	part, err := a.Slice(npy.All(), npy.SpanFrom(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := npy.As[float64](part)
	if err != nil {
		fmt.Println(err)
		return
	}
	data, strides, ok := v.Strided()
	fmt.Println(data[strides[0]], strides[1], ok) // a[1, 1], row major
	// Output: 5 1 true
}

func ExampleFromStrided() {
	columns := []float64{1, 2, 3, 4, 5, 6} // column major, as LAPACK has it, 3 rows
	a, err := npy.FromStrided(columns, []int{3, 2}, []int{1, 3})
	fmt.Println(a, err)
	// Output:
	// [[1. 4.]
	//  [2. 5.]
	//  [3. 6.]] <nil>
}

func ExampleViewOf() {
	a, err := npy.FromSlice([]int32{1, 2, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := npy.ViewOf[int32](a)
	if err != nil {
		v, err = npy.As[int32](a) // copies, in a build without unsafe
	}
	fmt.Println(v.ToSlice(), err)
	_, err = npy.ViewOf[int64](a)
	fmt.Println(errors.Is(err, errors.ErrUnsupported)) // int64 needs a copy
	// Output:
	// [1 2 3] <nil>
	// true
}
