package query_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/source"
	"github.com/npygo/npy/stats"
)

// mostlyEqual returns an array of a megabyte or more, most of whose rows are equal to their neighbours.
func mostlyEqual(t *testing.T, rng *rand.Rand, dt dtype.Type, columns int) *npy.Array {
	t.Helper()
	row := dt.ItemSize() * max(columns, 1)
	n := (5<<18 + rng.IntN(1<<19)) / row
	shape := []int{n}
	if columns > 0 {
		shape = append(shape, columns)
	}
	a := must(npy.New(dt, shape...))
	data, _ := a.ViewBytes()
	for at := 0; at < n; {
		value := make([]byte, row)
		for i := range value {
			value[i] = byte(rng.IntN(2)) * byte(rng.IntN(3))
		}
		if rng.IntN(2) == 0 { // all elements of the row are equal
			value = bytes.Repeat(value[:dt.ItemSize()], max(columns, 1))
		}
		for end := min(at+1+rng.IntN(n), n); at < end; at++ {
			copy(data[at*row:], value)
		}
	}
	for range rng.IntN(4) {
		at := rng.IntN(n)
		for i := range data[at*row : min(at+1+rng.IntN(300), n)*row] {
			data[at*row+i] = byte(rng.IntN(4))
		}
	}
	return a
}

// Queries give the same results for arrays that know their equal rows and for arrays that do not.
func TestRegionsAreCounted(t *testing.T) {
	rng := oracle.Rand(t)
	ctx := context.Background()
	record := must(dtype.Parse("i4,f4,S3"))
	counted := 0
	for i := range oracle.Cases(t, 8) {
		dt, columns, by, where := record, 0, "f0", "f0 > 0 and f1 < 1e-30"
		switch rng.IntN(min(i, 1) + 2) { // the first array has rows that are surely counted
		case 0:
			dt, by, where = dtype.Int16, "x", "x % 3 == 0"
		case 2:
			dt, columns, by, where = dtype.Float64, 5, "2", "any(x > 0)"
		}
		a := mostlyEqual(t, rng, dt, columns)
		src := npytest.Regioned(a, 1<<62)
		if must(source.Runs(ctx, src, source.RunOptions{})) != nil {
			counted++
		}
		same := func(what string, got, want *npy.Array, err, wantErr error) {
			t.Helper()
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil && (!slices.Equal(got.Shape(), want.Shape()) || !bytes.Equal(got.Bytes(), want.Bytes())) {
				t.Fatalf("case %d: %s of dtype %s and shape %v:\n%v, %v\nwant\n%v, %v", i, what, dt, a.Shape(), got, err, want, wantErr)
			}
		}
		g := query.Group{By: []query.Key{{Field: by}}}
		if dt.IsStruct() {
			g.Aggs = must(query.ParseAggs("count,sum:f0,mean:f0,min:f1,max:f2,first:f2,last:f0,median:f0,nunique:f2,argmin:f1,argmax:f0,q0.25:f1,max:f0 * 2"))
		}
		got, err := g.Of(ctx, src)
		want, wantErr := g.Of(ctx, a)
		same("groups", got, want, err, wantErr)
		got, err = query.Unique{}.Of(ctx, src)
		want, wantErr = query.Unique{}.Of(ctx, a)
		same("unique values", got, want, err, wantErr)
		first := must(query.Unique{By: g.By}.Filter(ctx, src))
		firstRows := must(must(query.Unique{By: g.By}.Filter(ctx, a)).ReadAll(ctx))
		same("rows without duplicates", must(first.ReadAll(ctx)), firstRows, nil, nil)
		checkChosen(t, rng, first, firstRows)
		s := query.Sort{By: []query.Key{{Field: by, Descending: rng.IntN(2) == 0}}}
		got, err = s.Top(ctx, src, 1+rng.IntN(5000))
		want, wantErr = s.Top(ctx, a, got.Len())
		same("the first rows in order", got, want, err, wantErr)
		filtered := must(query.Filter(ctx, src, where))
		rows := must(must(query.Filter(ctx, a, where)).ReadAll(ctx))
		same("rows that satisfy a condition", must(filtered.ReadAll(ctx)), rows, nil, nil)
		checkChosen(t, rng, filtered, rows)
	}
	if counted == 0 {
		t.Error("no array was counted")
	}
}

// checkChosen compares rows that were chosen, their regions and parts of them with an array.
func checkChosen(t *testing.T, rng *rand.Rand, src npy.Source, want *npy.Array) {
	t.Helper()
	ctx := context.Background()
	if want.Len() == 0 {
		return
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := (npy.Copier{}).WriteFile(ctx, path, src); err != nil {
		t.Fatal(err)
	}
	if got := must(npy.ReadFile(path)); !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Error("a copy of the rows has other elements")
	}
	low := rng.IntN(want.Len())
	index := npy.Span(low, low+1+rng.IntN(want.Len()-low)).By(1 + rng.IntN(3))
	part := must(src.Select(index))
	if got, want := must(part.ReadAll(ctx)), must(want.Slice(index)); !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Error("a part of the rows has other elements")
	}
	r := must(npy.RegionsOf(ctx, part))
	if r == nil {
		return
	}
	whole, n := must(part.ReadAll(ctx)), 0
	for x := range r.All {
		n += x.Size()
		if x.Value != nil && !bytes.Equal(must(whole.Slice(x.Index()...)).Bytes(), bytes.Repeat(x.Value.Bytes(), x.Size())) {
			t.Errorf("the region at %v has other elements than its value", x.Origin)
		}
	}
	if n != whole.Size() {
		t.Errorf("regions of %d elements of %d", n, whole.Size())
	}
}

// 2**50 rows are grouped, chosen and summarised at once. The chosen rows are not held in memory.
func TestEndlessRegions(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("a machine of 32 bits cannot address the array")
	}
	ctx := context.Background()
	src := endless{math.MaxInt>>13 + 1, 7}
	g := query.Group{By: []query.Key{{Field: "x"}}, Aggs: must(query.ParseAggs("count,mean:x,std:x,min:x"))}
	rows := must(g.Of(ctx, src))
	if got := rows.String(); !bytes.Contains([]byte(got), []byte("1125899906842624")) {
		t.Errorf("groups %s", got)
	}
	for expr, n := range map[string]int{"x > 5": math.MaxInt>>13 + 1, "x > 7": 0} {
		chosen := must(query.Filter(ctx, src, expr))
		if got := chosen.Shape()[0]; got != n {
			t.Errorf("%s: %d rows, want %d", expr, got, n)
		}
		if s := must(stats.Of(ctx, chosen)); s[0].Count != int64(n) {
			t.Errorf("%s: statistics of %d rows", expr, s[0].Count)
		}
		var over *npy.LimitError
		if _, err := chosen.ReadAll(ctx); n > 0 && !errors.As(err, &over) {
			t.Errorf("%s: reading all rows: error %v", expr, err)
		}
	}
	top := must(query.Sort{}.Top(ctx, src, 3))
	if got := must(npy.As[int64](top)).ToSlice(); !slices.Equal(got, []int64{7, 7, 7}) {
		t.Errorf("the first rows are %v", got)
	}
}

// endless is an array of n times one int64, which cannot be read.
type endless struct {
	n     int
	value int64
}

func (e endless) DType() dtype.Type                       { return dtype.Int64 }
func (e endless) Shape() []int                            { return []int{e.n} }
func (e endless) Select(...npy.Index) (npy.Source, error) { return e, nil }
func (e endless) ReadAll(context.Context) (*npy.Array, error) {
	return nil, errors.New("the array was read")
}
func (e endless) CheckBytes(n int64) error {
	if n > 1<<30 {
		return &npy.LimitError{Name: "MaxRatio"}
	}
	return nil
}
func (e endless) Blocks(context.Context, int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) { yield(nil, errors.New("the blocks were read")) }
}
func (e endless) Regions(context.Context) (*npy.Regions, error) {
	value := must(must(npy.FromSlice([]int64{e.value})).Reshape())
	return &npy.Regions{Constant: e.n, All: func(yield func(npy.Region) bool) {
		yield(npy.Region{Origin: []int{0}, Shape: []int{e.n}, Value: value})
	}}, nil
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
