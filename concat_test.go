package npy_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
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
		joined := concat(t, r.IntN(2) == 0, axis-r.IntN(2)*len(shape), parts)
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
		got, err := joined.Select(npy.Ellipsis())
		if err == nil {
			got, err = got.Select(index...)
		}
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

// concat joins arrays, at once or as they are needed.
func concat(t *testing.T, made bool, axis int, parts []npy.Source) npy.Source {
	t.Helper()
	joined, err := npy.Concat(axis, parts...)
	if err == nil && made {
		shape := joined.Shape()
		at := (axis + len(shape)) % len(shape)
		ends, n := make([]int, len(parts)), 0
		for i, s := range parts {
			n += s.Shape()[at]
			ends[i] = n
		}
		joined, err = npy.ConcatFunc(joined.DType(), shape, axis, ends, func(i int) npy.Source { return parts[i] })
	}
	if err != nil {
		t.Fatal(err)
	}
	return joined
}

// Fields of records are selected of each array, with slices before and after them.
func TestConcatFields(t *testing.T) {
	row, err := dtype.Parse("[('a', '<i4'), ('b', '<f8', (3,))]")
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 12*row.ItemSize())
	for i := range data {
		data[i] = byte(i)
	}
	whole, err := npy.FromBytes(row, data, 6, 2)
	if err != nil {
		t.Fatal(err)
	}
	var parts []npy.Source
	for _, x := range [][2]int{{0, 1}, {1, 1}, {1, 4}, {4, 6}} {
		parts = append(parts, sliceAxis(t, whole, 0, npy.Span(x[0], x[1])))
	}
	for _, made := range []bool{false, true} {
		for _, text := range []string{"['a']", "['b']", "[['b', 'a']]", "[1:5]['a']", "[::-2, 1]['b'][..., 2]", "[3]['b']", "[-1, 0]['a']", "[2:2]['a']"} {
			index, err := npy.ParseIndex(text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := whole.Slice(index...)
			if err != nil {
				t.Fatal(err)
			}
			src, err := concat(t, made, 0, parts).Select(index...)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := src.ReadAll(t.Context()); err != nil || got.String() != want.String() || !slices.Equal(src.Shape(), want.Shape()) {
				t.Errorf("made %v, %s: %v, error %v, want %v", made, text, got, err, want)
			}
		}
	}
}

// What the function of ConcatFunc returns is checked, and so are its other arguments.
func TestConcatFuncErrors(t *testing.T) {
	one, err := npy.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	ints, err := npy.FromSlice([]int32{1, 2, 3, 4}, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		shape []int
		axis  int
		ends  []int
		src   npy.Source
		want  string // of Select or ReadAll if it begins with "read: "
	}{
		{[]int{4, 2}, 0, []int{2, 4}, one, ""},
		{[]int{4, 2}, 2, []int{2, 4}, one, "axis 2 is out of bounds"},
		{[]int{4, 2}, 0, nil, one, "no arrays"},
		{[]int{4, 2}, 0, []int{2, 3}, one, "must ascend to the length of axis 0, 4"},
		{[]int{4, 2}, 0, []int{5, 4}, one, "must ascend"},
		{[]int{4, 2}, 0, []int{-1, 4}, one, "must ascend"},
		{[]int{-4, 2}, 0, []int{-4}, one, "must ascend"},
		{[]int{4, 2}, 0, []int{1, 4}, one, "read: array 1 of 2: shape [2 2], want 1 along axis 0"},
		{[]int{4, 3}, 0, []int{2, 4}, one, "read: array 1 of 2: shape"},
		{[]int{4}, 0, []int{2, 4}, one, "read: array 1 of 2: shape"},
		{[]int{4, 2}, 0, []int{2, 4}, ints, "read: array 1 of 2: dtype"},
	} {
		src, err := npy.ConcatFunc(dtype.Float64, tt.shape, tt.axis, tt.ends, func(int) npy.Source { return tt.src })
		want, read := strings.CutPrefix(tt.want, "read: ")
		if read && err == nil {
			_, err = src.ReadAll(t.Context())
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("shape %v, axis %d, ends %v: error %v, want %q", tt.shape, tt.axis, tt.ends, err, tt.want)
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
