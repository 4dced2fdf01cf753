package npy_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy"
)

// Random slices of arrays that are joined are those of the array in one piece.
func TestConcatSlices(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		shape := []int{1 + r.IntN(12), 1 + r.IntN(9), 1 + r.IntN(4)}[:1+r.IntN(3)]
		size := 1
		for _, n := range shape {
			size *= n
		}
		data := make([]int32, size)
		for i := range data {
			data[i] = int32(i)
		}
		whole, err := npy.FromSlice(data, shape...)
		if err != nil {
			t.Fatal(err)
		}
		axis := r.IntN(len(shape))
		var parts []npy.Source
		for low := 0; low < shape[axis]; {
			high := min(low+r.IntN(4), shape[axis])
			parts = append(parts, sliceAxis(t, whole, axis, npy.Span(low, high)))
			low = high
		}
		joined, err := npy.Concat(axis-r.IntN(2)*len(shape), parts...)
		if err != nil {
			t.Fatal(err)
		}
		var index []npy.Index
		for _, n := range shape {
			if r.IntN(4) == 0 {
				index = append(index, npy.At(r.IntN(n)))
				continue
			}
			step := 1 + r.IntN(4)
			if r.IntN(2) == 0 {
				step = -step
			}
			index = append(index, npy.Span(r.IntN(2*n)-n, r.IntN(2*n)-n).By(step))
		}
		want, err := whole.Slice(index...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := joined.Select(index...)
		if err != nil {
			t.Fatal(err)
		}
		a, err := got.ReadAll(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if a.String() != want.String() || string(a.Bytes()) != string(want.Bytes()) {
			t.Fatalf("shape %v, axis %d, index %v: %v, want %v", shape, axis, index, a, want)
		}
		for block, err := range joined.Blocks(context.Background(), int64(1+r.IntN(200))) {
			if err != nil {
				t.Fatal(err)
			}
			if n := len(block.Bytes()); string(block.Bytes()) != string(whole.Bytes()[:n]) {
				t.Fatalf("shape %v, axis %d: a block is %v", shape, axis, block)
			} else if whole, err = npy.FromBytes(whole.DType(), whole.Bytes()[n:], whole.Size()-n/4); err != nil {
				t.Fatal(err)
			}
		}
		if whole.Size() > 0 {
			t.Fatalf("shape %v, axis %d: the blocks lack %d elements", shape, axis, whole.Size())
		}
	}
}

func sliceAxis(t *testing.T, a *npy.Array, axis int, x npy.Index) *npy.Array {
	t.Helper()
	index := make([]npy.Index, axis+1)
	index[axis] = x
	part, err := a.Slice(index...)
	if err != nil {
		t.Fatal(err)
	}
	return part
}

func TestConcatErrors(t *testing.T) {
	ints, err := npy.FromSlice([]int32{1, 2}, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	floats, err := npy.FromSlice([]float32{1, 2}, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := npy.FromObjects([]any{nil})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		axis  int
		parts []npy.Source
		want  string
	}{
		{0, nil, "no arrays"},
		{2, []npy.Source{ints}, "axis 2 is out of bounds"},
		{0, []npy.Source{ints, floats}, "array 2 of 2: dtype"},
		{1, []npy.Source{ints, ints.T()}, "array 2 of 2: shape"},
		{0, []npy.Source{objects}, "objects"},
	} {
		if _, err := npy.Concat(tt.axis, tt.parts...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("axis %d: error %v, want %q", tt.axis, err, tt.want)
		}
	}
}
