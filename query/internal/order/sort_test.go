package order

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/sortkey"
)

// orderFloats is NumPy's order of floats.
func orderFloats(a, b float64) int {
	switch {
	case a != a && b != b:
		return 0
	case a != a:
		return 1
	case b != b:
		return -1
	}
	return cmp.Compare(a+0, b+0)
}

// A Sort agrees with a stable sort by comparison, in both directions, in one part and in many.
func TestSortFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 17, 1000, 140_000} {
		for round := range 4 {
			x := make([]float64, n)
			for i := range x {
				x[i] = r.NormFloat64()
				if round > 0 {
					x[i] = []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), -1.5, float64(r.IntN(100)), -float64(r.IntN(9))}[r.IntN(7-round)]
				}
			}
			for _, descending := range []bool{false, true} {
				want := slices.Clone(x)
				slices.SortStableFunc(want, func(a, b float64) int {
					if c := orderFloats(a, b); a != a || b != b || !descending {
						return c
					}
					return orderFloats(b, a)
				})
				for _, width := range []string{"<f8", ">f8"} {
					a := must(npy.FromSliceAs(must(dtype.Parse(width)), x))
					s := Sort{Descending: descending}
					checkFloats(t, must(s.Array(t.Context(), a)), want)
					s.rowsInMemory = max(n/7, 16)
					sorted := must(s.Open(t.Context(), a))
					checkFloats(t, must(sorted.ReadAll(t.Context())), want)
					sorted.Close()
				}
			}
		}
	}
}

func checkFloats(t *testing.T, a *npy.Array, want []float64) {
	t.Helper()
	got := must(npy.As[float64](a)).ToSlice()
	if len(got) != len(want) {
		t.Fatalf("%d elements, want %d", len(got), len(want))
	}
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) && (got[i] == got[i] || want[i] == want[i]) {
			t.Fatalf("element %d of %d is %v, want %v", i, len(want), got[i], want[i])
		}
	}
}

// A failed or canceled sort leaves the old file, and no temporary file.
func TestSortCanceled(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.npy")
	x := make([]int64, 100_000)
	for i := range x {
		x[i] = int64(i * 7919 % 100_003)
	}
	if err := npy.Save(path, x); err != nil {
		t.Fatal(err)
	}
	old := must(os.ReadFile(path))
	for stop := range int64(20) {
		f := must(npy.Open(path))
		ctx, cancel := context.WithCancelCause(t.Context())
		s := Sort{rowsInMemory: 10_000}
		s.Progress = func(done, total int64) {
			if done > total*stop/40 {
				cancel(fs.ErrInvalid)
			}
		}
		err := s.WriteFile(ctx, path, f)
		f.Close()
		left := must(os.ReadDir(folder))
		if !errors.Is(err, fs.ErrInvalid) || len(left) != 1 || !bytes.Equal(must(os.ReadFile(path)), old) {
			t.Fatalf("stopped at %d of 20: error %v, %d files", stop, err, len(left))
		}
	}
	f := must(npy.Open(path))
	defer f.Close()
	var last, whole int64
	s := Sort{rowsInMemory: 10_000, Progress: func(done, total int64) { last, whole = done, total }}
	if err := s.WriteFile(t.Context(), filepath.Join(folder, "b.npy"), f); err != nil || last != whole || whole == 0 {
		t.Errorf("error %v, progress ends with %d of %d", err, last, whole)
	}
}

// A Sorted can be read by several goroutines, and not after Close.
func TestSortedClosed(t *testing.T) {
	x := make([]int16, 5000)
	for i := range x {
		x[i] = int16(i * 7919 % 5003)
	}
	a := must(npy.FromSlice(x))
	for _, rows := range []int{0, 600} {
		sorted := must(Sort{rowsInMemory: rows}.Open(t.Context(), a))
		slices.Sort(x)
		err := par.Each(t.Context(), 4, 4, func(_, _ int) error {
			got, err := sorted.ReadAll(t.Context())
			if err == nil && !slices.Equal(must(npy.As[int16](got)).ToSlice(), x) {
				err = errors.New("another order")
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		part := must(must(sorted.Select(npy.SpanFrom(4990))).ReadAll(t.Context()))
		if got := must(npy.As[int16](part)).ToSlice(); !slices.Equal(got, x[4990:]) {
			t.Errorf("Select: %v", got)
		}
		if err := errors.Join(sorted.Close(), sorted.Close()); err != nil {
			t.Error(err)
		}
		if _, err := sorted.ReadAll(t.Context()); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("after Close: error %v", err)
		}
	}
}

// Rows that are wide beside the memory are merged two runs at a time. If not even the rows of a merge fit, it is an error.
func TestSortWideRows(t *testing.T) {
	const rows, size = 9, 1 << 20
	data := make([]uint8, rows*size)
	for i := range rows {
		data[i*size] = uint8(rows - i)
	}
	a := must(npy.FromSlice(data, rows, size))
	s := Sort{By: []sortkey.Key{{Field: "0"}}, Memory: 1}
	sorted := must(s.Open(t.Context(), a))
	defer sorted.Close()
	if sorted.spill == nil {
		t.Fatal("the rows were sorted in memory")
	}
	got := must(npy.As[uint8](must(sorted.ReadAll(t.Context()))))
	for i := range rows {
		if got.At(i, 0) != uint8(i+1) {
			t.Fatalf("row %d begins with %d", i, got.At(i, 0))
		}
	}
	for _, shape := range [][]int{{1, 4 * size}, {2, 3 * size}, {9, 3 * size / 2}} {
		_, err := s.Open(t.Context(), must(npy.New(dtype.Uint8, shape...)))
		if le := (*npy.LimitError)(nil); !errors.As(err, &le) || le.Name != "Memory" {
			t.Errorf("%v: %v", shape, err)
		}
	}
}
