package raster

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
)

// plain computes the value of a pixel from the elements that it covers.
func plain(values []float64, columns, y0, y1, x0, x1 int, how How) float64 {
	total, n, low, high := 0.0, 0, math.NaN(), math.NaN()
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			v := values[y*columns+x]
			if v != v {
				continue
			}
			if n++; n == 1 {
				low, high = v, v
			}
			total, low, high = total+v, min(low, v), max(high, v)
		}
	}
	return map[How]float64{Mean: total / float64(n), Max: high, Min: low}[how]
}

func same(a, b float64) bool {
	return a != a && b != b || a == b || math.Abs(a-b) < 1e-4*max(math.Abs(a), math.Abs(b), 1)
}

func TestExact(t *testing.T) {
	r := oracle.Rand(t)
	types := []dtype.Type{dtype.Float64, dtype.Float32, dtype.Int8, dtype.Uint16, dtype.Float16, dtype.Int64.WithByteOrder(dtype.BigEndian)}
	for range 300 {
		rows, columns := 1+r.IntN(60), 1+r.IntN(60)
		values := make([]float64, rows*columns)
		to := types[r.IntN(len(types))]
		for i := range values {
			values[i] = float64(r.IntN(100))
			if to.Kind() == dtype.KindFloat && r.IntN(5) == 0 {
				values[i] = math.NaN()
			}
		}
		if r.IntN(2) == 0 { // regions of one value
			for i := range values[:r.IntN(len(values)+1)] {
				values[i] = values[0]
			}
		}
		full, err := npy.FromSlice(values, rows, columns)
		if err != nil {
			t.Fatal(err)
		}
		a, err := full.Cast(to, npy.UnsafeCasting)
		if err != nil {
			t.Fatal(err)
		}
		if r.IntN(2) == 0 {
			a = a.Fortran()
		}
		y0, x0 := r.IntN(rows), r.IntN(columns)
		win := Window{y0, y0 + 1 + r.IntN(rows-y0), x0, x0 + 1 + r.IntN(columns-x0)}
		h, w := 1+r.IntN(20), 1+r.IntN(20)
		how := []How{Mean, Max, Min}[r.IntN(3)]
		src := npy.Source(a)
		if r.IntN(2) == 0 {
			src = npytest.Regioned(a, r.Int64N(2)<<40)
		}
		p, err := Exact(t.Context(), src, win, h, w, how)
		if err != nil {
			t.Fatal(err)
		}
		edgeY, edgeX := bounds(win.Y0, win.rows(), p.H), bounds(win.X0, win.columns(), p.W)
		for i := range p.H {
			for j := range p.W {
				want := plain(values, columns, edgeY(i), edgeY(i+1), edgeX(j), edgeX(j+1), how)
				if got := (p.Values[i*p.W+j]); !same(got, want) {
					t.Fatalf("%v %v of %v, %d x %d: pixel %d, %d is %v, want %v", to, how, win, p.H, p.W, i, j, got, want)
				}
			}
		}
		if p.H > h || p.W > w || !p.Exact {
			t.Fatalf("%+v", p)
		}
	}
}

// A Level gives the same as the elements of its cells.
func TestLevel(t *testing.T) {
	const rows, columns = 3001, 4003 // more than a Level has cells
	values := make([]float64, rows*columns)
	small, r := make([]float32, len(values)), oracle.Rand(t)
	for i := range values {
		small[i] = r.Float32()
		if i%7 == 0 && i < len(values)/2 {
			small[i] = float32(math.NaN())
		}
		values[i] = float64(small[i])
	}
	a, err := npy.FromSlice(small, rows, columns)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLevel(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if l.by*l.bx < 2 || len(l.g.sums) > levelCells {
		t.Fatalf("%d cells of %d x %d", len(l.g.sums), l.by, l.bx)
	}
	for _, how := range []How{Mean, Max, Min} {
		p := l.Picture(Window{100, 2901, 7, 3500}, 50, 70, how)
		ph, pw := (p.Y1-p.Y0)/p.H, (p.X1-p.X0)/p.W
		for _, at := range [][2]int{{0, 0}, {p.H - 1, p.W - 1}, {20, 30}, {33, 1}} {
			i, j := at[0], at[1]
			want := plain(values, columns, p.Y0+i*ph, min(p.Y0+(i+1)*ph, rows), p.X0+j*pw, min(p.X0+(j+1)*pw, columns), how)
			if got := (p.Values[i*p.W+j]); !same(got, want) {
				t.Errorf("%v: pixel %v is %v, want %v", how, at, got, want)
			}
		}
		if p.Y0 > 100 || p.Y1 < 2901 || p.X0 > 7 || p.X1 < 3500 || p.Y0 <= 100-l.by || p.H > 50 || p.W > 70 || ph*p.H != p.Y1-p.Y0 {
			t.Errorf("the window is %v", p.Window)
		}
	}
}

func TestStrided(t *testing.T) {
	values := make([]int32, 1000*1000)
	for i := range values {
		values[i] = int32(i)
	}
	a, err := npy.FromSlice(values, 1000, 1000)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Strided(t.Context(), a, Window{0, 1000, 0, 1000}, 100, 50)
	if err != nil || p.H != 100 || p.W != 50 || p.Exact || p.Values[0] != 5*1000+10 || p.Values[51] != 15*1000+30 {
		t.Errorf("%v, %+v", err, p)
	}
	win := Window{3, 4, 5, 8}
	p, err = Strided(t.Context(), a, win, 100, 50)
	if err != nil || p.H != 1 || p.W != 3 || !p.Exact || p.Values[2] != 3007 {
		t.Errorf("%v, %+v", err, p)
	}
}

// counted counts the bytes of the pages that are read of an array of zeros.
type counted struct {
	head  []byte
	pages sync.Map
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	for page := at / 4096; page <= (at+int64(len(p))-1)/4096; page++ {
		c.pages.Store(page, true)
	}
	clear(p)
	if at < int64(len(c.head)) {
		copy(p, c.head[at:])
	}
	return len(p), nil
}

// TestQuick makes quick pictures of arrays of 1 GiB and more. They read no more than 64 MiB, and somewhat for the header.
func TestQuick(t *testing.T) {
	for _, h := range []format.Header{
		{DType: dtype.Float32, Shape: []int{16384, 16384}},
		{DType: dtype.Float32, Shape: []int{16384, 16384}, FortranOrder: true},
		{DType: dtype.Float64, Shape: []int{400, 335_000}},
		{DType: dtype.Uint8, Shape: []int{1 << 20, 1000}},
		{DType: dtype.Uint8, Shape: []int{1 << 20, 1000}, FortranOrder: true},
	} {
		head, err := h.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		c := &counted{head: head}
		f, err := npy.OpenReaderAt(c, int64(len(head))+h.NBytes())
		if err != nil {
			t.Fatal(err)
		}
		rows, columns := h.Shape[0], h.Shape[1]
		p, err := Quick(t.Context(), f, Window{0, rows, 0, columns}, 1000, 1800)
		if err != nil {
			t.Fatal(err)
		}
		pages := 0
		c.pages.Range(func(any, any) bool { pages++; return true })
		if pages*4096 > 66<<20 || p.H*p.W < 200*200 {
			t.Errorf("%v: %d MiB for %d by %d pixels", h, pages*4096>>20, p.H, p.W)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the page was closed")
	cancel(why)
	path := t.TempDir() + "/a.npy"
	if err := npy.Save(path, make([]int8, 4_000_000), 2000, 2000); err != nil {
		t.Fatal(err)
	}
	f, err := npy.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := NewLevel(ctx, f); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
}
