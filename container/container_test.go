package container_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/objects"
)

var formats = container.Formats{
	container.NPZ(npz.Decoder{Array: npy.Decoder{Objects: objects.Decoder{}}}, npz.Encoder{Array: npy.Encoder{Objects: objects.Encoder{}}}),
	container.NPY(npy.Decoder{Objects: objects.Decoder{}}, npy.Encoder{Objects: objects.Encoder{}}),
}

// arrays are of many sizes, and one has more elements than a block.
func arrays(t testing.TB) map[string]*npy.Array {
	t.Helper()
	large, err := npy.FromSlice(make([]float64, 3<<20), 3<<10, 1<<10)
	must(t, err)

	for i, b := 0, large.Contiguous(); i < 1<<10; i++ {
		data, _ := b.ViewBytes()
		data[i*8191+7] = byte(i) & 0x3f
	}
	ints, err := npy.FromSlice([]int32{1, 2, 3, 4, 5, 6}, 2, 3)
	must(t, err)
	objects, err := npy.FromObjects([]any{"a", int64(1), nil}, 3)
	must(t, err)
	empty, err := npy.FromSlice([]float32{}, 0, 4)
	must(t, err)
	scalar, err := npy.FromSlice([]bool{true})
	must(t, err)
	scalar, err = scalar.Reshape()
	must(t, err)
	return map[string]*npy.Array{"large": large, "group/ints": ints, "group/fortran": ints.T(), "objects": objects, "empty": empty, "scalar": scalar}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, name string, got, want *npy.Array) {
	t.Helper()
	if !got.DType().Equal(want.DType()) || !slices.Equal(got.Shape(), want.Shape()) {
		t.Fatalf("%s: %s %v, want %s %v", name, got.DType(), got.Shape(), want.DType(), want.Shape())
	}
	if want.DType().HasObject() {
		a, err := got.Objects()
		must(t, err)
		b, err := want.Objects()
		must(t, err)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %v, want %v", name, a, b)
		}
	} else if string(got.Bytes()) != string(want.Bytes()) {
		t.Errorf("%s: the elements are not the same", name)
	}
}

// What is written to an archive is read from it, and what is copied to another one too.
func TestArchive(t *testing.T) {
	ctx := context.Background()
	want := arrays(t)
	dir := t.TempDir()
	first, second := filepath.Join(dir, "a.npz"), filepath.Join(dir, "b.npz")
	must(t, formats.Create(first, container.WriteOptions{}, func(w container.Writer) error {
		if _, err := w.Begin(container.Entry{Path: "group", Group: true}, nil); err != nil {
			return err
		}
		for name, a := range want {
			if err := container.Put(ctx, w, container.Entry{Path: name}, nil, a); err != nil {
				return err
			}
		}
		_, err := w.Begin(container.Entry{Path: "large", DType: want["large"].DType()}, nil)
		if !errors.Is(err, fs.ErrExist) {
			t.Errorf("a path twice: error %v", err)
		}
		return nil
	}))
	f, err := formats.Open(first)
	must(t, err)
	defer f.Close()
	must(t, formats.Create(second, container.WriteOptions{Store: true}, func(w container.Writer) error {
		return container.Copy(ctx, w, f, nil)
	}))
	for _, path := range []string{first, second} {
		f, err := formats.Open(path)
		must(t, err)
		defer f.Close()
		n := 0
		for e := range f.Entries() {
			n++
			must(t, e.Err)
			src, err := f.Source(e.Path)
			must(t, err)
			a, err := src.ReadAll(ctx)
			must(t, err)
			equal(t, e.Path, a, want[e.Path])
			if !e.DType.Equal(a.DType()) || !slices.Equal(e.Shape, a.Shape()) || e.FortranOrder != (e.Path == "group/fortran") {
				t.Errorf("the entry of %s is %+v", e.Path, e)
			}
		}
		if n != len(want) {
			t.Errorf("%s has %d entries, want %d", path, n, len(want))
		}
	}
}

// An .npy file has one array, and the same bytes as WriteFile makes.
func TestSingle(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "a.npy")
	for name, a := range arrays(t) {
		put := func(w container.Writer) error {
			return container.Put(ctx, w, container.Entry{Path: name}, nil, a)
		}
		must(t, formats.Create(path, container.WriteOptions{}, put))
		got, err := os.ReadFile(path)
		must(t, err)
		must(t, npy.Encoder{Objects: objects.Encoder{}}.WriteFile(path, a))
		want, err := os.ReadFile(path)
		must(t, err)
		if string(got) != string(want) {
			t.Errorf("%s: the bytes are not those of WriteFile", name)
		}
		f, err := formats.Open(path)
		must(t, err)
		src, err := f.Source(container.NPYPath)
		must(t, err)
		b, err := src.ReadAll(ctx)
		must(t, err)
		equal(t, name, b, a)
		if _, err := f.Source("other"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a path that is not there: %v", err)
		}
		must(t, f.Close())
	}
	err := formats.Create(path, container.WriteOptions{}, func(w container.Writer) error {
		for name, a := range arrays(t) {
			if err := container.Put(ctx, w, container.Entry{Path: name}, nil, a); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "one array") {
		t.Errorf("two arrays: error %v", err)
	}
}

// Too few or too many elements, and blocks of another dtype, are errors, and end what runs in the background.
func TestBlocks(t *testing.T) {
	ints, err := npy.FromSlice([]int32{1, 2, 3, 4}, 4)
	must(t, err)
	floats, err := npy.FromSlice([]float32{1}, 1)
	must(t, err)
	for _, tt := range []struct {
		shape  int
		blocks []*npy.Array
		want   string
	}{
		{5, []*npy.Array{ints}, "last 4 bytes"},
		{7, []*npy.Array{ints, ints}, "more elements"},
		{5, []*npy.Array{ints, floats}, "a block of dtype"},
		{8, []*npy.Array{ints, ints}, "<nil>"},
	} {
		for _, name := range []string{"a.npy", "a.npz"} {
			path := filepath.Join(t.TempDir(), name)
			err := formats.Create(path, container.WriteOptions{}, func(w container.Writer) error {
				to, err := w.Begin(container.Entry{Path: "x", DType: ints.DType(), Shape: []int{tt.shape}}, nil)
				if err != nil {
					return err
				}
				for _, b := range tt.blocks {
					if err := to.Write(b); err != nil {
						to.Close()
						return err
					}
				}
				return to.Close()
			})
			if !strings.Contains(fmt.Sprint(err), tt.want) {
				t.Errorf("%s, %d elements: error %v, want %q", name, tt.shape, err, tt.want)
			}
			if _, missing := os.Stat(path); (missing == nil) != (err == nil) {
				t.Errorf("%s: error %v, and the file: %v", name, err, missing)
			}
		}
	}
}

// An entry that cannot be read is passed over, and the others are copied.
func TestCopySkips(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "a.npz")
	w, err := npz.Create(from)
	must(t, err)
	must(t, w.AddBytes("readme.txt", []byte("text")))
	must(t, npz.Add(w, "a", []int64{1}))
	must(t, w.Close())
	f, err := formats.Open(from)
	must(t, err)
	defer f.Close()
	var skipped []string
	to := filepath.Join(dir, "b.npz")
	copying := func(skip func(container.Entry, error) error) error {
		return formats.Create(to, container.WriteOptions{}, func(w container.Writer) error {
			return container.Copy(context.Background(), w, f, skip)
		})
	}
	must(t, copying(func(e container.Entry, err error) error {
		skipped = append(skipped, e.Path+": "+err.Error())
		return nil
	}))
	if len(skipped) != 1 || skipped[0] != "readme.txt: container: not an array" {
		t.Errorf("passed over: %q", skipped)
	}
	if err := copying(nil); err == nil || !strings.Contains(err.Error(), "readme.txt") {
		t.Errorf("without skip the error is %v", err)
	}
	if _, err := formats.Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	must(t, os.WriteFile(to, []byte("neither"), 0o666))
	if _, err := formats.Open(to); !errors.Is(err, container.ErrFormat) {
		t.Errorf("a file of another format: %v", err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

// Every feature has a name, and its own one.
func TestFeatureText(t *testing.T) {
	for f, want := range map[container.Feature]string{
		container.Attributes: "attributes", container.RegionRefs: "region references", container.Charsets: "character sets",
		container.Links: "links", container.FortranOrder: "Fortran order", container.FortranOrder << 1: "",
		container.Attributes | container.FortranOrder: "attributes, Fortran order",
	} {
		text, err := f.MarshalText()
		var back container.Feature
		if err != nil || string(text) != want || back.UnmarshalText(text) != nil || want != "" && back != f {
			t.Errorf("%d is %q and then %d, error %v; want %q", f, text, back, err, want)
		}
	}
}
