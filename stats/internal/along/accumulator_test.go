package along

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// However an array is cut, and in whatever pieces it arrives, each element is counted in its own result, in the order of the
// elements.
func TestSlabs(t *testing.T) {
	shape := []int{3, 5, 7}
	xs := make([]float64, 3*5*7)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range xs {
		xs[i] = math.Round(r.NormFloat64() * 100)
	}
	a, err := npy.FromSlice(xs, shape...)
	if err != nil {
		t.Fatal(err)
	}
	for axis := range shape {
		want, err := Along{Axes: []int{axis}}.Of(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		for items := 1; items <= len(xs); items++ {
			for _, fortran := range []bool{false, true} {
				h := format.Header{DType: a.DType(), Shape: shape, FortranOrder: fortran}
				acc, err := Along{Axes: []int{axis}}.New(h)
				if err != nil {
					t.Fatal(err)
				}
				acc.slab = 8 * items
				data := a.Bytes()
				if fortran {
					data = a.T().Bytes()
				}
				for len(data) > 0 {
					n := min(1+r.IntN(100), len(data))
					acc.Add(data[:n])
					data = data[n:]
				}
				acc.Add([]byte("more than there is"))
				got, err := acc.Result()
				if err != nil {
					t.Fatal(err)
				}
				for _, pair := range [][2]*npy.Array{{got.Mean, want.Mean}, {got.Std, want.Std}, {got.Min, want.Min}, {got.Max, want.Max}} {
					if err := nearly(pair[0], pair[1]); err != nil {
						t.Fatalf("axis %d, Fortran %v, slabs of %d elements: %v", axis, fortran, items, err)
					}
				}
			}
		}
	}
}

func nearly(got, want *npy.Array) error {
	g, _ := npy.As[float64](got)
	w, _ := npy.As[float64](want)
	if fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) {
		return fmt.Errorf("shape %v, want %v", got.Shape(), want.Shape())
	}
	ys := w.ToSlice()
	for i, x := range g.ToSlice() {
		if math.Abs(x-ys[i]) > 1e-12*math.Abs(ys[i]) {
			return fmt.Errorf("%v, want %v", got, want)
		}
	}
	return nil
}

// A header alone allocates nothing, and truncated data gives no result.
func TestAxisOfNothingYet(t *testing.T) {
	h := format.Header{DType: dtype.Uint8, Shape: []int{2, 1 << 27}}
	acc, err := Along{Axes: []int{0}}.New(h)
	if err != nil {
		t.Fatal(err)
	}
	acc.Add(make([]byte, 100))
	if _, err := acc.Result(); !errors.Is(err, io.ErrUnexpectedEOF) || acc.cells.(*intCells).missing.cells > 0 {
		t.Errorf("%v and %d cells, want io.ErrUnexpectedEOF and none", err, acc.cells.(*intCells).missing.cells)
	}
}
