package query

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
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/par"
)

// compareFloats is NumPy's order of floats.
func compareFloats(a, b float64) int {
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
					if c := compareFloats(a, b); a != a || b != b || !descending {
						return c
					}
					return compareFloats(b, a)
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

// Long keys that differ late, few distinct keys, and one worker or several give the same order.
func TestSortLongKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, workers := range []int{1, 3} {
		before := par.SetWorkers(workers)
		for _, few := range []int{1, 2, 500_000} {
			const n, size = 200_000, 20
			data := make([]byte, n*size)
			for i := range n {
				copy(data[i*size+10:], []byte{byte(r.IntN(few)), byte(r.IntN(few)), byte(r.IntN(few))})
			}
			a := must(npy.FromBytes(must(dtype.Parse("S20")), data, n))
			got := must(Sort{}.Argsort(t.Context(), a))
			for i := 1; i < n; i++ {
				x, y := got[i-1], got[i]
				if c := bytes.Compare(data[x*size:][:size], data[y*size:][:size]); c > 0 || c == 0 && x > y {
					t.Fatalf("%d workers, %d values: row %d comes before row %d", workers, few, x, y)
				}
			}
		}
		par.SetWorkers(before)
	}
}

// The memory for the keys of a long lane counts, 24 bytes for each element. An array without elements takes none.
func TestSortAlongMemory(t *testing.T) {
	for _, tt := range []struct {
		shape []int
		over  bool
	}{{[]int{1, 1 << 20}, true}, {[]int{1 << 20, 1}, false}, {[]int{1 << 10, 1 << 10}, false}, {[]int{0, math.MaxInt >> 1}, false}} {
		_, err := Sort{Memory: 16 << 20}.Along(t.Context(), must(npy.New(dtype.Uint8, tt.shape...)), 1)
		var over *npy.LimitError
		if tt.over != errors.As(err, &over) || !tt.over && err != nil {
			t.Errorf("shape %v: error %v", tt.shape, err)
		}
	}
}

// Lanes along every axis are sorted as numpy.sort(axis=axis) does.
// Rows that are wide beside the memory are merged two runs at a time. If not even the rows of a merge fit, it is an error.
func TestSortWideRows(t *testing.T) {
	const rows, size = 9, 1 << 20
	a := must(npy.New(dtype.Uint8, rows, size))
	for i, row := range must(npy.As[uint8](a)).Rows() {
		row.Set(uint8(rows-i), 0)
	}
	s := Sort{By: []Key{{Field: "0"}}, Memory: 1}
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

func TestSortAlong(t *testing.T) {
	a := must(npy.FromSlice([]int32{3, 1, 2, 0, 5, 4, 9, 7, 8, 11, 10, 6}, 2, 3, 2))
	for axis, want := range map[int][]int32{
		0: {3, 1, 2, 0, 5, 4, 9, 7, 8, 11, 10, 6}, 1: {2, 0, 3, 1, 5, 4, 8, 6, 9, 7, 10, 11},
		2: {1, 3, 0, 2, 4, 5, 7, 9, 8, 11, 6, 10}, -1: {1, 3, 0, 2, 4, 5, 7, 9, 8, 11, 6, 10},
	} {
		got := must(npy.As[int32](must(Sort{}.Along(t.Context(), a, axis)))).ToSlice()
		if !slices.Equal(got, want) {
			t.Errorf("axis %d: %v, want %v", axis, got, want)
		}
	}
	if _, err := (Sort{}).Along(t.Context(), a, 3); err == nil {
		t.Error("axis 3: no error")
	}
	long := must(Sort{}.Along(t.Context(), must(npy.FromSlice([]int32{2, 1, 4, 3}, 1, 4)), 1))
	if got := must(npy.As[int32](long)).ToSlice(); !slices.Equal(got, []int32{1, 2, 3, 4}) {
		t.Errorf("one lane: %v", got)
	}
}

func TestSortErrors(t *testing.T) {
	records := must(npy.New(must(dtype.Parse("f4,f4")), 3))
	grid := must(npy.New(dtype.Float64, 3, 2))
	for _, test := range []struct {
		name string
		src  npy.Source
		keys []Key
		want string
	}{
		{"unknown field", records, []Key{{Field: "mag"}}, `no field "mag", want one of ["f0" "f1"]`},
		{"field of numbers", must(npy.New(must(dtype.Parse("<f8")), 3)), []Key{{Field: "mag"}}, `no field "mag": dtype <f8 has no fields; the elements themselves are x`},
		{"grid without keys", grid, nil, "an array of shape (3, 2) has no order of its own"},
		{"column", grid, []Key{{Field: "2"}}, "column 2 is out of range"},
		{"column by name", grid, []Key{{Field: "a"}}, "want the number of a column"},
		{"no rows", must(npy.New(dtype.Float64)), nil, "an array without dimensions has no rows"},
		{"objects", must(npy.FromObjects([]any{"a"}, 1)), nil, "Python objects have no order"},
		{"cube", must(npy.New(dtype.Float64, 2, 2, 2)), []Key{{Field: "1"}}, "want records, or one or two dimensions"},
	} {
		if _, err := (Sort{By: test.keys}).Array(t.Context(), test.src); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
	if _, err := ParseKeys("a,,b"); err == nil {
		t.Error("an empty name: no error")
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

// Top gives the first rows of the sorted order, from any number of blocks.
func TestTop(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	x := make([]float32, 100_000)
	for i := range x {
		x[i] = float32(r.IntN(500))
		if r.IntN(100) == 0 {
			x[i] = float32(math.NaN())
		}
	}
	a := must(npy.FromSlice(x, 50_000, 2))
	for _, s := range []Sort{{By: []Key{{Field: "1"}}}, {By: []Key{{Field: "0", Descending: true}, {Field: "1"}}}} {
		want := must(s.Array(t.Context(), a))
		for _, n := range []int{0, 1, 7, 30_000, 50_000, 60_000} {
			got := must(s.Top(t.Context(), must(npy.PartSource(npy.HeaderOf(a), func(_ context.Context, p npy.Part) (*npy.Array, error) { return p.Array(a.Bytes()) })), n))
			if first := must(want.Slice(npy.SpanTo(n))); !bytes.Equal(got.Bytes(), first.Bytes()) || got.Len() != min(n, 50_000) {
				t.Errorf("by %v, %d rows: another order", s.By, n)
			}
		}
	}
	if _, err := (Sort{By: []Key{{Field: "1"}}}).Top(t.Context(), a, -1); err == nil {
		t.Error("-1 rows: no error")
	}
}
