package diff_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/objects"
)

// save writes an array and opens it.
func save(t testing.TB, a *npy.Array) *npy.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.WriteFile(path, a); err != nil {
		t.Fatal(err)
	}
	f, err := npy.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// stream returns an array that is read from a stream.
func stream(t testing.TB, a *npy.Array, wrap func(io.Reader) io.Reader) npy.Source {
	t.Helper()
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	r := wrap(&b)
	h, err := format.ReadHeader(r)
	if err != nil {
		t.Fatal(err)
	}
	s, err := npy.NewStream(h, r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func plain(r io.Reader) io.Reader { return r }

// The result does not depend on the kind of source.
func TestSidesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 1_500_000
	xs, ys := make([]float32, n), make([]float64, n)
	for i := range xs {
		xs[i] = float32(r.NormFloat64())
		ys[i] = float64(xs[i])
		if r.IntN(1000) == 0 {
			ys[i] *= 1 + r.Float64()
		}
	}
	a, err := npy.FromSlice(xs, 30, 50, n/1500)
	if err != nil {
		t.Fatal(err)
	}
	b, err := npy.FromSlice(ys, 30, 50, n/1500)
	if err != nil {
		t.Fatal(err)
	}
	o := diff.Options{Max: 4, ATol: 1e-3}
	want := fmt.Sprintf("%+v", dump(arrays(t, a, b, o)))
	for _, order := range []string{"CC", "CF", "FC", "FF"} {
		x, y := a, b
		if order[0] == 'F' {
			x = a.Fortran()
		}
		if order[1] == 'F' {
			y = b.Fortran()
		}
		r, err := diff.Compare(context.Background(), save(t, x), save(t, y), o)
		if err != nil {
			t.Fatal(err)
		}
		if got := dump(r); got != want {
			t.Errorf("%s: got  %s\nwant %s", order, got, want)
		}
		if stored := len(r.Stored) > 0; stored != (order[0] != order[1]) {
			t.Errorf("%s: stored %v", order, r.Stored)
		}
	}
	for _, workers := range []int{1, 3} {
		before := npy.SetWorkers(workers)
		r, err := diff.Compare(context.Background(), save(t, a), save(t, b), o)
		npy.SetWorkers(before)
		if err != nil {
			t.Fatal(err)
		}
		if got := dump(r); got != want {
			t.Errorf("%d workers: got  %s\nwant %s", workers, got, want)
		}
	}
	res, err := diff.Compare(context.Background(), stream(t, a, iotest.HalfReader), stream(t, b, plain), o)
	if err != nil {
		t.Fatal(err)
	}
	if got := dump(res); got != want {
		t.Errorf("streams: got  %s\nwant %s", got, want)
	}
}

// dump returns everything that a result reports about values.
func dump(r *diff.Result) string {
	var b strings.Builder
	for _, f := range r.Fields {
		fmt.Fprintf(&b, "%s %s\n", f.Name, summary(f))
		for _, m := range f.First {
			fmt.Fprintf(&b, "  %+v\n", m)
		}
	}
	return b.String()
}

func TestParts(t *testing.T) {
	a := save(t, arrayAs(t, "<i4", int32(1), 2, 3, 4))
	b := save(t, arrayAs(t, "<i4", int32(1), 2, 3, 5))
	r, err := diff.Compare(context.Background(), must(a.Select(npy.SpanTo(3))), must(b.Select(npy.SpanTo(3))), diff.Options{})
	if err != nil || !r.Equal() || r.Fields[0].Count != 3 {
		t.Errorf("the first three: %v, %v", r, err)
	}
	x, err := a.Select(npy.Span(0, 2))
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Select(npy.Span(1, 3))
	if err != nil {
		t.Fatal(err)
	}
	if r, err = diff.Compare(context.Background(), x, y, diff.Options{}); err != nil || r.Fields[0].Different != 2 {
		t.Errorf("parts that lie elsewhere: %v, %v", r, err)
	}
}

func TestOddShapes(t *testing.T) {
	deep := make([]int, 32)
	for i := range deep {
		deep[i] = 1
	}
	for _, shape := range [][]int{{}, {0}, {3, 0, 2}, {0, 1 << 20}, deep} {
		n := 1
		for _, k := range shape {
			n *= k
		}
		a, err := npy.FromSlice(make([]int16, n), shape...)
		if err != nil {
			t.Fatal(err)
		}
		r, err := diff.Compare(context.Background(), save(t, a), save(t, a), diff.Options{})
		if err != nil || !r.Equal() || r.Fields[0].Count != int64(n) {
			t.Errorf("shape %v: %v, %v", shape, r, err)
		}
		if n == 0 {
			continue
		}
		b, err := npy.FromSlice([]int16{7}, shape...)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = diff.Compare(context.Background(), stream(t, a, plain), stream(t, b, plain), diff.Options{}); err != nil || r.Equal() || len(r.Fields[0].First[0].Index) != len(shape) {
			t.Errorf("shape %v: %v, %v", shape, r, err)
		}
	}
}

func TestShortData(t *testing.T) {
	h := format.Header{DType: parse(t, "<f8"), Shape: []int{1 << 20, 100}, DataOffset: 128}
	short, err := npy.NewStream(h, strings.NewReader("too little"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := npy.NewStream(h, iotest.ErrReader(errors.New("broken cable")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = diff.Compare(context.Background(), short, whole, diff.Options{})
	var fe *format.Error
	var re *diff.ReadError
	if !errors.As(err, &fe) || !errors.As(err, &re) || re.Side != 'a' || !errors.Is(err, io.ErrUnexpectedEOF) || fe.Offset != 138 {
		t.Errorf("short data: %v", err)
	}
	if _, err = diff.Compare(context.Background(), whole, short, diff.Options{}); err == nil || err.Error() != "diff: a: broken cable" {
		t.Errorf("a reader that fails: %v", err)
	}
	large := h
	large.DType = parse(t, "|V1073741824")
	large.Shape = []int{1}
	if allocated := testing.AllocsPerRun(1, func() {
		a, b := must(npy.NewStream(large, strings.NewReader("too little"))), must(npy.NewStream(large, strings.NewReader("too little")))
		_, err = diff.Compare(context.Background(), a, b, diff.Options{})
	}); !errors.Is(err, io.ErrUnexpectedEOF) || allocated > 100 {
		t.Errorf("a large element: %v after %v allocations", err, allocated)
	}
}

// A file that is truncated while it is read gives an error that names its side.
func TestFileGetsShorter(t *testing.T) {
	xs := make([]int64, 1<<20)
	path := filepath.Join(t.TempDir(), "short.npy")
	if err := npy.Save(path, xs); err != nil {
		t.Fatal(err)
	}
	short, err := npy.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer short.Close()
	if err := os.Truncate(path, 5_000_004); err != nil {
		t.Skip("open files keep their length here: ", err)
	}
	a, err := npy.FromSlice(xs)
	if err != nil {
		t.Fatal(err)
	}
	_, err = diff.Compare(context.Background(), save(t, a), short, diff.Options{})
	var re *diff.ReadError
	if !errors.As(err, &re) || re.Side != 'b' || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
}

func TestWhatIsNoStream(t *testing.T) {
	for _, h := range []format.Header{
		{DType: parse(t, "|O"), Shape: []int{3}},
		{DType: parse(t, "<f8"), Shape: []int{-1}},
	} {
		if _, err := npy.NewStream(h, strings.NewReader("")); err == nil || h.Shape[0] > 0 && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%v: error %v", h, err)
		}
	}
}

func TestObjectsInFiles(t *testing.T) {
	a := objectArray(t, "a")
	path := filepath.Join(t.TempDir(), "objects.npy")
	if err := (npy.Encoder{Objects: objects.Encoder{}}).WriteFile(path, a); err != nil {
		t.Fatal(err)
	}
	f := must(npy.Open(path))
	defer f.Close()
	if _, err := diff.Compare(t.Context(), a, f, diff.Options{}); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("objects in a file, without a decoder: %v", err)
	}
	g := must(npy.Decoder{Objects: objects.Decoder{}}.Open(path))
	defer g.Close()
	if r, err := diff.Compare(t.Context(), a, g, diff.Options{}); err != nil || !r.Equal() || r.Fields[0].Count != 1 {
		t.Errorf("objects in a file: %v, %v", r, err)
	}
}
