package stats_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/stats"
)

// bytesOf returns the bytes of all results.
func bytesOf(t testing.TB, acc *stats.AxisAccumulator) string {
	t.Helper()
	x, err := acc.Result()
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, a := range []*npy.Array{x.Mean, x.Std, x.Min, x.Max, x.Sum} {
		switch {
		case a == nil:
			out += "-"
		case a.DType().HasObject():
			out += fmt.Sprint(a.Shape(), a)
		default:
			out += fmt.Sprint(a.Shape()) + string(a.Bytes())
		}
	}
	return out
}

func sentAxis(t testing.TB, acc *stats.AxisAccumulator) *stats.AxisAccumulator {
	t.Helper()
	data, err := acc.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	out := new(stats.AxisAccumulator)
	if err := out.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if again, err := out.MarshalBinary(); err != nil || string(again) != string(data) {
		t.Errorf("%d bytes come back as %d others, %v", len(data), len(again), err)
	}
	return out
}

// axisPieces returns the summaries of pieces along the first axis.
func axisPieces(t testing.TB, r *rand.Rand, dt dtype.Type, along stats.Along, inner []int, data []byte, rows int) (accs []*stats.AxisAccumulator) {
	t.Helper()
	row := len(data) / rows
	for at := 0; at < rows; {
		n := min(1+r.IntN(rows), rows-at)
		acc, err := along.New(format.Header{DType: dt, Shape: append([]int{n}, inner...)})
		if err != nil {
			t.Fatal(err)
		}
		acc.Add(data[at*row : (at+n)*row])
		accs = append(accs, acc)
		at += n
	}
	return accs
}

func mergeAxes(t testing.TB, r *rand.Rand, accs []*stats.AxisAccumulator) *stats.AxisAccumulator {
	t.Helper()
	accs = slices.Clone(accs)
	for i := range accs {
		accs[i] = sentAxis(t, accs[i])
	}
	for len(accs) > 1 {
		i := r.IntN(len(accs))
		one := accs[i]
		accs = slices.Delete(accs, i, i+1)
		into := r.IntN(len(accs))
		if r.IntN(2) == 0 {
			one = sentAxis(t, one)
		}
		if err := accs[into].Merge(one); err != nil {
			t.Fatal(err)
		}
	}
	return accs[0]
}

// Summaries of pieces along axes have the same bits in whatever order and groups they are merged. They equal the whole
// array's: exactly for integers and times, and nearly for floats.
func TestAxisMergeAnyWay(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	rounds := 300
	if testing.Short() {
		rounds = 80
	}
	types := strings.Fields("<f8 >f8 <f4 |b1 |i1 <i4 >i8 <u8 <M8[D] <m8[s] int4 bfloat16")
	for round := range rounds {
		dt := parse(t, types[round%len(types)])
		inner := [][]int{{7}, {2, 30}, {40, 3}, {}}[r.IntN(4)]
		rows, n := 1+r.IntN(20), 1
		for _, d := range inner {
			n *= d
		}
		along := stats.Along{Axes: []int{0}, Mean: r.IntN(2) == 0, Std: r.IntN(2) == 0, Min: r.IntN(2) == 0, Max: r.IntN(2) == 0, Sum: r.IntN(2) == 0}
		if len(inner) == 2 && r.IntN(2) == 0 {
			along.Axes = append(along.Axes, 1+r.IntN(2))
		}
		data := mergedItems(r, dt, rows*n)
		accs := axisPieces(t, r, dt, along, inner, data, rows)
		got := mergeAxes(t, r, accs)
		for range 3 {
			if again := mergeAxes(t, r, accs); bytesOf(t, again) != bytesOf(t, got) {
				t.Fatalf("round %d, %s, %+v: another order gives other results", round, dt, along)
			}
		}
		whole, err := along.New(format.Header{DType: dt, Shape: append([]int{rows}, inner...)})
		if err != nil {
			t.Fatal(err)
		}
		whole.Add(data)
		if k := dt.Kind(); k != dtype.KindFloat && dt.Name() != "bfloat16" && bytesOf(t, got) != bytesOf(t, whole) {
			t.Fatalf("round %d, %s, %+v: merged results are not those of the whole", round, dt, along)
		}
	}
}

// Merged floats have the sums and deviations of exact arithmetic.
func TestAxisMergeIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	xs := make([]float64, 60*8)
	for i := range xs {
		switch i % 8 {
		case 0:
			xs[i] = r.NormFloat64()
		case 1:
			xs[i] = 1e9 + r.NormFloat64()
		case 2:
			xs[i] = 0.1
		case 3:
			xs[i] = []float64{1e16, 1, -1e16, 3}[i/8%4]
		default:
			xs[i] = r.NormFloat64() * math.Exp2(float64(r.IntN(100)-50))
		}
	}
	a := array(t, xs...)
	x, err := mergeAxes(t, r, axisPieces(t, r, a.DType(), stats.Along{Axes: []int{0}}, []int{8}, a.Bytes(), 60)).Result()
	if err != nil {
		t.Fatal(err)
	}
	sums, stds, means, lows := asFloats(t, x.Sum), asFloats(t, x.Std), asFloats(t, x.Mean), asFloats(t, x.Min)
	for k := range sums {
		numbers := numbersOf(xs, []int{60, 8}, []int{0}, k)
		sum, mean, std := exactFloats(numbers)
		if sums[k] != sum || means[k] != mean || lows[k] != slices.Min(numbers) || math.Abs(stds[k]-std) > 1e-15*std {
			t.Errorf("result %d: sum %v, mean %v, min %v, std %v, want %v, %v", k, sums[k], means[k], lows[k], stds[k], sum, std)
		}
	}
}

func TestAxisMergeErrors(t *testing.T) {
	of := func(along stats.Along, dt dtype.Type, shape ...int) *stats.AxisAccumulator {
		h := format.Header{DType: dt, Shape: shape}
		acc := must(along.New(h))
		acc.Add(make([]byte, h.NBytes()))
		return acc
	}
	acc := of(stats.Along{Axes: []int{0}}, dtype.Int8, 2, 3)
	for name, other := range map[string]*stats.AxisAccumulator{
		"dtype": of(stats.Along{Axes: []int{0}}, dtype.Uint8, 2, 3), "shape": of(stats.Along{Axes: []int{0}}, dtype.Int8, 2, 4),
		"wants": of(stats.Along{Axes: []int{0}, Min: true}, dtype.Int8, 2, 3), "zero": new(stats.AxisAccumulator),
	} {
		if err := acc.Merge(other); err == nil || !strings.Contains(err.Error(), "differ") {
			t.Errorf("another %s: %v", name, err)
		}
	}
	short := must(stats.NewAxis(format.Header{DType: dtype.Int8, Shape: []int{2, 3}}, 0))
	if err := acc.Merge(short); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("missing data: %v", err)
	}
	if _, err := short.MarshalBinary(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("missing data as bytes: %v", err)
	}
	if _, err := new(stats.AxisAccumulator).MarshalBinary(); err == nil {
		t.Error("the zero AxisAccumulator has bytes")
	}
}

// axisStates are the bytes of summaries of all kinds.
func axisStates(t testing.TB, r *rand.Rand) (states [][]byte) {
	t.Helper()
	for _, descr := range strings.Fields("<f8 <f4 |b1 >i4 <u8 <M8[D]") {
		dt := parse(t, descr)
		for _, along := range []stats.Along{{}, {Axes: []int{0}}, {Axes: []int{1}, Mean: true}, {Axes: []int{0}, Min: true}} {
			acc := must(along.New(format.Header{DType: dt, Shape: []int{5, 3}}))
			acc.Add(mergedItems(r, dt, 15))
			states = append(states, must(acc.MarshalBinary()))
		}
	}
	return states
}

// Damaged bytes are an error or the state of another array, and never a panic.
func FuzzUnmarshalAxis(f *testing.F) {
	for _, state := range axisStates(f, rand.New(rand.NewPCG(95, 96))) {
		f.Add(state)
	}
	f.Fuzz(func(t *testing.T, data []byte) { useAxis(t, data) })
}

func useAxis(t *testing.T, data []byte) {
	t.Helper()
	acc := new(stats.AxisAccumulator)
	if acc.UnmarshalBinary(data) != nil {
		return
	}
	for range 3 {
		acc.Add([]byte{1, 2})
		if x, err := acc.Result(); err == nil {
			_ = fmt.Sprint(x)
		}
		_ = acc.Merge(acc)
	}
	if _, err := acc.MarshalBinary(); err != nil {
		t.Error(err)
	}
}

func TestUnmarshalAxisDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(97, 98))
	for _, state := range axisStates(t, r) {
		for n := range state {
			if err := new(stats.AxisAccumulator).UnmarshalBinary(state[:n]); err == nil {
				t.Errorf("%d of %d bytes are no error", n, len(state))
			}
		}
		for range oracle.Cases(t, 1000) {
			changed := slices.Clone(state)
			for range 1 + r.IntN(3) {
				changed[r.IntN(len(changed))] ^= 1 << r.IntN(8)
			}
			useAxis(t, changed)
		}
	}
	many := "npyaxis\x01\x03<f8\x1f\x00\x01\x01\xff\xff\xff\x7f" + strings.Repeat("\x00", 100)
	if err := new(stats.AxisAccumulator).UnmarshalBinary([]byte(many)); err == nil {
		t.Error("2**28 results in 100 bytes are no error")
	}
}

// The results of pieces that are cut along an axis that is kept equal the whole array's.
func TestAxisAppend(t *testing.T) {
	r := rand.New(rand.NewPCG(95, 96))
	for _, descr := range strings.Fields("<f8 <f4 |b1 >i8 <u8 <M8[D]") {
		dt := parse(t, descr)
		along := stats.Along{Axes: []int{1}}
		data := mergedItems(r, dt, 30*4*5)
		inner := []int{4, 5}
		whole, err := along.New(format.Header{DType: dt, Shape: append([]int{30}, inner...)})
		if err != nil {
			t.Fatal(err)
		}
		whole.Add(data)
		accs := axisPieces(t, r, dt, along, inner, data, 30)
		for i := range accs {
			accs[i] = sentAxis(t, accs[i])
		}
		if err := accs[0].Append(accs[1:]...); err != nil {
			t.Fatal(err)
		}
		if bytesOf(t, accs[0]) != bytesOf(t, sentAxis(t, whole)) {
			t.Errorf("%s: %d pieces have other results than the whole array", descr, len(accs))
		}
		other, err := along.New(format.Header{DType: dt, Shape: []int{0, 4, 6}})
		if err != nil {
			t.Fatal(err)
		}
		flat, err := stats.Along{}.New(format.Header{DType: dt, Shape: []int{0}})
		if err != nil {
			t.Fatal(err)
		}
		if whole.Append(other) == nil || flat.Append(flat) == nil || whole.Append(new(stats.AxisAccumulator)) == nil {
			t.Error("no error for results of other shapes")
		}
	}
}
