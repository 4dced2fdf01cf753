package query_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/source"
)

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
			got := must(query.Sort{}.Argsort(t.Context(), a))
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
		_, err := query.Sort{Memory: 16 << 20}.Along(t.Context(), must(npy.New(dtype.Uint8, tt.shape...)), 1)
		var over *npy.LimitError
		if tt.over != errors.As(err, &over) || !tt.over && err != nil {
			t.Errorf("shape %v: error %v", tt.shape, err)
		}
	}
}

// Lanes along every axis are sorted as numpy.sort(axis=axis) does.
func TestSortAlong(t *testing.T) {
	a := must(npy.FromSlice([]int32{3, 1, 2, 0, 5, 4, 9, 7, 8, 11, 10, 6}, 2, 3, 2))
	for axis, want := range map[int][]int32{
		0: {3, 1, 2, 0, 5, 4, 9, 7, 8, 11, 10, 6}, 1: {2, 0, 3, 1, 5, 4, 8, 6, 9, 7, 10, 11},
		2: {1, 3, 0, 2, 4, 5, 7, 9, 8, 11, 6, 10}, -1: {1, 3, 0, 2, 4, 5, 7, 9, 8, 11, 6, 10},
	} {
		got := must(npy.As[int32](must(query.Sort{}.Along(t.Context(), a, axis)))).ToSlice()
		if !slices.Equal(got, want) {
			t.Errorf("axis %d: %v, want %v", axis, got, want)
		}
	}
	if _, err := (query.Sort{}).Along(t.Context(), a, 3); err == nil {
		t.Error("axis 3: no error")
	}
	long := must(query.Sort{}.Along(t.Context(), must(npy.FromSlice([]int32{2, 1, 4, 3}, 1, 4)), 1))
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
		keys []query.Key
		want string
	}{
		{"unknown field", records, []query.Key{{Field: "mag"}}, `no field "mag", want one of ["f0" "f1"]`},
		{"field of numbers", must(npy.New(must(dtype.Parse("<f8")), 3)), []query.Key{{Field: "mag"}}, `no field "mag": dtype <f8 has no fields; the elements themselves are x`},
		{"grid without keys", grid, nil, "an array of shape (3, 2) has no order of its own"},
		{"column", grid, []query.Key{{Field: "2"}}, "column 2 is out of range"},
		{"column by name", grid, []query.Key{{Field: "a"}}, "want the number of a column"},
		{"no rows", must(npy.New(dtype.Float64)), nil, "an array without dimensions has no rows"},
		{"objects", must(npy.FromObjects([]any{"a"}, 1)), nil, "Python objects have no order"},
		{"cube", must(npy.New(dtype.Float64, 2, 2, 2)), []query.Key{{Field: "1"}}, "want records, or one or two dimensions"},
	} {
		if _, err := (query.Sort{By: test.keys}).Array(t.Context(), test.src); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
	if _, err := query.ParseKeys("a,,b"); err == nil {
		t.Error("an empty name: no error")
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
	for _, s := range []query.Sort{{By: []query.Key{{Field: "1"}}}, {By: []query.Key{{Field: "0", Descending: true}, {Field: "1"}}}} {
		want := must(s.Array(t.Context(), a))
		for _, n := range []int{0, 1, 7, 30_000, 50_000, 60_000} {
			got := must(s.Top(t.Context(), must(source.FromParts(npy.HeaderOf(a), func(_ context.Context, p npy.Selection) (*npy.Array, error) { return p.Array(a.Bytes()) })), n))
			if first := must(want.Slice(npy.SpanTo(n))); !bytes.Equal(got.Bytes(), first.Bytes()) || got.Len() != min(n, 50_000) {
				t.Errorf("by %v, %d rows: another order", s.By, n)
			}
		}
	}
	if _, err := (query.Sort{By: []query.Key{{Field: "1"}}}).Top(t.Context(), a, -1); err == nil {
		t.Error("-1 rows: no error")
	}
}

// A minus sign before a key means Descending.
func TestParseKeys(t *testing.T) {
	if keys := must(query.ParseKeys("-mag, pos.x")); !slices.Equal(keys, []query.Key{{Field: "mag", Descending: true}, {Field: "pos.x"}}) {
		t.Errorf("keys %v", keys)
	}
}
