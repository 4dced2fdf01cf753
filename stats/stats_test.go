package stats_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/stats"
)

func parse(t testing.TB, text string) dtype.Type {
	t.Helper()
	dt, err := dtype.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return dt
}

func array[T npy.Element](t testing.TB, xs ...T) *npy.Array {
	t.Helper()
	a, err := npy.FromSlice(xs)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func arrayAs[T npy.Element](t testing.TB, dt string, xs ...T) *npy.Array {
	t.Helper()
	a, err := npy.FromSliceAs(parse(t, dt), xs)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// longDoubles returns numbers as a dtype of 12 or 16 bytes.
func longDoubles(t testing.TB, dt string, xs ...float64) *npy.Array {
	t.Helper()
	to := parse(t, dt)
	var data []byte
	for _, x := range xs {
		item := make([]byte, to.ItemSize())
		if err := scalar.LongDoubleFromFloat64(x).PutBytes(item, to.ByteOrder() == dtype.BigEndian); err != nil {
			t.Fatal(err)
		}
		data = append(data, item...)
	}
	return mustBytes(t, to, data)
}

// line returns the text of all fields of a Stats.
func line(s stats.Stats) string {
	out := fmt.Sprintf("n=%d", s.Count)
	for _, c := range []struct {
		name string
		n    int64
	}{{"nan", s.NaNs}, {"inf", s.Infs}, {"nat", s.NaTs}, {"zeros", s.Zeros}, {"trues", s.Trues}, {"empty", s.Empty}, {"minlen", int64(s.MinLen)}, {"maxlen", int64(s.MaxLen)}} {
		if c.n != 0 {
			out += fmt.Sprintf(" %s=%d", c.name, c.n)
		}
	}
	for _, v := range []struct {
		name string
		v    stats.Value
	}{{"min", s.Min}, {"max", s.Max}, {"sum", s.Sum}, {"mean", s.Mean}, {"std", s.Std}} {
		if v.v.IsValid() {
			out += " " + v.name + "=" + v.v.String()
		}
	}
	return out
}

func TestOf(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		name string
		why  string
		in   *npy.Array
		want string
	}{
		{"floats", "", array(t, 1.0, 2, 3, 4), "n=4 min=1.0 max=4.0 sum=10.0 mean=2.5 std=1.118033988749895"},
		{"nothing", "there is no mean of nothing", array[float64](t), "n=0 sum=0.0"},
		{"only NaN", "as numpy.nansum", array(t, nan, nan), "n=2 nan=2 sum=0.0"},
		{"NaN among numbers", "", array(t, nan, 1, nan, 3), "n=4 nan=2 min=1.0 max=3.0 sum=4.0 mean=2.0 std=1.0"},
		{"an infinity", "", array(t, 1, inf), "n=2 inf=1 min=1.0 max=inf sum=inf mean=inf std=nan"},
		{"both infinities", "", array(t, -inf, 0, inf, nan), "n=4 nan=1 inf=2 zeros=1 min=-inf max=inf sum=nan mean=nan std=nan"},
		{"only infinities", "", array(t, -inf, -inf), "n=2 inf=2 min=-inf max=-inf sum=-inf mean=-inf std=nan"},
		{"terms that cancel", "a plain sum gives 0", array(t, 1e16, 1, -1e16), "n=3 min=-1e+16 max=1e+16 sum=1.0 mean=0.3333333333333333 std=8164965809277260.0"},
		{"small and large", "", array(t, 1e100, 1, -1e100, 1), "n=4 min=-1e+100 max=1e+100 sum=2.0 mean=0.5 std=7.071067811865475e+99"},
		{"a large mean", "Σx²-(Σx)²/n gives 0 or less", array(t, 1e9+4, 1e9+7, 1e9+13, 1e9+16), "n=4 min=1000000004.0 max=1000000016.0 sum=4000000040.0 mean=1000000010.0 std=4.743416490252569"},
		{"a sum beyond float64", "the mean is not", array(t, 1.5e308, 1.5e308), "n=2 min=1.5e+308 max=1.5e+308 sum=inf mean=1.5e+308 std=0.0"},
		{"squares beyond float64", "", array(t, 1e200, -1e200), "n=2 min=-1e+200 max=1e+200 sum=0.0 mean=0.0 std=1e+200"},
		{"float32 is added as float64", "", array[float32](t, 16777216, 1), "n=2 min=1.0 max=16777216.0 sum=16777217.0 mean=8388608.5 std=8388607.5"},
		{"float16", "", array(t, scalar.Float16FromFloat64(0.5), scalar.Float16FromFloat64(-2)), "n=2 min=-2.0 max=0.5 sum=-1.5 mean=-0.75 std=1.25"},
		{"int4", "", array(t, scalar.Int4(0xf8), scalar.Int4(0x7), scalar.Int4(0)), "n=3 zeros=1 min=-8 max=7 sum=-1 mean=-0.3333333333333333 std=6.128258770283412"},
		{"uint2", "", array(t, scalar.Uint2(0xff), scalar.Uint2(1)), "n=2 min=1 max=3 sum=4 mean=2.0 std=1.0"},
		{"float8_e4m3fn", "", array(t, scalar.Float8E4M3FN(0x38), scalar.Float8E4M3FN(0xff)), "n=2 nan=1 min=1.0 max=1.0 sum=1.0 mean=1.0 std=0.0"},
		{"bfloat16", "", array(t, scalar.BFloat16FromFloat64(0.5), scalar.BFloat16FromFloat64(-2)), "n=2 min=-2.0 max=0.5 sum=-1.5 mean=-0.75 std=1.25"},
		{"float8", "", array(t, scalar.Float8E5M2FromFloat64(0.5), scalar.Float8E5M2FromFloat64(-2)), "n=2 min=-2.0 max=0.5 sum=-1.5 mean=-0.75 std=1.25"},
		{"long double", "", array(t, scalar.LongDoubleFromFloat64(0.5), scalar.LongDoubleFromFloat64(-2)), "n=2 min=-2.0 max=0.5 sum=-1.5 mean=-0.75 std=1.25"},
		{"big-endian long double", "", longDoubles(t, ">f16", 0.5, -2), "n=2 min=-2.0 max=0.5 sum=-1.5 mean=-0.75 std=1.25"},
		{"i386 long double", "", longDoubles(t, "<f12", 0.5, -2), "n=2 min=-2.0 max=0.5 sum=-1.5 mean=-0.75 std=1.25"},
		{"complex", "", array[complex128](t, 1+2i, 3-2i), "n=2 sum=4+0j mean=2+0j std=2.23606797749979"},
		{"complex with NaN and inf", "", array[complex128](t, complex(nan, inf), complex(1, inf), 0, 2), "n=4 nan=1 inf=1 zeros=1 sum=3+infj mean=1+infj std=nan"},
		{"bools", "any byte but 0 is true", mustBytes(t, dtype.Bool, []byte{0, 1, 255, 0}), "n=4 zeros=2 trues=2 sum=2 mean=0.5 std=0.5"},
		{"int8", "", array[int8](t, -128, 127, 0), "n=3 zeros=1 min=-128 max=127 sum=-1 mean=-0.3333333333333333 std=104.10358089689113"},
		{"int64 extremes", "all digits, where float64 has 53 bits", array[int64](t, math.MaxInt64, math.MaxInt64, math.MaxInt64-1), "n=3 min=9223372036854775806 max=9223372036854775807 sum=27670116110564327420 mean=9.223372036854776e+18 std=0.4714045207910317"},
		{"int64 of both signs", "", array[int64](t, math.MinInt64, math.MinInt64, 1), "n=3 min=-9223372036854775808 max=1 sum=-18446744073709551615 mean=-6.148914691236517e+18 std=4.3479392751109274e+18"},
		{"uint64 extremes", "", array[uint64](t, math.MaxUint64, 0, math.MaxUint64), "n=3 zeros=1 min=0 max=18446744073709551615 sum=36893488147419103230 mean=1.2297829382473034e+19 std=8.695878550221855e+18"},
		{"uint32 squares", "", array[uint32](t, math.MaxUint32, math.MaxUint32, math.MaxUint32), "n=3 min=4294967295 max=4294967295 sum=12884901885 mean=4294967295.0 std=0.0"},
		{"no integers", "", array[int32](t), "n=0 sum=0"},
		{"times", "", arrayAs(t, "<M8[D]", scalar.Datetime64(0), scalar.NaT, 18262), "n=3 nat=1 min=1970-01-01 max=2020-01-01 mean=1995-01-01"},
		{"only NaT", "", arrayAs(t, "<M8[D]", scalar.Datetime64(scalar.NaT)), "n=1 nat=1"},
		{"times behind NaT", "", arrayAs(t, ">M8[Y]", scalar.Datetime64(scalar.NaT), -3), "n=2 nat=1 min=1967 max=1967 mean=1967"},
		{"spans", "", arrayAs(t, "<m8[s]", scalar.Timedelta64(0), -5, scalar.NaT), "n=3 nat=1 zeros=1 min=-5 seconds max=0 seconds sum=-5 seconds mean=-2 seconds"},
		{"str", "in characters, without what pads them", array(t, "", "añb", "a\x00c", "xyzä"), "n=4 empty=1 maxlen=4"},
		{"bytes", "", array(t, []byte("ab"), []byte("abcd")), "n=2 minlen=2 maxlen=4"},
		{"void", "bytes without a meaning", mustBytes(t, dtype.Void(3), make([]byte, 6)), "n=2"},
	} {
		got, err := stats.Of(context.Background(), tt.in)
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %d stats, %v", tt.name, len(got), err)
			continue
		}
		if text := line(got[0]); text != tt.want {
			t.Errorf("%s (%s):\n got %s\nwant %s", tt.name, tt.why, text, tt.want)
		}
	}
}

func mustBytes(t testing.TB, dt dtype.Type, data []byte) *npy.Array {
	t.Helper()
	n := 0
	if dt.ItemSize() > 0 {
		n = len(data) / dt.ItemSize()
	}
	a, err := npy.FromBytes(dt, data, n)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestFields(t *testing.T) {
	dt, err := dtype.ParseDescr("[('a', '|i1'), ('s', [('x', '>i2', (2,)), ('y', '|u1')], (2,)), ('', '|V1'), ('none', '|S0'), ('hole', '<f8', (0,))]")
	if err != nil {
		t.Fatal(err)
	}
	item := func(a byte) []byte { return []byte{a, 0, 1, 0, 2, 7, 0, 3, 0, 4, 9, 99} }
	a := mustBytes(t, dt, append(item(5), item(0xff)...))
	got, err := stats.Of(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a |i1 n=2 min=-1 max=5 sum=4 mean=2.0 std=3.0",
		"s.x >i2 n=8 min=1 max=4 sum=20 mean=2.5 std=1.118033988749895",
		"s.y |u1 n=4 min=7 max=9 sum=32 mean=8.0 std=1.0",
		"none |S0 n=2 empty=2",
		"hole <f8 n=0 sum=0.0",
	}
	for i, s := range got {
		if text := s.Field + " " + s.DType.Descr() + " " + line(s); i >= len(want) || text != want[i] {
			t.Errorf("field %d: %s, want %s", i, text, want[min(i, len(want)-1)])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d fields, want %d", len(got), len(want))
	}
}

// Views give the results of their copies, with any strides.
func TestViews(t *testing.T) {
	xs := randomFloats(2_400_000)
	a, err := npy.FromSlice(xs, 2, 3, 400_000)
	if err != nil {
		t.Fatal(err)
	}
	step, err := npy.ParseIndex("[:, ::2, ::-3]")
	if err != nil {
		t.Fatal(err)
	}
	part, err := a.Slice(step...)
	if err != nil {
		t.Fatal(err)
	}
	middle, err := a.T().Transpose(1, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	for name, view := range map[string]*npy.Array{"steps": part, "transposed": middle} {
		got, want := of(t, view), of(t, view.Clone())
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: view %v, copy %v", name, line(got[0]), line(want[0]))
		}
	}
	want := of(t, a)
	slices.Reverse(want[0].ArgMin)
	slices.Reverse(want[0].ArgMax)
	if got := of(t, a.T()); !reflect.DeepEqual(got, want) {
		t.Errorf("Fortran order: %v, want %v", line(got[0]), line(want[0]))
	}
	swapped, err := a.AsType(dtype.Float64.WithByteOrder(dtype.BigEndian))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := line(of(t, swapped)[0]), line(of(t, a)[0]); got != want {
		t.Errorf("big-endian: %v, want %v", got, want)
	}
}

func of(t testing.TB, a *npy.Array) []stats.Stats {
	t.Helper()
	all, err := stats.Of(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func randomFloats(n int) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = r.NormFloat64() * math.Exp(float64(r.IntN(20)))
		switch r.IntN(50_000) {
		case 0:
			xs[i] = math.NaN()
		case 1:
			xs[i] = 0
		}
	}
	return xs
}

// The answer depends neither on the number of processors nor on the pieces in which the data arrives.
func TestSameForAnyWorkersAndPieces(t *testing.T) {
	a := array(t, randomFloats(1_000_003)...)
	data, _ := a.ViewBytes()
	if data == nil {
		data = a.Bytes()
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := of(t, a)
	for _, procs := range []int{1, 2, 3, 4, 7} {
		runtime.GOMAXPROCS(procs)
		if got := of(t, a); !reflect.DeepEqual(got, want) {
			t.Errorf("%d processors: %s, want %s", procs, line(got[0]), line(want[0]))
		}
		for _, piece := range []int{1001, 1 << 20, 1<<20 + 3} {
			acc, err := stats.New(a.DType())
			if err != nil {
				t.Fatal(err)
			}
			for rest := data; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
				acc.Add(rest[:min(piece, len(rest))])
			}
			if got, err := acc.Result(); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%d processors, pieces of %d: %v, %v", procs, piece, got, err)
			}
		}
	}
}

// More data can be added after Result.
func TestResultTwice(t *testing.T) {
	acc, err := stats.New(dtype.Uint8)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"n=1 min=1 max=1 sum=1 mean=1.0 std=0.0", "n=2 min=1 max=2 sum=3 mean=1.5 std=0.5"} {
		acc.Add([]byte{byte(i + 1)})
		for range 2 {
			if got, err := acc.Result(); err != nil || line(got[0]) != want {
				t.Errorf("after %d: %v, %v, want %s", i+1, got, err, want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	if _, err := stats.New(dtype.Object); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("objects: %v", err)
	}
	if _, err := stats.New(dtype.Type{}); err == nil {
		t.Error("the zero Type: no error")
	}
	acc, err := stats.New(dtype.Float64)
	if err != nil {
		t.Fatal(err)
	}
	acc.Add(make([]byte, 11))
	if _, err := acc.Result(); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "after 3 of the 8 bytes of an element") {
		t.Errorf("within an element: %v", err)
	}
	acc.Add(make([]byte, 5))
	if got, err := acc.Result(); err != nil || got[0].Count != 2 {
		t.Errorf("the rest of it: %v, %v", got, err)
	}
}

// A shape that claims many elements costs nothing.
func TestHostile(t *testing.T) {
	const huge = 1 << 30
	for _, dt := range []string{"|S0", "<U0", "|V0", "[('a', '|S0'), ('b', '|V0')]"} {
		a, err := npy.FromBytes(parse(t, dt), nil, huge)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range of(t, a) {
			if s.Count != huge {
				t.Errorf("%s: count %d, want %d", dt, s.Count, huge)
			}
		}
	}
	a, err := npy.FromBytes(dtype.Float64, nil, 1<<27, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := of(t, a)[0]; got.Count != 0 {
		t.Errorf("(1<<27, 0): %v", line(got))
	}
	if _, err := stats.AxisOf(context.Background(), a, 1); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("Axis of (1<<27, 0): %v, want %v", err, npy.ErrLimit)
	}
	sub, err := dtype.ParseDescr("[('a', [('b', '|S0', (1000000000,))], (1000000000,))]")
	if err != nil {
		t.Skip("no such dtype:", err)
	}
	acc, err := stats.New(sub)
	if err != nil {
		t.Fatal(err)
	}
	acc.AddEmpty(1000)
	if _, err := acc.Result(); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("10**21 elements of no bytes: %v, want %v", err, npy.ErrLimit)
	}
}

func TestAxis(t *testing.T) {
	nan := math.NaN()
	a, err := npy.FromSlice([]float64{1, 2, nan, nan, 5, nan}, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for axis, want := range map[int]string{
		0:  "[1.  3.5 nan] [0.  1.5 nan] [ 1.  2. nan] [ 1.  5. nan]",
		1:  "[1.5 5. ] [0.5 0. ] [1. 5.] [2. 5.]",
		-1: "[1.5 5. ] [0.5 0. ] [1. 5.] [2. 5.]",
	} {
		along, err := stats.AxisOf(context.Background(), a, axis)
		mean, std, lo, hi := along.Mean, along.Std, along.Min, along.Max
		if got := fmt.Sprint(mean, std, lo, hi); err != nil || strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("axis %d: %s, %v, want %s", axis, got, err, want)
		}
	}
	for _, axis := range []int{2, -3} {
		if _, err := stats.AxisOf(context.Background(), a, axis); err == nil || !strings.Contains(err.Error(), "out of bounds") {
			t.Errorf("axis %d: %v", axis, err)
		}
	}
	if _, err := stats.AxisOf(context.Background(), array(t, "a"), 0); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("strings: %v", err)
	}
	for _, in := range []*npy.Array{
		array[int8](t, 1, 3), array[int16](t, 1, 3), array[int32](t, 1, 3), array[int64](t, 1, 3), array[uint8](t, 1, 3), array[uint16](t, 1, 3),
		array[uint32](t, 1, 3), array[uint64](t, 1, 3), array[float32](t, 1, 3), arrayAs(t, ">i4", int32(1), 3),
	} {
		along, err := stats.AxisOf(context.Background(), in, 0)
		mean, std, lo, hi := along.Mean, along.Std, along.Min, along.Max
		if got := strings.ReplaceAll(fmt.Sprint(mean, std, lo, hi), "1.0 3.0", "1 3"); err != nil || got != "2.0 1.0 1 3" {
			t.Errorf("%s: %s, %v", in.DType(), got, err)
		}
	}
	if along, err := stats.AxisOf(context.Background(), mustBytes(t, dtype.Bool, []byte{0, 2}), 0); err != nil || along.Mean.String() != "0.5" {
		t.Errorf("bools: %v, %v", along.Mean, err)
	}
}

func TestValueJSON(t *testing.T) {
	for _, tt := range []struct {
		in   *npy.Array
		want string
	}{
		{array[uint64](t, math.MaxUint64), "18446744073709551615"},
		{array(t, 1e300), "1e+300"},
		{array(t, math.Inf(1)), `"Infinity"`},
		{array(t, math.Inf(-1)), `"-Infinity"`},
		{array[float64](t), "null"},
		{arrayAs(t, "<M8[D]", scalar.Datetime64(1)), `"1970-01-02"`},
	} {
		if got, err := of(t, tt.in)[0].Max.MarshalJSON(); err != nil || string(got) != tt.want {
			t.Errorf("%v: %s, %v, want %s", tt.in, got, err, tt.want)
		}
	}
	if got, err := of(t, array(t, 1+2i))[0].Mean.MarshalJSON(); err != nil || string(got) != `"1+2j"` {
		t.Errorf("complex: %s, %v", got, err)
	}
}

// Any bytes are valid elements of any dtype.
func FuzzAdd(f *testing.F) {
	f.Add("<f8", []byte("\x00\x00\x00\x00\x00\x00\xf0\x7f12345678"), 3)
	f.Add("[('a', '<f2', (2,)), ('b', '>c8'), ('c', '<M8[25s]')]", bytes.Repeat([]byte{0xff, 0x7b}, 40), 7)
	f.Add("<f16", bytes.Repeat([]byte{0x80, 1}, 40), 5)
	f.Add("<U3", bytes.Repeat([]byte{0x80, 0}, 40), 5)
	f.Fuzz(func(t *testing.T, descr string, data []byte, piece int) {
		dt, err := dtype.Parse(descr)
		if err != nil || dt.HasObject() {
			return
		}
		acc, err := stats.New(dt)
		if err != nil {
			t.Fatal(err)
		}
		if size := dt.ItemSize(); size > 0 {
			data = data[:len(data)/size*size]
		}
		piece = max(1, piece)
		for rest := data; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
			acc.Add(rest[:min(piece, len(rest))])
		}
		acc.AddEmpty(int64(piece))
		got, err := acc.Result()
		if err != nil {
			if !errors.Is(err, npy.ErrLimit) {
				t.Fatal(err)
			}
			return
		}
		for _, s := range got {
			if s.Count < s.NaNs+s.Infs || s.Count < s.NaTs || s.Count < s.Zeros || s.Std.Float64() < 0 {
				t.Errorf("%s: %s", descr, line(s))
			}
		}
	})
}

// Along an axis each result is the summary of its elements alone.
func TestAxisIsOfEach(t *testing.T) {
	shape := []int{4, 5, 6}
	a, err := npy.FromSlice(randomFloats(120), shape...)
	if err != nil {
		t.Fatal(err)
	}
	for axis := range shape {
		along, err := stats.AxisOf(context.Background(), a, axis)
		mean, std, lo, hi := along.Mean, along.Std, along.Min, along.Max
		if err != nil {
			t.Fatal(err)
		}
		rest := append(append([]int{}, shape[:axis]...), shape[axis+1:]...)
		for i := range rest[0] {
			for j := range rest[1] {
				index := []npy.Index{npy.At(i), npy.At(j)}
				index = append(index[:axis:axis], append([]npy.Index{npy.All()}, index[axis:]...)...)
				part, err := a.Slice(index...)
				if err != nil {
					t.Fatal(err)
				}
				want := of(t, part)[0]
				for name, pair := range map[string][2]any{
					"mean": {float(t, mean, i, j), want.Mean.Float64()}, "std": {float(t, std, i, j), want.Std.Float64()},
					"min": {float(t, lo, i, j), want.Min.Float64()}, "max": {float(t, hi, i, j), want.Max.Float64()},
				} {
					x, y := pair[0].(float64), pair[1].(float64)
					if x != y && !(name == "std" && math.Abs(x-y) <= 4e-16*y) {
						t.Errorf("axis %d, %s at (%d, %d): %v, want %v", axis, name, i, j, pair[0], pair[1])
					}
				}
			}
		}
	}
}

func float(t testing.TB, a *npy.Array, index ...int) float64 {
	t.Helper()
	v, err := npy.As[float64](a)
	if err != nil {
		t.Fatal(err)
	}
	return v.At(index...)
}
