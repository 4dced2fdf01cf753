package computed_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/computed"
	"github.com/npygo/npy/npytest"
)

// open returns a file of a vector as a Source.
func open(t *testing.T, v npytest.Vector) npy.Source {
	f, err := npy.Open(v.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func plain(v npytest.Vector) bool {
	t := v.DType
	return !t.HasObject() && !t.IsStruct() && !t.IsSubarray() && t.ItemSize() > 0
}

// The elements of the second source, computed beside a first of other blocks, equal the file's.
func TestSource(t *testing.T) {
	vectors, err := npytest.Vectors("../../testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
		if !plain(v) {
			return nil
		}
		src := open(t, v)
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
		return computed.Source(src.DType(), func(dst []byte, src [][]byte, n int) error {
			copy(dst, src[1])
			return nil
		}, first, src)
	})
}

// Regions of one value give regions of one value. With several sources, all of them must have one value there.
func TestRegions(t *testing.T) {
	vectors, err := npytest.Vectors("../../testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	constant := 0
	npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
		if !plain(v) {
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
		s := computed.Source(src.DType(), func(dst []byte, src [][]byte, n int) error {
			copy(dst, src[len(src)-1])
			return nil
		}, []npy.Source{src, second}[:1+len(v.Path)%2]...)
		if r, err := npy.RegionsOf(context.Background(), s); r != nil && err == nil {
			constant++
		}
		return s
	})
	if constant == 0 {
		t.Error("no vector has regions")
	}
}

func TestComplex(t *testing.T) {
	re, _ := npy.FromSlice([]int8{1, -2, 3, 4}, 2, 2)
	im, _ := npy.FromSlice([]float64{0.5, 0, -1, 2}, 2, 2)
	for _, order := range []dtype.ByteOrder{dtype.LittleEndian, dtype.BigEndian} {
		src, err := computed.Complex(dtype.Complex128.WithByteOrder(order), re.T(), im.T())
		if err != nil {
			t.Fatal(err)
		}
		a, err := src.ReadAll(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		v, err := npy.As[complex128](a)
		if want := []complex128{1 + 0.5i, 3 - 1i, -2, 4 + 2i}; err != nil || !slices.Equal(v.ToSlice(), want) {
			t.Errorf("%s: %v, error %v, want %v", order, v.ToSlice(), err, want)
		}
		if !a.IsFortran() {
			t.Errorf("%s: the order of the sources is lost", order)
		}
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	a, _ := npy.FromSlice([]int8{1, 2})
	src := computed.Source(dtype.Int8, func([]byte, [][]byte, int) error { return broken }, a)
	if _, err := src.ReadAll(context.Background()); !errors.Is(err, broken) {
		t.Errorf("ReadAll: error %v, want %v", err, broken)
	}
	short, _ := npy.FromSlice([]int8{1})
	src = computed.Source(dtype.Int8, func([]byte, [][]byte, int) error { return nil }, a, short)
	if _, err := src.ReadAll(context.Background()); err == nil {
		t.Error("ReadAll of sources of different lengths: no error")
	}
	if _, err := src.Select(npy.Named("x")); err == nil {
		t.Error("a field of plain elements: no error")
	}
	if _, err := computed.Cast(dtype.Int8, npy.WholeSource(dtype.Object, []int{1}, nil)); err == nil {
		t.Error("objects as int8: no error")
	}
}
