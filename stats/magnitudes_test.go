package stats_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/stats"
)

// ofMagnitude returns rows numbers around 2**exp for each of some columns, of several kinds.
func ofMagnitude(r *rand.Rand, exp, rows, columns int) []float64 {
	xs := make([]float64, rows*columns)
	for k := range columns {
		first, kind := math.Ldexp(1+r.Float64(), exp), r.IntN(6)
		for i := k; i < len(xs); i += columns {
			x := first
			switch kind {
			case 0: // of one size and both signs
				x = math.Ldexp(r.NormFloat64()/8, exp)
			case 1: // a mean of a thousand deviations
				x *= 1 - 1e-3*r.Float64()
			case 2: // a constant and its neighbours
				x = math.Nextafter(x, []float64{0, x, math.Inf(1)}[r.IntN(3)])
			case 3: // that cancel
				x = math.Copysign(x, float64(i/columns%2)-0.5)
			case 4: // among others of all sizes
				if i/columns%3 == 0 {
					x = math.Ldexp(r.NormFloat64(), r.IntN(2090)-1070)
				}
			}
			xs[i] = min(max(x, -math.MaxFloat64), math.MaxFloat64)
		}
	}
	return xs
}

// A found is the sum, the mean and the standard deviation of numbers.
type found struct{ sum, mean, std float64 }

func checkFound(t *testing.T, what string, xs []float64, got found) {
	t.Helper()
	sum, mean, std := exactFloats(xs)
	size := 0.0
	for _, x := range xs {
		size = math.Max(size, math.Abs(x))
	}
	near := func(got, want, relative, absolute float64) bool {
		return got == want || math.Abs(got-want) <= relative*math.Abs(want)+absolute+5e-324
	}
	if slack := size * 0x1p-90; !near(got.sum, sum, 0x1p-52, slack*float64(len(xs))) || !near(got.mean, mean, 0x1p-52, slack) || !near(got.std, std, 1e-14, 0) {
		t.Fatalf("%s of %v: %+v, want %+v", what, xs, got, found{sum, mean, std})
	}
}

// Sums, means and deviations of numbers of every magnitude agree with exact arithmetic: of an array, along an axis, of merged
// pieces, and of groups.
func TestMagnitudesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(320, 308))
	step := max(41/oracle.Cases(t, 1), 1)
	arrays := 0
	for exp := -1074; exp <= 1023; exp += step {
		rows, columns := []int{1, 5, 14, 40}[r.IntN(4)], []int{1, 3, 13}[r.IntN(3)]
		xs := ofMagnitude(r, exp, rows, columns)
		a := must(npy.FromSlice(xs, rows, columns))
		for axis, n := range []int{columns, rows} {
			x := must(stats.AxisOf(t.Context(), a, axis))
			sums, means, stds := asFloats(t, x.Sum), asFloats(t, x.Mean), asFloats(t, x.Std)
			for k := range n {
				checkFound(t, fmt.Sprintf("axis %d", axis), numbersOf(xs, []int{rows, columns}, []int{axis}, k), found{sums[k], means[k], stds[k]})
			}
		}
		along := stats.Along{Axes: []int{0}}
		x := must(mergeAxes(t, r, axisPieces(t, r, a.DType(), along, []int{columns}, a.Bytes(), rows)).Result())
		sums, means, stds := asFloats(t, x.Sum), asFloats(t, x.Mean), asFloats(t, x.Std)
		for k := range columns {
			column := numbersOf(xs, []int{rows, columns}, []int{0}, k)
			checkFound(t, "merged axes", column, found{sums[k], means[k], stds[k]})
			s := of(t, array(t, column...))[0]
			checkFound(t, "an array", column, found{s.Sum.Float64(), s.Mean.Float64(), s.Std.Float64()})
			cut := r.IntN(rows + 1)
			acc, rest := added(t, dtype.Float64, floatBytes(column[:cut])), added(t, dtype.Float64, floatBytes(column[cut:]))
			if err := rest.Merge(acc); err != nil {
				t.Fatal(err)
			}
			s = must(rest.Result())[0]
			checkFound(t, "merged arrays", column, found{s.Sum.Float64(), s.Mean.Float64(), s.Std.Float64()})
			checkGroups(t, r, column)
		}
		arrays++
	}
	t.Logf("%d arrays of magnitudes 2**%d apart", arrays, step)
}

func floatBytes(xs []float64) (out []byte) {
	for _, x := range xs {
		out = binary.NativeEndian.AppendUint64(out, math.Float64bits(x))
	}
	return out
}

// checkGroups groups numbers at random.
func checkGroups(t *testing.T, r *rand.Rand, xs []float64) {
	t.Helper()
	record, err := dtype.Struct(9, dtype.Field{Name: "key", DType: dtype.Uint8}, dtype.Field{Name: "x", DType: dtype.Float64, Offset: 1})
	if err != nil {
		t.Fatal(err)
	}
	groups := map[byte][]float64{}
	var data []byte
	for _, x := range xs {
		key := byte(r.IntN(3))
		groups[key] = append(groups[key], x)
		data = append(append(data, key), floatBytes([]float64{x})...)
	}
	out, err := (query.Group{By: []query.Key{{Field: "key"}}, Aggs: must(query.ParseAggs("sum:x,mean:x,std:x,var:x"))}).Of(t.Context(), must(npy.FromBytes(record, data, len(xs))))
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string][]float64{}
	for _, name := range []string{"sum_x", "mean_x", "std_x", "var_x"} {
		fields[name] = asFloats(t, must(out.Field(name)).Contiguous())
	}
	for i, key := range must(npy.As[uint8](must(out.Field("key")))).ToSlice() {
		got := found{fields["sum_x"][i], fields["mean_x"][i], fields["std_x"][i]}
		checkFound(t, "a group", groups[key], got)
		if variance := got.std * got.std; !(math.Abs(fields["var_x"][i]-variance) <= 1e-14*variance+1e-323) && !math.IsInf(variance, 0) {
			t.Fatalf("a group of %v: var %v, std %v", groups[key], fields["var_x"][i], got.std)
		}
	}
}

// Means about 1e154, whose squares are near the largest float64, once made deviations of groups NaN: in groups of several chunks.
func TestGroupsOfSeveralChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(154, 155))
	for _, exp := range []int{-1060, -530, 0, 510, 512, 1000, 1022} {
		xs := make([]float64, 70_000)
		for i := range xs {
			xs[i] = math.Ldexp(1-r.Float64()/4, exp)
		}
		groups := [][]float64{{}, {}}
		record, err := dtype.Struct(9, dtype.Field{Name: "key", DType: dtype.Bool}, dtype.Field{Name: "x", DType: dtype.Float64, Offset: 1})
		if err != nil {
			t.Fatal(err)
		}
		data := make([]byte, 0, 9*len(xs))
		for i, x := range xs {
			groups[i%2] = append(groups[i%2], x)
			data = binary.NativeEndian.AppendUint64(append(data, byte(i%2)), math.Float64bits(x))
		}
		out, err := (query.Group{By: []query.Key{{Field: "key"}}, Aggs: must(query.ParseAggs("mean:x,std:x"))}).Of(t.Context(), must(npy.FromBytes(record, data, len(xs))))
		if err != nil {
			t.Fatal(err)
		}
		means, stds := asFloats(t, must(out.Field("mean_x")).Contiguous()), asFloats(t, must(out.Field("std_x")).Contiguous())
		for i, group := range groups {
			s := of(t, array(t, group...))[0]
			if !closeTo(means[i], s.Mean.Float64()) || !closeTo(stds[i], s.Std.Float64()) || stds[i] == 0 {
				t.Errorf("2**%d, group %d: mean %v, std %v, stats has %v, %v", exp, i, means[i], stds[i], s.Mean, s.Std)
			}
		}
	}
}

func closeTo(x, y float64) bool { return math.Abs(x-y) <= 1e-13*math.Abs(y)+5e-324 }

// Deviations of groups of integers agree with package stats, exact to the last bit, where float64 would round the integers.
func TestIntegerGroupsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(60, 61))
	for _, descr := range []string{"<i8", ">i8", "<u8", ">u8", "<i4", "|u1", "|b1", "int4"} {
		dt := parse(t, descr)
		for range 20 {
			size := dt.ItemSize()
			data := make([]byte, size*(1+r.IntN(40)))
			for i := range data {
				data[i] = byte(r.Uint32())
				if place := i % size; size == 8 && (place != 0 && descr[0] == '<' || place != 7 && descr[0] == '>') {
					data[i] = []byte{0x80, 0x7f, 0, 0xff}[len(data)%4] // numbers that differ little
				}
				switch descr {
				case "|b1":
					data[i] &= 1
				case "int4":
					data[i] = byte(int8(data[i]) % 8)
				}
			}
			a := mustBytes(t, dt, data)
			want := of(t, a)[0]
			record, err := dtype.Struct(-1, dtype.Field{Name: "key", DType: dtype.Void(0)}, dtype.Field{Name: "x", DType: dt})
			if err != nil {
				t.Fatal(err)
			}
			out, err := (query.Group{By: []query.Key{{Field: "key"}}, Aggs: must(query.ParseAggs("mean:x,std:x,var:x"))}).Of(t.Context(), mustBytes(t, record, data))
			if err != nil {
				t.Fatal(err)
			}
			values := map[string]float64{}
			for _, name := range []string{"mean", "std", "var"} {
				values[name] = asFloats(t, must(out.Field(name+"_x")).Contiguous())[0]
			}
			if std := values["std"]; values["mean"] != want.Mean.Float64() || std != want.Std.Float64() || !closeTo(values["var"], std*std) {
				t.Errorf("%s %v: %v, stats has mean %v, std %v", descr, slices.Clip(data), values, want.Mean, want.Std)
			}
		}
	}
}
