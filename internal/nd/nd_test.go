package nd

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/npygo/npy/dtype"
)

// numbered returns an array whose elements are their positions in C order, as little-endian uint16.
func numbered(shape ...int) Array {
	var data []byte
	for i := range Size(shape) {
		data = binary.LittleEndian.AppendUint16(data, uint16(i))
	}
	return New(dtype.Uint16, shape, false, data)
}

// numbers returns the elements in C order.
func numbers(a Array) (xs []int) {
	for item := range a.Items {
		xs = append(xs, int(binary.LittleEndian.Uint16(item)))
	}
	return xs
}

// at returns the element at index.
func at(a Array, index []int) int {
	return int(binary.LittleEndian.Uint16(a.ItemAt(Position(index, a.Shape, a.Strides, a.Offset))))
}

// randomView returns a view of a random array, with some axes sliced and all axes permuted.
func randomView(t *testing.T, r *rand.Rand) Array {
	shape := make([]int, 1+r.IntN(4))
	for i := range shape {
		shape[i] = 1 + r.IntN(5)
	}
	a := numbered(shape...)
	var index []Index
	for range r.IntN(len(shape) + 1) {
		index = append(index, Index{Start: r.IntN(9) - 4, HasStart: r.IntN(2) == 0, Stop: r.IntN(9) - 4, HasStop: r.IntN(3) == 0, Step: []int{-2, -1, 1, 2, 3}[r.IntN(5)], HasStep: true})
	}
	a, err := a.Slice(index)
	if err != nil {
		t.Fatal(err)
	}
	if a, err = a.Transpose(r.Perm(len(shape))); err != nil {
		t.Fatal(err)
	}
	return a
}

// Every new layout of the elements of a view keeps the element at each index.
func TestLayoutsKeepElements(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	regrouped := 0
	for range 3000 {
		a := randomView(t, r)
		want := numbers(a)
		if len(want) != a.Size() {
			t.Fatalf("%d elements visited of shape %v", len(want), a.Shape)
		}
		for i, x := range want {
			if got := at(a, Unravel(int64(i), a.Shape)); got != x {
				t.Fatalf("shape %v strides %v: element %d is %d by its index, %d in order", a.Shape, a.Strides, i, got, x)
			}
		}
		for _, fortran := range []bool{false, true} {
			b := New(a.DType, a.Shape, fortran, a.Gather(fortran))
			if !slices.Equal(numbers(b), want) || !b.IsContiguous(fortran) {
				t.Fatalf("Gather(%v) of shape %v strides %v gives %v, want %v", fortran, a.Shape, a.Strides, numbers(b), want)
			}
			if raw, ok := b.Bytes(); ok && !bytes.Equal(raw, New(a.DType, a.Shape, false, a.Gather(false)).Data) {
				t.Fatalf("Bytes of shape %v, Fortran order %v, differ from those in C order", b.Shape, fortran)
			}
		}
		low, high := a.Extent()
		compact := a.Compact(a.DType, make([]byte, a.NBytes()))
		if a.Size() > 0 && (low < 0 || high > len(a.Data)) {
			t.Fatalf("shape %v strides %v offset %d: extent %d to %d of %d bytes", a.Shape, a.Strides, a.Offset, low, high, len(a.Data))
		}
		if l, h := compact.Extent(); l != 0 || h != a.NBytes() {
			t.Fatalf("Compact of shape %v strides %v extends from %d to %d, want 0 to %d", a.Shape, a.Strides, l, h, a.NBytes())
		}
		if g, ok := a.Regroup([]int{a.Size()}, false); ok {
			regrouped++
			if !slices.Equal(numbers(g), want) {
				t.Fatalf("Regroup of shape %v strides %v gives %v, want %v", a.Shape, a.Strides, numbers(g), want)
			}
		}
	}
	if regrouped == 0 {
		t.Error("no view could be regrouped")
	}
}

// An index selects the same positions as Python's range.
func TestSliceOfAxis(t *testing.T) {
	a := numbered(7)
	for _, tt := range []struct {
		index Index
		want  []int
		why   string
	}{
		{Index{}, []int{0, 1, 2, 3, 4, 5, 6}, "the zero Index is a whole axis"},
		{Index{Start: -2, HasStart: true}, []int{5, 6}, "negative positions count from the end"},
		{Index{Step: -3, HasStep: true}, []int{6, 3, 0}, "a negative step begins at the end"},
		{Index{Start: 100, HasStart: true, Stop: -100, HasStop: true, Step: -1, HasStep: true}, []int{6, 5, 4, 3, 2, 1, 0}, "both ends are clamped"},
		{Index{Start: 5, HasStart: true, Stop: 2, HasStop: true}, nil, "an empty range"},
		{Index{Kind: Ellipsis}, []int{0, 1, 2, 3, 4, 5, 6}, "an ellipsis is every other axis"},
		{Index{Kind: Integer, Start: -1}, []int{6}, "an integer removes its axis"},
	} {
		b, err := a.Slice([]Index{tt.index})
		if err != nil || !slices.Equal(numbers(b), tt.want) {
			t.Errorf("%+v: %v, %v, want %v: %s", tt.index, numbers(b), err, tt.want, tt.why)
		}
	}
	for _, index := range [][]Index{{{Kind: Integer, Start: 7}}, {{HasStep: true}}, {{}, {}}, {{Kind: Ellipsis}, {Kind: Ellipsis}}} {
		if b, err := a.Slice(index); err == nil {
			t.Errorf("%+v: shape %v, want an error", index, b.Shape)
		}
	}
}
