package stats_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/stats"
)

// Along several axes, arrays of both orders have the results of NumPy, whatever is wanted of them.
func TestAlongBesideNumPy(t *testing.T) {
	dir := t.TempDir()
	out := oracle.NumPy(t, `
import os, itertools, warnings
os.chdir(sys.argv[1])
warnings.simplefilter('ignore')
r = np.random.default_rng(9)
answers = []
for i, shape in enumerate([(3, 70, 5, 300), (2, 3, 4, 3), (1, 5, 1, 7), (2, 600, 1, 1), (3, 0, 2, 2)]):
    a = r.normal(1e3, 3, shape)
    a.ravel()[::11] = np.nan
    for name, x in ('C', a), ('F', np.asfortranarray(a)), ('f4', a.astype('>f4')), ('i4', (np.nan_to_num(a) * 100).astype('>i4')), ('u8', (np.nan_to_num(a) * 1e15).astype('u8')), ('b', a > 1e3):
        file = '%s%d.npy' % (name, i)
        np.save(file, x)
        x = x.astype('f8')
        for k in range(5):
            for axes in itertools.combinations(range(4), k):
                values = []
                for f in np.nanmean, np.nanstd, np.nanmin, np.nanmax, np.nansum:
                    try:
                        values.append([float(v).hex() for v in np.ravel(f(x, axis=axes))])
                    except ValueError: # no minimum of no numbers
                        values.append(None)
                answers.append({'file': file, 'axes': axes, 'shape': np.sum(x, axis=axes).shape, 'values': values})
print(json.dumps(answers))
`, nil, dir)
	var answers []struct {
		File        string
		Axes, Shape []int
		Values      [5][]string
	}
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, answer := range answers {
		f, err := npy.Open(filepath.Join(dir, answer.File))
		if err != nil {
			t.Fatal(err)
		}
		want := stats.Along{Axes: answer.Axes, Mean: r.IntN(2) == 0, Std: r.IntN(2) == 0, Min: r.IntN(2) == 0, Max: r.IntN(2) == 0, Sum: r.IntN(2) == 0}
		if len(answer.Axes) == 4 && r.IntN(2) == 0 {
			want.Axes = nil
		}
		x, err := want.Of(context.Background(), f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		all := !want.Mean && !want.Std && !want.Min && !want.Max && !want.Sum
		for i, wanted := range []bool{want.Mean, want.Std, want.Min, want.Max, want.Sum} {
			got := []*npy.Array{x.Mean, x.Std, x.Min, x.Max, x.Sum}[i]
			if got == nil || !wanted && !all {
				if (got == nil) == (wanted || all) {
					t.Fatalf("%s, %+v: result %d is %v", answer.File, want, i, got)
				}
				continue
			}
			if !slices.Equal(got.Shape(), answer.Shape) {
				t.Fatalf("%s, %+v: result %d has shape %v, want %v", answer.File, want, i, got.Shape(), answer.Shape)
			}
			for k, x := range asFloats(t, got) {
				y := math.NaN()
				if answer.Values[i] != nil {
					y = number(answer.Values[i][k])
				}
				if !(x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= 1e-9*math.Abs(y) || i == 1 && x == 0 && y < 1e-3) {
					t.Fatalf("%s, %+v: result %d at %d is %v, NumPy %v", answer.File, want, i, k, x, y)
				}
			}
		}
	}
	t.Logf("%d questions", len(answers))
}

// asFloats returns numbers as float64, also Python ints.
func asFloats(t testing.TB, a *npy.Array) []float64 {
	t.Helper()
	if a.DType().HasObject() {
		values, err := a.Objects()
		if err != nil {
			t.Fatal(err)
		}
		out := make([]float64, len(values))
		for i, v := range values {
			out[i], _ = strconv.ParseFloat(fmt.Sprint(v), 64)
		}
		return out
	}
	a, err := a.Cast(dtype.Float64, npy.UnsafeCasting)
	if err != nil {
		t.Fatal(err)
	}
	v, err := npy.As[float64](a)
	if err != nil {
		t.Fatal(err)
	}
	return v.ToSlice()
}

// Sums and deviations along axes equal exact arithmetic: where the mean is large, where the first number is far
// from the others, and where sums cancel.
func TestAlongIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	for _, tt := range []struct {
		name string
		x    func(row int) float64
		std  float64 // the largest error
	}{
		{"normal", func(int) float64 { return r.NormFloat64() }, 1e-15},
		{"mean of 1e9 deviations", func(int) float64 { return 1e9 + r.NormFloat64() }, 1e-15},
		{"mean of 1e12 deviations", func(int) float64 { return 1e12 + r.NormFloat64() }, 1e-15},
		{"a constant", func(int) float64 { return 0.1 }, 0},
		{"a first number far away", func(row int) float64 {
			if row == 0 {
				return 1e9
			}
			return r.NormFloat64()
		}, 1e-15},
		{"sums that cancel", func(row int) float64 { return []float64{1e16, 1, -1e16, 3}[row%4] }, 1e-15},
		{"all magnitudes", func(int) float64 { return r.NormFloat64() * math.Exp2(float64(r.IntN(200)-100)) }, 1e-15},
	} {
		for _, shape := range [][]int{{400, 700}, {2, 200, 3}, {40, 3, 10, 5}} {
			n := 1
			for _, d := range shape {
				n *= d
			}
			xs := make([]float64, n)
			for i := range xs {
				xs[i] = tt.x(i * shape[0] / n)
			}
			a, err := npy.FromSlice(xs, shape...)
			if err != nil {
				t.Fatal(err)
			}
			axes := [][]int{{0}, {0, 1}, {0, 2}}[len(shape)-2]
			along, err := stats.Along{Axes: axes, Std: true, Sum: true}.Of(context.Background(), a)
			if err != nil {
				t.Fatal(err)
			}
			sums, stds := asFloats(t, along.Sum), asFloats(t, along.Std)
			for k := range 10 {
				k = k * len(sums) / 10
				sum, _, std := exactFloats(numbersOf(xs, shape, axes, k))
				if sums[k] != sum || !(math.Abs(stds[k]-std) <= tt.std*std) {
					t.Errorf("%s, %v along %v, result %d: sum %v, std %v, want %v, %v", tt.name, shape, axes, k, sums[k], stds[k], sum, std)
				}
			}
		}
	}
}

// numbersOf returns the numbers of a result.
func numbersOf(xs []float64, shape, axes []int, result int) (out []float64) {
	for i, x := range xs {
		k, rest, step := 0, i, 1
		for d := len(shape) - 1; d >= 0; d-- {
			if !slices.Contains(axes, d) {
				k += rest % shape[d] * step
				step *= shape[d]
			}
			rest /= shape[d]
		}
		if k == result {
			out = append(out, x)
		}
	}
	return out
}

// Infinities and NaN have the results of NumPy, and large numbers the exact results.
func TestAlongSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	a, err := npy.FromSlice([]float64{
		1, 1, inf, nan, 1.5e308, 1e200, nan,
		inf, nan, -inf, nan, 1.5e308, -1e200, nan,
		2, 3, 1, 7, 1e308, 0, nan,
	}, 3, 7)
	if err != nil {
		t.Fatal(err)
	}
	want := "[            inf 2.00000000e+000             nan 7.00000000e+000\n 1.33333333e+308 0.00000000e+000             nan] [            nan 1.00000000e+000             nan 0.00000000e+000\n 2.35702260e+307 8.16496581e+199             nan] [ 1.e+000  1.e+000     -inf  7.e+000  1.e+308 -1.e+200      nan]"
	for _, along := range []stats.Axis{must(stats.AxisOf(t.Context(), a, 0)), must(stats.AxisOf(t.Context(), a.T(), 1)), must(stats.AxisOf(t.Context(), a.T().Contiguous(), 1))} {
		if got := fmt.Sprint(along.Mean, along.Std, along.Min); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	wide := []float64{}
	for k := range 7 {
		for range 40 {
			for row := range 3 {
				wide = append(wide, must(npy.As[float64](a)).At(row, k))
			}
		}
	}
	b, err := npy.FromSlice(wide, 7, 120)
	if err != nil {
		t.Fatal(err)
	}
	along := must(stats.AxisOf(t.Context(), b, 1))
	if got := fmt.Sprint(along.Mean, along.Std, along.Min); got != want {
		t.Errorf("of tallies %s, want %s", got, want)
	}
}

func TestAlongErrors(t *testing.T) {
	a := array(t, 1.0, 2)
	for _, tt := range []struct {
		axes []int
		want string
	}{{[]int{0, 0}, "axis 0 is given twice"}, {[]int{-1, 0}, "axis 0 is given twice"}, {[]int{1}, "out of bounds"}} {
		if _, err := (stats.Along{Axes: tt.axes}).Of(t.Context(), a); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("axes %v: %v, want %s", tt.axes, err, tt.want)
		}
	}
}

// The results depend on the number of processors as little as on anything else.
func TestAlongForAnyWorkers(t *testing.T) {
	xs := randomFloats(1_500_000)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	shapes := [][]int{{1000, 1500}, {5, 300_000}, {300_000, 5}, {10, 150_000}, {30, 10, 50, 100}}
	if testing.Short() {
		shapes = shapes[:2]
	}
	for _, shape := range shapes {
		a, err := npy.FromSlice(xs, shape...)
		if err != nil {
			t.Fatal(err)
		}
		for axes := range 1 << len(shape) {
			along := stats.Along{Axes: []int{}}
			for i := range shape {
				if axes>>i&1 == 1 {
					along.Axes = append(along.Axes, i)
				}
			}
			var want string
			for _, procs := range []int{1, 2, 7} {
				runtime.GOMAXPROCS(procs)
				x, err := along.Of(t.Context(), a)
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				for _, a := range []*npy.Array{x.Mean, x.Std, x.Min, x.Max, x.Sum} {
					got += string(a.Bytes())
				}
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%v along %v: %d processors give other results", shape, along.Axes, procs)
				}
			}
		}
	}
}

// A result takes 16 bytes of working memory for a mean.
func TestAlongMemory(t *testing.T) {
	const results = 4 << 20
	a, err := npy.FromBytes(dtype.Uint8, make([]byte, 4*results), 4, results)
	if err != nil {
		t.Fatal(err)
	}
	f, err := a.Cast(dtype.Float32, npy.SafeCasting)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := bulk.View[float32](make([]byte, 4)); !ok {
		t.Skip("without package unsafe, results are copied")
	}
	for name, tt := range map[string]struct {
		along stats.Along
		a     *npy.Array
		most  uint64 // bytes for each result, which is among them
	}{
		"mean of floats": {stats.Along{Axes: []int{0}, Mean: true}, f, 24},
		"mean of bytes":  {stats.Along{Axes: []int{0}, Mean: true}, a, 24},
		"minimum":        {stats.Along{Axes: []int{0}, Min: true}, f, 16},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := tt.along.Of(t.Context(), tt.a); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) / results; got > tt.most+1 {
			t.Errorf("%s: %d bytes for each result, want at most %d", name, got, tt.most)
		}
	}
}
