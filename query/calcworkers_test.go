package query_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query"
)

// Reductions of large arrays have the same bits wherever the array is, and however many goroutines work. They are right.
func TestCalcLargeReductions(t *testing.T) {
	defer npy.SetWorkers(npy.SetWorkers(0))
	r := rand.New(rand.NewPCG(5, 6))
	shapes := [][]int{{1300, 1001}, {3, 400_000}, {400_000, 3}, {1_200_000}, {7, 250, 700}, {2, 3, 200_000}}
	dtypes := []dtype.Type{dtype.Float64, dtype.Float32, dtype.Int16.WithByteOrder(dtype.BigEndian)}
	if testing.Short() {
		shapes, dtypes = shapes[1:3], dtypes[:1]
	}
	for _, shape := range shapes {
		size := 1
		for _, n := range shape {
			size *= n
		}
		xs := make([]float64, size)
		for i := range xs {
			xs[i] = math.Round(r.NormFloat64()*1000) / 8
		}
		whole, err := npy.FromSlice(xs, shape...)
		if err != nil {
			t.Fatal(err)
		}
		for _, dt := range dtypes {
			a, err := whole.Cast(dt, npy.UnsafeCasting)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "a.npy")
			if err := npy.WriteFile(path, a); err != nil {
				t.Fatal(err)
			}
			f, err := npy.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			values, err := npy.ReadInto[float64](t.Context(), nil, f)
			if err != nil {
				t.Fatal(err)
			}
			for axis := range len(shape) + 1 {
				for _, name := range []string{"sum", "mean", "var", "min", "argmax", "count", "median", "prod", "any"} {
					expr := fmt.Sprintf("%s(a, axis=%d)", name, axis)
					if axis == len(shape) {
						expr = name + "(a)"
					}
					var want []byte
					if name == "median" && dt != dtype.Float64 || dt.ItemSize() < 8 && axis == 1 {
						continue // nothing new
					}
					for _, run := range []struct {
						workers int
						src     npy.Source
					}{{1, f}, {3, a}, {2, f}} {
						npy.SetWorkers(run.workers)
						out, err := query.Calc(t.Context(), expr, map[string]npy.Source{"a": run.src})
						if err != nil {
							t.Fatal(err)
						}
						all, err := out.ReadAll(t.Context())
						if err != nil {
							t.Fatal(err)
						}
						if want == nil {
							want = all.Bytes()
							checkReduction(t, fmt.Sprint(expr, " of ", shape, " ", dt), name, all, values, shape, axis)
						} else if !bytes.Equal(all.Bytes(), want) {
							t.Errorf("%s of %v %s: other bits with %d workers, of a %T", expr, shape, dt, run.workers, run.src)
						}
					}
				}
			}
			f.Close()
		}
	}
}

// checkReduction compares a result with a plain one.
func checkReduction(t *testing.T, what, name string, got *npy.Array, xs []float64, shape []int, axis int) {
	inner, n := 1, len(xs) // elements from one value of a cell to the next, and values of a cell
	if axis < len(shape) {
		n = shape[axis]
		for _, m := range shape[axis+1:] {
			inner *= m
		}
	}
	results, err := npy.ReadInto[float64](t.Context(), nil, mustCast(t, got))
	if err != nil {
		t.Fatal(err)
	}
	for cell, y := range results {
		if len(results) > 100 && cell%97 != 0 {
			continue
		}
		first := cell/inner*inner*n + cell%inner
		sum, low, high, at, nonzero := 0.0, math.Inf(1), math.Inf(-1), 0, 0
		for i := range n {
			x := xs[first+i*inner]
			sum += x
			low = min(low, x)
			if x > high {
				high, at = x, i
			}
			if x != 0 {
				nonzero++
			}
		}
		want, scale := 0.0, 1.0
		switch name {
		case "sum":
			want, scale = sum, max(math.Abs(sum), 1e4)
		case "mean":
			want = sum / float64(n)
		case "min":
			want = low
		case "argmax":
			want = float64(at)
		case "count":
			want = float64(nonzero)
		case "any":
			want = 1
		case "var":
			for i := range n {
				d := xs[first+i*inner] - sum/float64(n)
				want += d * d / float64(n)
			}
			scale = max(want, 1)
		default:
			continue
		}
		tolerance := 1e-9
		if got.DType().ItemSize() == 4 {
			tolerance = 1e-4 * max(math.Abs(want), 1)
		}
		if math.Abs(y-want) > tolerance*scale {
			t.Errorf("%s: result %d is %v, want %v", what, cell, y, want)
			return
		}
	}
}

func mustCast(t *testing.T, a *npy.Array) *npy.Array {
	b, err := a.Cast(dtype.Float64, npy.UnsafeCasting)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
