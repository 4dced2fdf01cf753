package curve

import (
	"math"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
)

// Elements that are known to be equal give the columns that they give when they are read.
func TestRegions(t *testing.T) {
	r := oracle.Rand(t)
	for range 100 {
		values := make([]float32, 1+r.IntN(5000))
		for i := range values[r.IntN(len(values)):] {
			values[i] = []float32{1, 2, float32(math.NaN())}[r.IntN(3)]
		}
		for i, x := r.IntN(len(values)), float32(r.IntN(3)); i < len(values); i++ {
			values[i] = x
		}
		a, err := npy.FromSlice(values)
		if err != nil {
			t.Fatal(err)
		}
		src := npytest.Regioned(a, r.Int64N(2)<<40)
		low := r.IntN(len(values))
		c, err := Of(t.Context(), src, low, low+1+r.IntN(len(values)-low), 1+r.IntN(300))
		if err != nil {
			t.Fatal(err)
		}
		check(t, values, c)
		l, err := Level(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		check(t, values, l)
	}
}

// want computes a column from its elements.
func want(xs []float32) Column {
	c := none
	for _, x := range xs {
		if x == x {
			c.add(Column{float64(x), float64(x), float64(x), float64(x)})
		}
	}
	return c
}

func check(t *testing.T, values []float32, c *Columns) {
	t.Helper()
	for i, got := range c.Columns {
		w := want(values[c.Edge(i):c.Edge(i+1)])
		if got != w && (got.First == got.First || w.First == w.First) {
			t.Fatalf("column %d of %d, from %d to %d: %v, want %v", i, len(c.Columns), c.Edge(i), c.Edge(i+1), got, w)
		}
	}
	if c.Edge(0) != c.Low || c.Edge(len(c.Columns)) != c.High {
		t.Errorf("columns from %d to %d, want %d to %d", c.Edge(0), c.Edge(len(c.Columns)), c.Low, c.High)
	}
}

func TestColumns(t *testing.T) {
	values, r := make([]float32, 3_000_001), oracle.Rand(t)
	for i := range values {
		if values[i] = r.Float32(); r.IntN(3) == 0 {
			values[i] = float32(math.NaN())
		}
	}
	a, err := npy.FromSlice(values)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Level(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	check(t, values, l)
	for range 30 {
		low := r.IntN(len(values) - 1)
		high := low + 1 + r.IntN(len(values)-low-1)
		n := 1 + r.IntN(2000)
		c, err := Of(t.Context(), a, low, high, n)
		if err != nil || c.Low != low || c.High != high {
			t.Fatalf("%d to %d, %v", low, high, err)
		}
		check(t, values, c)
		c = l.Cut(low, high, n)
		check(t, values, c)
		if c.Low > low || c.High < high || len(c.Columns) > n || c.Low <= low-Each(len(values)) {
			t.Errorf("%d to %d are cut from %d to %d", low, high, c.Low, c.High)
		}
	}
}
