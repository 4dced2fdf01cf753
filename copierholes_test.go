package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
)

// A copy with holes has the bytes of a copy without, whatever the copy changes.
func TestCopyHoles(t *testing.T) {
	rng := oracle.Rand(t)
	dir := t.TempDir()
	for i := range oracle.Cases(t, 16) {
		shape := [][]int{{1500, 1000}, {1 << 20, 1}, {1 << 21}, {50, 200, 130}}[rng.IntN(4)]
		a := must(npy.New([]dtype.Type{dtype.Int32, dtype.Float64, must(dtype.Parse("i4,f4"))}[rng.IntN(3)], shape...))
		data, _ := a.ViewBytes()
		for range rng.IntN(4) {
			at := rng.IntN(len(data))
			data[at] = 1
		}
		c := npy.Copier{Order: npy.Order(rng.IntN(3))}
		switch {
		case a.DType().IsStruct() && rng.IntN(2) == 0:
			c.Fields = []string{"f1"}
		case !a.DType().IsStruct() && rng.IntN(2) == 0:
			c.DType, c.Casting = dtype.Float32, npy.UnsafeCasting
		}
		switch rng.IntN(4) {
		case 0:
			c.Axes = rng.Perm(len(shape))
		case 1:
			c.Shape = []int{-1}
		case 2:
			c.Shape = slices.Clone(shape)
			slices.Reverse(c.Shape)
		}
		got, want := filepath.Join(dir, "got.npy"), filepath.Join(dir, "want.npy")
		src := npytest.Regioned(a, 1<<62)
		ctx := context.Background()
		write := func(path string, src npy.Source) error {
			if c.Shape == nil && i%3 == 0 {
				return c.Concat(ctx, path, i%len(shape), src, src)
			}
			return c.WriteFile(ctx, path, src)
		}
		if err := errors.Join(write(got, src), write(want, struct{ npy.Source }{a})); err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
		if !bytes.Equal(must(os.ReadFile(got)), must(os.ReadFile(want))) {
			t.Fatalf("case %d: %+v of shape %v and dtype %s: the files differ", i, c, shape, a.DType())
		}
	}
}

// Zeros that a source knows to be zeros are holes, which take no space and are known as such when the file is read. All else has
// to be allowed.
func TestSparseCopy(t *testing.T) {
	const n = 16 << 20
	a := must(npy.New(dtype.Uint8, n))
	data, _ := a.ViewBytes()
	for i := range 5000 {
		data[n/2+i] = 7
	}
	ctx := context.Background()
	src := npytest.Regioned(a, 2<<20)
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := (npy.Copier{}).WriteFile(ctx, path, src); err != nil {
		t.Fatal(err)
	}
	if on, ok := onDisk(path); ok && on < n/4 { // some file systems have no holes
		f := must(npy.Open(path))
		defer f.Close()
		r := must(npy.RegionsOf(ctx, f))
		if r == nil || r.Constant < n-(2<<20) {
			t.Errorf("%d bytes are on disk, and the regions are %+v", on, r)
		}
		if again := must(f.ReadAll(ctx)); !bytes.Equal(again.Bytes(), data) {
			t.Error("other elements")
		}
		part := must(f.Select(npy.SpanFrom(n/2 - 10)))
		checkRegions(t, part)
	}
	var over *npy.LimitError
	for what, err := range map[string]error{
		"a stream":      npy.Copier{}.Write(ctx, new(bytes.Buffer), src),
		"elements":      npy.Copier{}.WriteData(ctx, new(bytes.Buffer), src),
		"other numbers": npy.Copier{}.WriteFile(ctx, path, npytest.Regioned(must(a.AsType(dtype.Int16)), 4<<10)),
	} {
		if !errors.As(err, &over) || over.Name != "MaxRatio" {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

// checkRegions compares the regions of src with its elements.
func checkRegions(t *testing.T, src npy.Source) {
	t.Helper()
	whole := must(src.ReadAll(context.Background()))
	r := must(npy.RegionsOf(context.Background(), src))
	if r == nil {
		t.Error("no regions")
		return
	}
	n := 0
	for x := range r.All {
		n += x.Size()
		part := must(whole.Slice(x.Index()...)).Bytes()
		if x.Value != nil && !bytes.Equal(part, bytes.Repeat(x.Value.Bytes(), x.Size())) {
			t.Errorf("the region at %v has other elements than %v", x.Origin, x.Value)
		}
	}
	if n != whole.Size() {
		t.Errorf("regions of %d elements, want %d", n, whole.Size())
	}
}

// Holes of files in C order and Fortran order are regions of their axes.
func TestSparseFiles(t *testing.T) {
	for _, fortran := range []bool{false, true} {
		shape := []int{60, 70, 1000}
		path := filepath.Join(t.TempDir(), "a.npy")
		f := must(os.Create(path))
		head := fmt.Sprintf("{'descr': '<i4', 'fortran_order': %s, 'shape': (60, 70, 1000), }", map[bool]string{true: "True", false: "False"}[fortran])
		head += string(bytes.Repeat([]byte{' '}, 117-len(head))) + "\n"
		must(f.WriteString("\x93NUMPY\x01\x00\x76\x00" + head))
		for _, at := range []int64{128 + 4*1_000_001, 128 + 4*3_123_456} {
			must(f.WriteAt(bytes.Repeat([]byte{1, 2, 3}, 20000), at))
		}
		if err := errors.Join(f.Truncate(128+4*60*70*1000), f.Close()); err != nil {
			t.Fatal(err)
		}
		if on, ok := onDisk(path); !ok || on > 2<<20 {
			t.Skip("this file system has no holes that are known")
		}
		a := must(npy.Open(path))
		defer a.Close()
		checkRegions(t, a)
		if !fortran {
			checkRegions(t, must(a.Select(npy.Span(6, 58))))
		}
		n := 0
		for range must(npy.RegionsOf(context.Background(), a)).All {
			n++
		}
		if n > 40 {
			t.Errorf("%d regions of an array of shape %v", n, shape)
		}
	}
}
