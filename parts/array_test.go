package parts_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/parts"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// along returns an index that selects x along an axis.
func along(axis int, x npy.Index) []npy.Index {
	return append(slices.Repeat([]npy.Index{npy.All()}, axis), x)
}

// split writes an array as parts along an axis, which end at the given places, and returns their paths. Odd parts are in
// Fortran order.
func split(t *testing.T, dir string, a *npy.Array, axis int, ends ...int) []string {
	t.Helper()
	var paths []string
	low := 0
	for i, high := range append(ends, a.Shape()[axis]) {
		part := must(a.Slice(along(axis, npy.Span(low, high))...))
		path := fmt.Sprintf("part-%d.npy", i+1)
		c := npy.Copier{Order: []npy.Order{npy.COrder, npy.FortranOrder}[i%2]}
		if err := c.WriteFile(t.Context(), filepath.Join(dir, path), part); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
		low = high
	}
	return paths
}

// Arrays in parts are Sources as all others.
func TestSource(t *testing.T) {
	vectors := must(npytest.Vectors("../testdata/numpy-2.3.5"))
	if testing.Short() { // one vector in four
		random := oracle.Rand(t)
		vectors = slices.DeleteFunc(vectors, func(npytest.Vector) bool { return random.IntN(4) > 0 })
	}
	for _, last := range []bool{false, true} {
		type made struct {
			m    parts.Manifest
			open parts.Opener
		}
		stored := map[string]made{}
		open := func(t *testing.T, v npytest.Vector) (npy.Source, func() error) {
			x, ok := stored[v.Path]
			if !ok {
				a := must(npy.ReadFile(v.Path))
				if a.NDim() == 0 || a.DType().HasObject() {
					return nil, nil
				}
				axis := 0
				if last {
					axis = a.NDim() - 1
				}
				n := a.Shape()[axis]
				dir := t.TempDir()
				x.open = parts.Dir(dir, npy.Decoder{})
				x.m = must(parts.Scan(t.Context(), axis, split(t, dir, a, axis, n/3, n/3, (n+2)/3), x.open))
				stored[v.Path] = x
			}
			opened := must(parts.Options{MaxOpen: -1}.Open(x.m, x.open))
			return opened, opened.Close
		}
		npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
			src, closing := open(t, v)
			if src != nil {
				t.Cleanup(func() { _ = closing() })
			}
			return src
		})
		npytest.TestClosedSource(t, vectors, func(t *testing.T, v npytest.Vector) (npy.Source, func() error) {
			return open(t, v)
		})
	}
}

// Any split of an array along any axis is the array under any slice.
func TestRandomSplits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 150 {
		shape := []int{1 + r.IntN(30), 1 + r.IntN(6), 1 + r.IntN(4)}[:1+r.IntN(3)]
		size := 1
		for _, n := range shape {
			size *= n
		}
		data := make([]int16, size)
		for i := range data {
			data[i] = int16(i)
		}
		whole := must(npy.FromSlice(data, shape...))
		axis := r.IntN(len(shape))
		var ends []int
		for range r.IntN(6) {
			ends = append(ends, r.IntN(shape[axis]+1))
		}
		slices.Sort(ends)
		dir := t.TempDir()
		paths := split(t, dir, whole, axis, ends...)
		m := must(parts.Scan(t.Context(), axis-r.IntN(2)*len(shape), paths, parts.Dir(dir, npy.Decoder{})))
		a := must(parts.Options{MaxOpen: r.IntN(4) - 1}.Open(m, parts.Dir(dir, npy.Decoder{})))
		for range 10 {
			var index []npy.Index
			for _, n := range shape {
				step := (1 + r.IntN(4)) * (1 - 2*r.IntN(2))
				index = append(index, []npy.Index{npy.At(r.IntN(n)), npy.Span(r.IntN(2*n)-n, r.IntN(2*n)-n).By(step)}[r.IntN(2)])
			}
			want := must(whole.Slice(index...))
			got := must(must(a.Select(index...)).ReadAll(t.Context()))
			if !slices.Equal(got.Shape(), want.Shape()) || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Fatalf("shape %v in parts that end at %v along axis %d, index %v: %v, want %v", shape, ends, axis, index, got, want)
			}
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// counter is an Opener of parts in memory that counts the open ones.
type counter struct {
	open, most, opened atomic.Int64
	fail               error
}

func (c *counter) opener(_ context.Context, p parts.Part) (npy.Source, io.Closer, error) {
	if c.fail != nil {
		return nil, nil, c.fail
	}
	c.opened.Add(1)
	n := c.open.Add(1)
	for {
		most := c.most.Load()
		if n <= most || c.most.CompareAndSwap(most, n) {
			break
		}
	}
	return must(npy.FromSlice(make([]int16, p.Rows))), c, nil
}

func (c *counter) Close() error {
	c.open.Add(-1)
	return nil
}

func manifest(n int) parts.Manifest {
	m := parts.Manifest{DType: must(npy.FromSlice([]int16{1})).DType(), Shape: []int{n}}
	for i := range n {
		m.Parts = append(m.Parts, parts.Part{Path: fmt.Sprintf("%d.npy", i), Rows: 1})
	}
	return m
}

// Few of many parts are open at a time, also with several readers, and none after Close.
func TestMaxOpen(t *testing.T) {
	var c counter
	a := must(parts.Options{MaxOpen: 3}.Open(manifest(2000), c.opener))
	if c.opened.Load() != 0 {
		t.Errorf("Open opened %d parts", c.opened.Load())
	}
	const readers = 8
	err := par.Each(t.Context(), readers, readers, func(_, i int) error {
		for range 3 {
			if _, err := must(a.Select(npy.SpanFrom(i * 250))).ReadAll(t.Context()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := c.most.Load(); n > readers+3 {
		t.Errorf("%d parts were open at the same time", n)
	}
	if n := c.open.Load(); n != 3 {
		t.Errorf("%d parts stay open, want 3", n)
	}
	if err := a.Close(); err != nil || c.open.Load() != 0 {
		t.Errorf("Close: error %v, and %d parts are open", err, c.open.Load())
	}
	if _, err := a.ReadAll(t.Context()); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: error %v", err)
	}
	if err := a.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

// A slice opens only the parts that it needs, and a part that stays open is not opened again.
func TestOpensWhatIsNeeded(t *testing.T) {
	var c counter
	a := must(manifest(2000).Open(c.opener))
	defer a.Close()
	for range 3 {
		if _, err := must(a.Select(npy.Span(700, 705))).ReadAll(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if c.opened.Load() != 5 {
		t.Errorf("%d parts were opened, want 5", c.opened.Load())
	}
}

// A part that cannot be opened is an error that names it, and is tried again.
func TestOpenAgain(t *testing.T) {
	c := counter{fail: fs.ErrPermission}
	a := must(manifest(3).Open(c.opener))
	defer a.Close()
	_, err := a.ReadAll(t.Context())
	var part *parts.PartError
	if !errors.As(err, &part) || part.Path != "0.npy" || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("error %v", err)
	}
	c.fail = nil
	if _, err := a.ReadAll(t.Context()); err != nil {
		t.Error(err)
	}
}

// Parts that differ from the manifest are errors that name the part, never other values.
func TestOtherParts(t *testing.T) {
	dir := t.TempDir()
	whole := must(npy.FromSlice([]int32{1, 2, 3, 4, 5, 6}, 3, 2))
	paths := split(t, dir, whole, 0, 1)
	open := parts.Dir(dir, npy.Decoder{})
	m := must(parts.Scan(t.Context(), 0, paths, open))
	for name, other := range map[string]*npy.Array{
		"more rows":   must(npy.FromSlice([]int32{1, 2, 3, 4, 5, 6}, 3, 2)),
		"fewer rows":  must(npy.FromSlice([]int32{1, 2}, 1, 2)),
		"wider":       must(npy.FromSlice([]int32{1, 2, 3, 4, 5, 6}, 2, 3)),
		"flat":        must(npy.FromSlice([]int32{1, 2, 3, 4})),
		"other dtype": must(npy.FromSlice([]float32{1, 2, 3, 4}, 2, 2)),
	} {
		if err := npy.WriteFile(filepath.Join(dir, paths[1]), other); err != nil {
			t.Fatal(err)
		}
		a := must(m.Open(open))
		_, err := a.ReadAll(t.Context())
		if err == nil || !strings.Contains(err.Error(), `part "part-2.npy"`) || !strings.Contains(err.Error(), "want dtype") {
			t.Errorf("%s: ReadAll: %v", name, err)
		}
		err = nil
		for _, e := range a.Blocks(t.Context(), 8) {
			err = e
		}
		if err == nil || !strings.Contains(err.Error(), `part "part-2.npy"`) {
			t.Errorf("%s: Blocks: %v", name, err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		_, err = parts.Scan(t.Context(), 0, paths, open)
		if same := name == "more rows" || name == "fewer rows"; (err == nil) != same || err != nil && !strings.Contains(err.Error(), `part "part-2.npy"`) {
			t.Errorf("%s: Scan: %v", name, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, paths[1])); err != nil {
		t.Fatal(err)
	}
	a := must(m.Open(open))
	defer a.Close()
	if _, err := a.ReadAll(t.Context()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `part "part-2.npy"`) {
		t.Errorf("a missing part: %v", err)
	}
}

func TestScanErrors(t *testing.T) {
	dir := t.TempDir()
	open := parts.Dir(dir, npy.Decoder{})
	if _, err := parts.Scan(t.Context(), 0, nil, open); err == nil {
		t.Error("no parts: no error")
	}
	paths := split(t, dir, must(npy.FromSlice([]int32{1, 2})), 0)
	if _, err := parts.Scan(t.Context(), 1, paths, open); err == nil || !strings.Contains(err.Error(), "axis 1 is out of bounds") {
		t.Errorf("axis 1: %v", err)
	}
	if _, err := parts.Scan(t.Context(), 0, []string{"none.npy"}, open); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `"none.npy"`) {
		t.Errorf("no file: %v", err)
	}
}
