package npy_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/source"
)

// openVector returns a file of a vector as a Source.
func openVector(t *testing.T, v npytest.Vector) npy.Source {
	f, err := npy.Open(v.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func hasBytes(v npytest.Vector) bool {
	t := v.DType
	return !t.HasObject() && t.ItemSize() > 0
}

// The elements of the second source, computed beside a first of other blocks, equal the file's.
func TestComputed(t *testing.T) {
	vectors, err := npytest.Vectors("testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
		if !hasBytes(v) {
			return nil
		}
		src := openVector(t, v)
		wide, err := npy.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		first := npy.Source(src)
		if h := npy.HeaderOf(src); !h.FortranOrder {
			item := dtype.Void(3 * max(src.DType().ItemSize(), 1))
			if first, err = npy.New(item, wide.Shape()...); err != nil {
				t.Fatal(err)
			}
		}
		s, err := npy.Computed(src.DType(), func(_ context.Context, dst []byte, src [][]byte, n int) error {
			copy(dst, src[1])
			return nil
		}, first, src)
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

// Regions of one value give regions of one value. With several sources, all of them must have one value there.
func TestComputedRegions(t *testing.T) {
	vectors, err := npytest.Vectors("testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	constant := 0
	npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
		if !hasBytes(v) {
			return nil
		}
		a, err := npy.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		src := npytest.Regioned(a, 1<<62)
		second, err := src.Select()
		if err != nil {
			t.Fatal(err)
		}
		s, err := npy.Computed(src.DType(), func(_ context.Context, dst []byte, src [][]byte, n int) error {
			copy(dst, src[len(src)-1])
			return nil
		}, []npy.Source{src, second}[:1+len(v.Path)%2]...)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := npy.RegionsOf(context.Background(), s); r != nil && err == nil {
			constant++
		}
		return s
	})
	if constant == 0 {
		t.Error("no vector has regions")
	}
}

// A Source that is cast to its dtype in the other byte order, and back, reads as the file does, from files, archives and memory.
func TestCastSource(t *testing.T) {
	vectors, err := npytest.Vectors("testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	data := 0
	npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
		if v.HasObject() {
			return nil
		}
		src := openVector(t, v)
		to := dtype.Void(src.DType().ItemSize())
		if src.DType().ByteOrder() != dtype.NoByteOrder && !src.DType().IsStruct() {
			to = src.DType().WithByteOrder(dtype.BigEndian)
		}
		for _, dt := range []dtype.Type{to, src.DType()} {
			if src, err = npy.Cast(src, dt, npy.UnsafeCasting); err != nil {
				return nil // void of some dtypes has no way back
			}
		}
		if _, ok := npy.DataOf(src); ok {
			data++
		}
		return src
	})
	if data == 0 {
		t.Error("no vector can be read at any offset")
	}
}

// A cast keeps the order of a file, its errors name the element in the whole array, and fields of records can be selected.
func TestCastSourceKeeps(t *testing.T) {
	ctx := context.Background()
	a, _ := npy.FromSlice(make([]int32, 300_000), 3, 100_000)
	src, err := npy.Cast(plainSource{a.T()}, dtype.Int64, npy.SafeCasting)
	if err != nil || npy.HeaderOf(src).FortranOrder {
		t.Fatalf("a Source without an order: %v, error %v", npy.HeaderOf(src), err)
	}
	if src, err = npy.Cast(a.T(), dtype.Int64, npy.SafeCasting); err != nil || !npy.HeaderOf(src).FortranOrder {
		t.Fatalf("an array in Fortran order: %v, error %v", npy.HeaderOf(src), err)
	}
	if _, err := npy.Cast(a, dtype.Int8, npy.SafeCasting); !errors.As(err, new(*npy.CastError)) {
		t.Errorf("int32 as int8: error %v", err)
	}
	wide := make([]int32, 300_000)
	wide[280_000] = 1 << 20
	a, _ = npy.FromSlice(wide)
	src, _ = npy.Cast(a, dtype.Int8, npy.SameKindCasting)
	want := "npy: element 280000: 1048576 is out of the range of dtype |i1; unsafe casting allows it"
	if _, err := src.ReadAll(ctx); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	point := must(dtype.Parse("u1,<f8"))
	small, _ := npy.FromSlice([]int8{1, 2, 3})
	if src, err = npy.Cast(small, point, npy.UnsafeCasting); err == nil {
		src, err = src.Select(npy.Span(1, 3), npy.Named("f1"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if y, err := npy.ReadInto[float64](ctx, nil, src); err != nil || !slices.Equal(y, []float64{2, 3}) {
		t.Errorf("field f1: %v, error %v", y, err)
	}
}

func TestComputedErrors(t *testing.T) {
	broken := errors.New("broken")
	a, _ := npy.FromSlice([]int8{1, 2})
	src, err := npy.Computed(dtype.Int8, func(context.Context, []byte, [][]byte, int) error { return broken }, a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := src.ReadAll(context.Background()); !errors.Is(err, broken) {
		t.Errorf("ReadAll: error %v, want %v", err, broken)
	}
	if _, err := src.Select(npy.Named("x")); err == nil {
		t.Error("a field of plain elements: no error")
	}
	short, _ := npy.FromSlice([]int8{1})
	objects := source.Whole(dtype.Object, []int{2}, nil)
	for _, sources := range [][]npy.Source{{}, {a, short}, {a, objects}} {
		if _, err := npy.Computed(dtype.Int8, nil, sources...); err == nil {
			t.Errorf("%d sources: no error", len(sources))
		}
	}
	if _, err := npy.Cast(objects, dtype.Int8, npy.UnsafeCasting); err == nil {
		t.Error("objects as int8: no error")
	}
}

// Elements of files and of arrays in memory, read by several goroutines, are at their places, and so is an error.
func TestComputedOfFiles(t *testing.T) {
	const n = 1 << 20 // of 8 bytes: enough for several goroutines
	xs := make([]uint64, n)
	for i := range xs {
		xs[i] = uint64(i)
	}
	memory, err := npy.FromSlice(xs)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := npy.WriteFile(path, memory); err != nil {
		t.Fatal(err)
	}
	open := func() npy.Source {
		f, err := npy.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	bad := errors.New("no square")
	sum := func(_ context.Context, dst []byte, src [][]byte, n int) error {
		for i := 0; i < 8*n; i += 8 {
			x, y := binary.NativeEndian.Uint64(src[0][i:]), binary.NativeEndian.Uint64(src[1][i:])
			if x != y {
				return bad
			}
			binary.NativeEndian.PutUint64(dst[i:], x+y)
		}
		return nil
	}
	for _, sources := range [][]npy.Source{{open(), open()}, {open(), memory}, {memory, open()}, {memory, memory}} {
		src, err := npy.Computed(dtype.Uint64, sum, sources...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := npy.ReadInto[uint64](t.Context(), nil, src)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range got {
			if x != uint64(2*i) {
				t.Fatalf("%T and %T: element %d is %d, want %d", sources[0], sources[1], i, x, 2*i)
			}
		}
	}
	src, err := npy.Computed(dtype.Uint64, sum, memory, open())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := src.ReadAll(t.Context()); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "byte 4194304") {
		t.Errorf("a file cut short: error %v", err)
	}
}

func ExampleComputed() {
	celsius, err := npy.FromSlice([]float64{-40, 0, 100})
	if err != nil {
		log.Fatal(err)
	}
	fahrenheit, err := npy.Computed(dtype.Float64, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		for i := 0; i < 8*n; i += 8 {
			c := math.Float64frombits(binary.NativeEndian.Uint64(src[0][i:]))
			binary.NativeEndian.PutUint64(dst[i:], math.Float64bits(c*9/5+32))
		}
		return nil
	}, celsius) // or a file of any size
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fahrenheit.ReadAll(context.Background()))
	// Output: [-40.  32. 212.] <nil>
}

func ExampleCast() {
	a, err := npy.FromSlice([]float64{1.25, -2.5, 1e300})
	if err != nil {
		log.Fatal(err)
	}
	src, err := npy.Cast(a, dtype.Float32, npy.UnsafeCasting) // a may be a file of any size
	if err != nil {
		log.Fatal(err)
	}
	part, err := src.Select(npy.Span(0, 2))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(part.DType().Name(), part.Shape())
	fmt.Println(part.ReadAll(context.Background()))
	_, err = npy.Cast(a, dtype.Float32, npy.SafeCasting)
	fmt.Println("SafeCasting refuses it:", errors.As(err, new(*npy.CastError)))
	// Output:
	// float32 [2]
	// [ 1.25 -2.5 ] <nil>
	// SafeCasting refuses it: true
}
