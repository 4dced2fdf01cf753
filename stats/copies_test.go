package stats_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/source"
	"github.com/npygo/npy/stats"
)

// mostlyEqual returns an array of a dtype and a shape of about n elements, most of which are one of two values.
func mostlyEqual(t *testing.T, rng *rand.Rand, dt dtype.Type, shape []int) *npy.Array {
	t.Helper()
	a := must(npy.New(dt, shape...))
	data, _ := a.ViewBytes()
	size := dt.ItemSize()
	values := make([]byte, 2*size)
	for i := range values {
		values[i] = byte(rng.Uint32())
	}
	if rng.IntN(3) == 0 { // random bytes as floats are seldom ordinary
		clear(values[:size])
	}
	n := len(data) / size
	cut := rng.IntN(n)
	for i := range n {
		value := values[:size]
		if i > cut {
			value = values[size:]
		}
		copy(data[i*size:], value)
	}
	for range rng.IntN(5) { // some others
		at := rng.IntN(n)
		for i := range data[at*size : min(at+1+rng.IntN(2000), n)*size] {
			data[at*size+i] = byte(rng.Uint32())
		}
	}
	if dt.Kind() == dtype.KindFloat && rng.IntN(2) == 0 {
		x := must(npy.As[float64](must(a.AsType(dtype.Float64)))).ToSlice()
		for i := range x {
			if x[i] != x[i] || math.Abs(x[i]) > 1e30 {
				x[i] = 1.5
			}
		}
		a = must(must(npy.FromSlice(x, shape...)).Cast(dt, npy.UnsafeCasting))
	}
	return a
}

// Statistics of arrays that know their equal elements are the same as without that knowledge, to the last bit.
func TestRegionsAreCounted(t *testing.T) {
	rng := oracle.Rand(t)
	ctx := context.Background()
	types := []dtype.Type{dtype.Float64, dtype.Float32, dtype.Int16, dtype.Uint64, dtype.Int64, dtype.Bool, dtype.Complex64, must(dtype.Parse("<M8[s]")), must(dtype.Parse("<m8[ms]")), dtype.Bytes(5), must(dtype.Parse("i4,(2)f4,S3"))}
	counted, first := 0, rng.IntN(len(types))
	for i := range oracle.Cases(t, 5) {
		dt := types[(first+i)%len(types)]
		n := 5<<18/dt.ItemSize() + rng.IntN(1<<20/dt.ItemSize())
		shape := [][]int{{n}, {n/100 + 1, 100}, {7, n/7 + 1}, {n/60 + 1, 3, 20}}[rng.IntN(1+3*min(i, 1))] // the first array has runs that are surely counted
		a := mostlyEqual(t, rng, dt, shape)
		if i > 0 && rng.IntN(4) == 0 {
			a = a.T()
		}
		src := npytest.Regioned(a, 1<<62)
		if runs, err := source.Runs(ctx, src, source.RunOptions{}); err != nil {
			t.Fatal(err)
		} else if runs != nil {
			counted++
		}
		same := func(what string, got, want any, err, wantErr error) {
			t.Helper()
			if fmt.Sprint(got, err) != fmt.Sprint(want, wantErr) || (err == nil) != (wantErr == nil) {
				t.Fatalf("case %d: %s of dtype %s and shape %v:\n%.2000v, %v\nwant\n%.2000v, %v", i, what, dt, a.Shape(), got, err, want, wantErr)
			}
		}
		got, err := stats.Of(ctx, src)
		want, wantErr := stats.Of(ctx, a)
		same("statistics", got, want, err, wantErr)
		if !reflect.DeepEqual(got, want) && !dt.IsStruct() && dt.Kind() != dtype.KindFloat && dt.Kind() != dtype.KindComplex {
			t.Fatalf("case %d: statistics differ", i)
		}
		q, err := stats.QuantilesOf(ctx, src, 0, 0.1, 0.5, 0.9999, 1)
		wantQ, wantErr := stats.QuantilesOf(ctx, a, 0, 0.1, 0.5, 0.9999, 1)
		same("quantiles", q, wantQ, err, wantErr)
		h, err := stats.HistogramOf(ctx, src, 10)
		wantH, wantErr := stats.HistogramOf(ctx, a, 10)
		same("histogram", h, wantH, err, wantErr)
		h, err = stats.HistogramIn(ctx, src, []float64{-1, 0, 1, 100})
		wantH, wantErr = stats.HistogramIn(ctx, a, []float64{-1, 0, 1, 100})
		same("histogram between edges", h, wantH, err, wantErr)
		axes := stats.Along{}
		for axis := range shape {
			if rng.IntN(2) == 0 {
				axes.Axes = append(axes.Axes, axis)
			}
		}
		x, err := axes.Of(ctx, src)
		wantX, wantErr := axes.Of(ctx, a)
		same(fmt.Sprintf("axes %v", axes.Axes), axisText(x), axisText(wantX), err, wantErr)
	}
	if counted == 0 {
		t.Errorf("only %d arrays were counted", counted)
	}
}

// axisText prints the results. Sums of two float64 that are added in another order may differ in their last bits.
func axisText(x stats.Axis) string {
	var text strings.Builder
	for _, a := range []*npy.Array{x.Mean, x.Std, x.Min, x.Max, x.Sum} {
		if a == nil {
			continue
		}
		fmt.Fprint(&text, a.Shape(), a.DType())
		if a.DType().HasObject() {
			fmt.Fprint(&text, must(a.Objects()))
			continue
		}
		if a.DType().Kind() != dtype.KindFloat {
			fmt.Fprintf(&text, " %x", a.Bytes())
			continue
		}
		for _, v := range must(npy.As[float64](a)).ToSlice() {
			fmt.Fprintf(&text, " %.14g", v)
		}
	}
	return text.String()
}

// An array of 2**50 elements is summarised at once, and along an axis if the results are few.
func TestEndlessRegions(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("a machine of 32 bits cannot address the array")
	}
	ctx := context.Background()
	src := endless{[]int{1 << 10, math.MaxInt>>23 + 1}, 7}
	s := must(stats.Of(ctx, src))[0]
	if s.Count != 1<<50 || s.Sum.String() != fmt.Sprint(int64(7<<50)) || s.Min.String() != "7" || s.Mean.Float64() != 7 || s.Std.Float64() != 0 || fmt.Sprint(s.ArgMin, s.ArgMax) != "[0 0] [0 0]" {
		t.Errorf("%+v", s)
	}
	if q := must(stats.QuantilesOf(ctx, src, 0.5)); q[0].Values[0].String() != "7" {
		t.Errorf("median %v", q)
	}
	if h := must(stats.HistogramOf(ctx, src, 2)); h.Counts[1] != 1<<50 {
		t.Errorf("%v", h)
	}
	x := must(stats.AxisOf(ctx, src, 1))
	if got := must(npy.As[int64](x.Sum)).ToSlice(); len(got) != 1<<10 || got[5] != 7<<40 {
		t.Errorf("sums %v", got[:6])
	}
	var over *npy.LimitError
	if _, err := stats.AxisOf(ctx, src, 0); !errors.As(err, &over) || over.Name != "MaxRatio" {
		t.Errorf("2**40 results: error %v", err)
	}
}

// endless is an array of int64 of one value, which cannot be read.
type endless struct {
	shape []int
	value int64
}

func (e endless) DType() dtype.Type { return dtype.Int64 }
func (e endless) Shape() []int      { return append([]int{}, e.shape...) }
func (e endless) Select(...npy.Index) (npy.Source, error) {
	return nil, errors.New("a part was selected")
}
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
	size := 1
	for _, n := range e.shape {
		size *= n
	}
	value := must(npy.FromSlice([]int64{e.value}))
	value = must(value.Reshape())
	return &npy.Regions{Constant: size, All: func(yield func(npy.Region) bool) {
		yield(npy.Region{Origin: make([]int, len(e.shape)), Shape: e.shape, Value: value})
	}}, nil
}
