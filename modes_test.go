package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/npz"
)

// modes lists the ways to read an array, except the ways that read it whole, which are in paths.
var modes = []struct {
	name string
	read func(path string, data []byte) (*npy.Array, error)
}{
	{"Open and Slice", func(path string, _ []byte) (*npy.Array, error) { return sliced(npy.Open(path)) }},
	{"OpenReaderAt and Slice", func(_ string, data []byte) (*npy.Array, error) {
		return sliced(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data))))
	}},
	{"mmap.Open", func(path string, _ []byte) (*npy.Array, error) { return mapped(mmap.Open(path)) }},
	{"mmap.OpenCopy", func(path string, _ []byte) (*npy.Array, error) { return mapped(mmap.OpenCopy(path)) }},
	{"mmap.OpenRW", func(path string, _ []byte) (*npy.Array, error) { return mapped(mmap.OpenRW(path)) }},
	{"stored member", func(path string, _ []byte) (*npy.Array, error) { return member(path, npz.Encoder{Store: true}) }},
	{"deflated member", func(path string, _ []byte) (*npy.Array, error) { return member(path, npz.Encoder{}) }},
	{"copied", func(path string, _ []byte) (*npy.Array, error) {
		f, err := npy.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if err := (npy.Copier{}).WriteFile(context.Background(), path+".copy", f); err != nil {
			return nil, err
		}
		return npy.ReadFile(path + ".copy")
	}},
}

func sliced(f *npy.File, err error) (*npy.Array, error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Slice()
}

func mapped(f *mmap.File, err error) (a *npy.Array, _ error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = f.Do(func(inside *npy.Array) error {
		a = inside.Clone()
		return nil
	})
	return a, err
}

func member(path string, e npz.Encoder) (*npy.Array, error) {
	a, err := npy.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := e.Save(path+".npz", npz.Member{Name: "a", Array: a}); err != nil {
		return nil, err
	}
	z, err := npz.Open(path + ".npz")
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.Array("a")
}

// copyOf copies the file of a vector to a place where it may be changed.
func copyOf(t *testing.T, v npytest.Vector) (path string, data []byte) {
	t.Helper()
	path, data = filepath.Join(t.TempDir(), "a.npy"), must(os.ReadFile(v.Path))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, data
}

func TestVectorsInEveryMode(t *testing.T) {
	for _, v := range vectors(t) {
		path, data := copyOf(t, v)
		for _, m := range modes {
			a, err := m.read(path, data)
			switch {
			case errors.Is(err, errors.ErrUnsupported) && !v.HasObject():
				t.Logf("%s: %v", m.name, err) // no mappings here
			case v.HasObject():
				if !errors.Is(err, npy.ErrObjects) {
					t.Errorf("%s, %s: error %v, want %v", v.Path, m.name, err, npy.ErrObjects)
				}
			case err != nil:
				t.Errorf("%s, %s: %v", v.Path, m.name, err)
			default:
				if err := v.Check(a); err != nil {
					t.Errorf("%s: %v", m.name, err)
				}
			}
		}
	}
}

// typedModes returns the elements of a file as T by each function with a type parameter.
func typedModes[T npy.Element](path string) map[string]func() ([]T, error) {
	return map[string]func() ([]T, error){
		"Load": func() ([]T, error) { return first(npy.Load[T](path)) },
		"RowReader": func() ([]T, error) {
			f := must(os.Open(path))
			defer f.Close()
			r, err := npy.NewRowReader[T](f)
			if errors.Is(err, npy.ErrFortranOrder) { // rows are columns, so the elements are in the order of the transpose
				return first(npy.Load[T](path))
			}
			return allRows(r, err)
		},
		"mmap.Load": func() ([]T, error) {
			f, err := mmap.Open(path)
			if errors.Is(err, errors.ErrUnsupported) {
				return first(npy.Load[T](path))
			}
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return first(mmap.Load[T](f))
		},
	}
}

func first[T any](data []T, _ []int, err error) ([]T, error) { return data, err }

func allRows[T npy.Element](r *npy.RowReader[T], err error) (all []T, _ error) {
	if err != nil {
		return nil, err
	}
	for rows, err := range r.Blocks(2) {
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// sameTyped compares the results of all functions for T with a view of the array.
func sameTyped[T npy.Element](t *testing.T, v npytest.Vector, a *npy.Array) {
	t.Helper()
	view, refused := npy.As[T](a)
	for name, read := range typedModes[T](v.Path) {
		got, err := read()
		switch {
		case refused != nil:
			if err == nil {
				t.Errorf("%s, %s as %T: no error, As gives %v", v.Path, name, *new(T), refused)
			}
		case err != nil || fmt.Sprint(got) != fmt.Sprint(view.ToSlice()):
			t.Errorf("%s, %s as %T: %v, error %v, want %v", v.Path, name, *new(T), got, err, view.ToSlice())
		}
	}
}

func TestVectorsInEveryTypedMode(t *testing.T) {
	for _, v := range vectors(t) {
		if v.HasObject() {
			continue
		}
		a := must(npy.ReadFile(v.Path))
		sameTyped[bool](t, v, a)
		sameTyped[int8](t, v, a)
		sameTyped[int64](t, v, a)
		sameTyped[uint16](t, v, a)
		sameTyped[uint64](t, v, a)
		sameTyped[float32](t, v, a)
		sameTyped[float64](t, v, a)
		sameTyped[complex128](t, v, a)
		sameTyped[string](t, v, a)
		sameTyped[[]byte](t, v, a)
	}
}
