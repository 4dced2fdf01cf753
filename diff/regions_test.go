package diff_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/source"
)

// patched returns an array most of whose elements are equal.
func patched(t *testing.T, rng *rand.Rand, dt dtype.Type, shape []int) *npy.Array {
	t.Helper()
	a := must(npy.New(dt, shape...))
	data, _ := a.ViewBytes()
	size := dt.ItemSize()
	n := len(data) / size
	for at := 0; at < n; {
		value := make([]byte, size)
		for i := range value {
			value[i] = byte(rng.IntN(3))
		}
		end := min(at+1+rng.IntN(1+n*(rng.IntN(3)/2+1)/2), n)
		for ; at < end; at++ {
			copy(data[at*size:], value)
		}
	}
	for range rng.IntN(4) {
		at := rng.IntN(n)
		for i := range data[at*size : min(at+1+rng.IntN(500), n)*size] {
			data[at*size+i] = byte(rng.IntN(3))
		}
	}
	return a
}

// A comparison of arrays that know their equal elements has the same result as a comparison of arrays that do not.
func TestRegionsAreCounted(t *testing.T) {
	rng := oracle.Rand(t)
	ctx := context.Background()
	types := []dtype.Type{dtype.Float64, dtype.Int32, dtype.Bytes(3), dtype.Complex64, must(dtype.Parse("i4,(2)f4,S3")), dtype.Uint8}
	counted := 0
	for i := range oracle.Cases(t, 12) {
		dt := types[i%len(types)]
		n := 5<<18/dt.ItemSize() + rng.IntN(1<<20/dt.ItemSize())
		shape := [][]int{{n}, {n/100 + 1, 100}, {n/60 + 1, 3, 20}}[rng.IntN(1+2*min(i, 1))] // the first array has runs that are surely counted
		a, b := patched(t, rng, dt, shape), patched(t, rng, dt, shape)
		x, y := npy.Source(npytest.Regioned(a, 1<<62)), npy.Source(npytest.Regioned(b, 1<<62))
		if runs := must(source.Runs(ctx, x, source.RunOptions{})); runs != nil {
			counted++
		}
		switch rng.IntN(3) {
		case 0:
			x = a
		case 1:
			y = b
		}
		o := diff.Options{Max: rng.IntN(20) - 1, ATol: float64(rng.IntN(2)), NaNsDiffer: rng.IntN(2) == 0}
		got, err := diff.Compare(ctx, x, y, o)
		want, wantErr := diff.Compare(ctx, a, b, o)
		if err != nil || wantErr != nil || textOf(got) != textOf(want) {
			t.Fatalf("case %d: dtype %s, shape %v, %+v:\n%s, %v\nwant\n%s, %v", i, dt, shape, o, textOf(got), err, textOf(want), wantErr)
		}
	}
	if counted == 0 {
		t.Error("no array was counted")
	}
}

// textOf prints a result with all mismatches.
func textOf(r *diff.Result) string {
	if r == nil {
		return ""
	}
	text := fmt.Sprint(r.Changed, r.Stored, r.OnlyA, r.OnlyB)
	for _, f := range r.Fields {
		text += fmt.Sprintf("\n%s %s %s %s %d %d %d %d %v", f.Name, f.A, f.B, f.Incomparable, f.Count, f.Different, f.Close, f.NaNs, f.First)
		for _, m := range []*diff.Mismatch{f.WorstAbs, f.WorstRel, f.WorstULPs} {
			if m != nil {
				text += fmt.Sprintf(" %+v", *m)
			}
		}
	}
	return text
}

// Arrays of 2**50 elements are compared at once.
func TestEndlessRegions(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("a machine of 32 bits cannot address the array")
	}
	ctx := context.Background()
	a, b := endless{math.MaxInt>>13 + 1, 7}, endless{math.MaxInt>>13 + 1, 9}
	if r := must(diff.Compare(ctx, a, a, diff.Options{})); !r.Equal() {
		t.Errorf("%+v", r)
	}
	r := must(diff.Compare(ctx, a, b, diff.Options{Max: 3}))
	f := r.Fields[0]
	if f.Count != 1<<50 || f.Different != 1<<50 || len(f.First) != 3 || fmt.Sprint(f.First[2].Index) != "[2]" || f.WorstAbs.Abs.Float64() != 2 || fmt.Sprint(f.WorstAbs.Index) != "[0]" {
		t.Errorf("%+v", f)
	}
}

// endless is an array of n times one int64, which cannot be read.
type endless struct {
	n     int
	value int64
}

func (e endless) DType() dtype.Type { return dtype.Int64 }
func (e endless) Shape() []int      { return []int{e.n} }
func (e endless) Select(...npy.Index) (npy.Source, error) {
	return nil, errors.New("a part was selected")
}
func (e endless) ReadAll(context.Context) (*npy.Array, error) {
	return nil, errors.New("the array was read")
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
