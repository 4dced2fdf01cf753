package matlab_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/matlab"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/source"
)

// must returns v.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A named is an array and its path.
type named struct {
	path string
	npy.Source
}

// save writes arrays to a new file and opens it.
func save(t testing.TB, o container.WriteOptions, arrays ...named) (*matlab.Reader, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.mat")
	err := matlab.Format(matlab.Decoder{}, matlab.Encoder{}).Create(path, o, func(w container.Writer) error {
		for _, a := range arrays {
			if err := container.Put(context.Background(), w, container.Entry{Path: a.path}, nil, a.Source); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := matlab.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m, path
}

var storedAndCompressed = map[string]container.WriteOptions{"stored": {Store: true}, "compressed": {}}

// Every kind of Source of this package reads as npy.File does.
func TestSource(t *testing.T) {
	vectors, err := npytest.Vectors("../testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range storedAndCompressed {
		t.Run(name, func(t *testing.T) {
			files := map[string]npy.Source{}
			npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
				if !isPlain(v.DType) || len(v.Shape) < 2 {
					return nil
				}
				if files[v.Path] == nil {
					m, _ := save(t, o, named{"x", must(npy.ReadFile(v.Path))})
					files[v.Path] = must(m.Source("x"))
				}
				return files[v.Path]
			})
		})
	}
}

// isPlain reports whether a dtype comes back as it is.
func isPlain(t dtype.Type) bool {
	switch t.Kind() {
	case dtype.KindBool:
	case dtype.KindInt, dtype.KindUint, dtype.KindFloat, dtype.KindComplex:
		return t.ByteOrder() != dtype.BigEndian && t.ItemSize() != 2*boolInt(t.Kind() == dtype.KindFloat) && t.ItemSize() <= 8*(1+boolInt(t.Kind() == dtype.KindComplex))
	default:
		return false
	}
	return true
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// content has arrays of all kinds, at the top and nested.
func content() []named {
	var all []named
	add := func(path string, a *npy.Array, err error) { all = append(all, named{path, must(a, err)}) }
	numbers := make([]float64, 60)
	for i := range numbers {
		numbers[i] = float64(i*i) / 8
	}
	grid := must(npy.FromSlice(numbers, 3, 4, 5))
	add("grid", grid, nil)
	add("fortran", grid.Fortran(), nil)
	add("part", must(grid.Slice(npy.At(1), npy.All().By(-1))), nil)
	add("vector", must(npy.FromSlice([]int16{1, -2, 3})), nil)
	add("scalar", must(npy.FromSlice([]uint64{1<<64 - 1}, []int{}...)), nil)
	add("empty", must(npy.FromSlice([]float32{}, 0, 3)), nil)
	add("yes", must(npy.FromSlice([]bool{true, false, true, true, false, false}, 3, 2)), nil)
	add("z", must(npy.FromSlice([]complex128{1 + 2i, 3, -4i, 5.5}, 2, 2)), nil)
	add("z64", must(npy.FromSlice([]complex64{1 + 2i, 3}, 2)), nil)
	add("word", must(npy.FromSliceAs(dtype.Str(5), []string{"añ日𝄞"}, []int{}...)), nil)
	add("lines", must(npy.FromSliceAs(dtype.Str(5), []string{"one", "three"})), nil)
	add("bytes", must(npy.FromBytes(dtype.Bytes(5), []byte("ab\x00\x00\x00c\x00\x00\x00\x00\x00\x00\x00\x00\x00abcde"), 2, 2)), nil)
	add("texts", must(npy.FromObjects([]any{"first", "", "日本"})), nil)
	add("s/x", must(npy.FromSlice([]int8{1, 2, 3, 4}, 2, 2)), nil)
	add("s/inner/y", grid, nil)
	add("s/inner/word", must(npy.FromSliceAs(dtype.Str(5), []string{"hello"}, []int{}...)), nil)
	add("c/0", grid.T(), nil)
	add("c/1", must(npy.FromSlice([]complex64{1i})), nil)
	add("people/0/name", must(npy.FromSliceAs(dtype.Str(5), []string{"Ada"}, []int{}...)), nil)
	add("people/0/age", must(npy.FromSlice([]float64{36})), nil)
	add("people/1/name", must(npy.FromSliceAs(dtype.Str(5), []string{"Grace"}, []int{}...)), nil)
	add("people/1/age", must(npy.FromSlice([]float64{85})), nil)
	for _, format := range []string{"csr", "csc"} {
		add(format+"/data", must(npy.FromSlice([]float64{1.5, 2, -3})), nil)
		add(format+"/indices", must(npy.FromSlice([]int32{2, 0, 1})), nil)
		add(format+"/indptr", must(npy.FromSlice([]int32{0, 1, 1, 3})), nil)
		add(format+"/shape", must(npy.FromSlice([]int64{3, 3})), nil)
		add(format+"/format", must(npy.FromBytes(dtype.Bytes(3), []byte(format), []int{}...)), nil)
	}
	add("coo/data", must(npy.FromSlice([]bool{true, true})), nil)
	add("coo/row", must(npy.FromSlice([]int32{3, 0})), nil)
	add("coo/col", must(npy.FromSlice([]int32{0, 1})), nil)
	add("coo/shape", must(npy.FromSlice([]int64{4, 2})), nil)
	return all
}

// paths that are not written as they are.
var written = map[string]string{"texts": "texts", "csr/indices": "", "csr/indptr": "", "csr/data": "", "csr/format": "", "coo/row": "", "coo/col": "", "coo/data": "coo/data"}

// Written files read back, here and in SciPy.
func TestWriter(t *testing.T) {
	for name, o := range storedAndCompressed {
		t.Run(name, func(t *testing.T) {
			all := content()
			m, path := save(t, o, all...)
			for _, a := range all {
				if _, ok := written[a.path]; ok {
					continue
				}
				src, err := m.Source(a.path)
				if err != nil {
					t.Errorf("%s: %v", a.path, err)
					continue
				}
				if err := sameAs(a.Source, src); err != nil {
					t.Errorf("%s: %v", a.path, err)
				}
			}
			want := map[string]expected{}
			if err := json.Unmarshal(values(t, path)["x.mat"], &want); err != nil {
				t.Fatal(err)
			}
			delete(want, "coo/data") // SciPy has numbers
			for path := range want {
				if _, err := m.Entry(path); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			want["coo/data"] = expected{kind: "b", size: 1, shape: []int{2}, sum: "9dcf97a184f32623d11a73124ceb99a5709b083721e878a16d78f596718ba7b2"}
			sameValues(t, m, want)
		})
	}
}

// sameAs compares written arrays with read ones: at least two dimensions, text padded with spaces.
func sameAs(src, got npy.Source) error {
	a, err := src.ReadAll(context.Background())
	if err != nil {
		return err
	}
	b, err := got.ReadAll(context.Background())
	if err != nil {
		return err
	}
	if k := a.DType().Kind(); k == dtype.KindStr || k == dtype.KindBytes {
		x, y := must(npy.As[string](a)).ToSlice(), must(npy.As[string](b)).ToSlice()
		for i := range y {
			y[i] = strings.TrimRight(y[i], " ")
		}
		if !slices.Equal(x, y) {
			return errors.New("other text")
		}
		return nil
	}
	if a, err = a.Cast(b.DType(), npy.SafeCasting); err != nil {
		return err
	}
	shape := a.Shape()
	for len(shape) < 2 {
		shape = append([]int{1}, shape...)
	}
	if b.NDim() == 1 { // a member of a sparse matrix
		shape = shape[1:]
	}
	if !slices.Equal(shape, b.Shape()) || string(a.Bytes()) != string(b.Bytes()) {
		return errors.New("other shape or elements")
	}
	return nil
}

// matdump, of libmatio, reads written files.
func TestMatdump(t *testing.T) {
	program, err := exec.LookPath("matdump")
	if err != nil {
		values(t) // skips, or fails in CI
		t.Skip("there is no matdump")
	}
	dump := func(name, path string, wanted ...string) {
		out, err := exec.Command(program, "-d", path).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		for _, want := range wanted {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: matdump prints no %q", name, want)
			}
		}
	}
	for name, o := range storedAndCompressed {
		_, path := save(t, o, content()...)
		dump(name, path, "grid(:,:,4) = \n    2 10.125 24.5 45.125", "1 + 2i", "Sparse Array (logical)", "Structure", "Cell Array", "Character Array")
	}
	_, path := save73(t, container.WriteOptions{}, content73()...)
	dump("7.3", path, "grid(:,:,4) = \n    2 10.125 24.5 45.125", "1 + 2i", "Structure", "Character Array", "three")
}

func TestWriterRefuses(t *testing.T) {
	long := must(npy.New(dtype.LongDouble, 1))
	record := must(npy.New(must(dtype.Parse("i4,f8")), 1))
	wide := source.Whole(dtype.Float64, []int{1 << 14, 1 << 15}, nil)
	one := must(npy.FromSlice([]float64{1}))
	path := filepath.Join(t.TempDir(), "x.mat")
	err := matlab.Format(matlab.Decoder{}, matlab.Encoder{}).Create(path, container.WriteOptions{}, func(w container.Writer) error {
		for _, a := range []named{{"x", long}, {"x", record}} {
			if _, err := w.Begin(container.Entry{Path: a.path, DType: a.DType(), Shape: a.Shape()}, nil); !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("dtype %s: error %v", a.DType(), err)
			}
		}
		var over *npy.LimitError
		if _, err := w.Begin(container.Entry{Path: "x", DType: wide.DType(), Shape: wide.Shape()}, nil); strconv.IntSize == 64 && (!errors.As(err, &over) || !strings.Contains(err.Error(), "7.3")) {
			t.Errorf("4 GiB: error %v", err)
		}
		if err := container.Put(context.Background(), w, container.Entry{Path: "x-y"}, nil, one); err != nil {
			t.Error(err)
		}
		for _, path := range []string{"x-y", "x_y", "x_y/z"} {
			if _, err := w.Begin(container.Entry{Path: path, DType: dtype.Int8}, nil); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s: error %v", path, err)
			}
		}
		short, err := w.Begin(container.Entry{Path: "short", DType: dtype.Float64, Shape: []int{2}}, nil)
		if err == nil {
			err = short.Write(one)
		}
		if err != nil {
			t.Error(err)
		}
		if err := short.Close(); err == nil {
			t.Error("an array that ends early: no error")
		}
		return fs.ErrInvalid
	})
	if !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("error %v", err)
	}
	if _, err := matlab.Open(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after an error the file is there: %v", err)
	}
}

func TestLosses(t *testing.T) {
	e := container.Entry{Path: "a b", DType: dtype.Datetime64(dtype.Step{Unit: dtype.Second}), Dims: []string{"time"}}
	for i, f := range []container.Format{matlab.Format(matlab.Decoder{}, matlab.Encoder{}), matlab.Format(matlab.Decoder{}, matlab.Encoder{HDF5: true})} {
		if lost := lostOf(t, f, e, container.Attribute{Name: "unit"}); len(lost) != 4 {
			t.Errorf("losses %v", lost)
		}
		if lost := lostOf(t, f, container.Entry{Path: "c/0", DType: dtype.Int8}); len(lost) != i {
			t.Errorf("losses %v", lost)
		}
	}
}

// lostOf returns the losses that writing an entry of one element reports.
func lostOf(t *testing.T, f container.Format, e container.Entry, attributes ...container.Attribute) (lost []container.Loss) {
	t.Helper()
	e.Shape = []int{1}
	err := f.Create(filepath.Join(t.TempDir(), "a"), container.WriteOptions{Lost: func(l container.Loss) { lost = append(lost, l) }}, func(w container.Writer) error {
		return container.Put(context.Background(), w, e, attributes, must(npy.New(e.DType, 1)))
	})
	if err != nil {
		t.Fatal(err)
	}
	return lost
}

// An array that does not fit the memory of a spool goes through a temporary file.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("40 MB")
	}
	values := make([]float64, 5000*1001)
	for i := range values {
		values[i] = float64(i % 1000)
	}
	a := must(npy.FromSlice(values, 5000, 1001))
	m, _ := save(t, container.WriteOptions{}, named{"x", a}, named{"s/y", a})
	for _, path := range []string{"x", "s/y"} {
		if err := sameAs(a, must(m.Source(path))); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
