package all_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/container/all"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/matlab"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npz"
)

// A reader has the methods of the Readers of all formats.
type reader interface {
	io.Closer
	Source(path string) (npy.Source, error)
}

// A writer has the methods of the Writers of all formats.
type writer interface {
	io.Closer
	Abort()
}

// A sibling is a package of a format: the functions that each of them has.
type sibling struct {
	ending    string
	open      func(path string) (reader, error)
	newReader func(r io.ReaderAt, size int64) (reader, error)
	create    func(path string) (writer, error)
	newWriter func(w *os.File) (writer, error)
	add       func(w writer, path string, a *npy.Array) error
}

// siblingOf makes a sibling of the functions of a package, which have the same arguments and results in each. npz and netcdf
// write streams, so that their To is an io.Writer; hdf5 and matlab need an io.WriteSeeker.
func siblingOf[R reader, W writer, To io.Writer](ending string, open func(string) (R, error), newReader func(io.ReaderAt, int64) (R, error),
	create func(string) (W, error), newWriter func(To) (W, error), add func(w W, path string, a *npy.Array) error) sibling {
	return sibling{
		ending:    ending,
		open:      func(path string) (reader, error) { return open(path) },
		newReader: func(r io.ReaderAt, size int64) (reader, error) { return newReader(r, size) },
		create:    func(path string) (writer, error) { return create(path) },
		newWriter: func(w *os.File) (writer, error) { return newWriter(any(w).(To)) },
		add:       func(w writer, path string, a *npy.Array) error { return add(w.(W), path, a) },
	}
}

var siblings = []sibling{
	siblingOf(".npz", npz.Open, npz.NewReader, npz.Create, npz.NewWriter, (*npz.Writer).Add),
	siblingOf(".h5", hdf5.Open, hdf5.NewReader, hdf5.Create, hdf5.NewWriter, added[*hdf5.Writer]),
	siblingOf(".nc", netcdf.Open, netcdf.NewReader, netcdf.Create, netcdf.NewWriter, added[*netcdf.Writer]),
	siblingOf(".mat", matlab.Open, matlab.NewReader, matlab.Create, matlab.NewWriter, added[*matlab.Writer]),
	siblingOf(".mat", matlab.Open, matlab.NewReader, matlab.Encoder{HDF5: true}.Create, matlab.Encoder{HDF5: true}.NewWriter, added[*matlab.Writer]),
}

// added adds an array without attributes, which archives do not have.
func added[W interface {
	Add(path string, a *npy.Array, attributes ...container.Attribute) error
}](w W, path string, a *npy.Array) error {
	return w.Add(path, a)
}

func matrix(t *testing.T) *npy.Array {
	t.Helper()
	a, err := npy.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// check reports what is wrong with the array x of a file.
func check(t *testing.T, r interface {
	Source(path string) (npy.Source, error)
}) {
	t.Helper()
	src, err := r.Source("x")
	if err != nil {
		t.Fatal(err)
	}
	a, err := src.ReadAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if v, err := npy.As[float64](a); err != nil || !slices.Equal(v.Shape(), []int{2, 3}) || v.At(1, 0) != 4 {
		t.Errorf("%v, %v", a, err)
	}
}

// Each format is read and written by functions of the same names, arguments and results.
func TestSiblings(t *testing.T) {
	for _, s := range siblings {
		t.Run(s.ending, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x"+s.ending)
			w, err := s.create(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.add(w, "x", matrix(t)); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Error("there is a file before Close:", err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); !errors.Is(err, fs.ErrClosed) {
				t.Error("Close after Close:", err)
			}
			if err := s.add(w, "y", matrix(t)); !errors.Is(err, fs.ErrClosed) {
				t.Error("Add after Close:", err)
			}
			w.Abort() // does nothing

			r, err := s.open(path)
			if err != nil {
				t.Fatal(err)
			}
			check(t, r)
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if r, err = s.newReader(bytes.NewReader(data), int64(len(data))); err != nil {
				t.Fatal(err)
			}
			check(t, r)

			f, err := all.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			check(t, f)
		})
	}
}

// A Writer into a file of its caller leaves it open.
func TestSiblingsNewWriter(t *testing.T) {
	for _, s := range siblings {
		f, err := os.Create(filepath.Join(t.TempDir(), "x"+s.ending))
		if err != nil {
			t.Fatal(err)
		}
		w, err := s.newWriter(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.add(w, "x", matrix(t)), w.Close(), f.Close()); err != nil {
			t.Fatal(s.ending, err)
		}
		r, err := s.open(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		check(t, r)
		r.Close()
	}
}

// After Abort the folder is as it was.
func TestSiblingsAbort(t *testing.T) {
	for _, s := range siblings {
		path := filepath.Join(t.TempDir(), "x"+s.ending)
		if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := s.create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.add(w, "x", matrix(t)); err != nil {
			t.Fatal(err)
		}
		w.Abort()
		if err := w.Close(); !errors.Is(err, fs.ErrClosed) {
			t.Error(s.ending, "Close after Abort:", err)
		}
		entries, err := os.ReadDir(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != "old" || len(entries) != 1 {
			t.Errorf("%s: %q, %v, and %d files", s.ending, data, err, len(entries))
		}
	}
}

// Open opens .npy files, too, with Python objects, and says what a file is that it does not know.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	a, err := npy.FromObjects([]any{"text", int64(1), nil})
	if err != nil {
		t.Fatal(err)
	}
	err = all.Formats().Create(path, container.WriteOptions{}, func(w container.Writer) error {
		return container.Put(t.Context(), w, container.Entry{Path: container.NPYPath}, nil, a)
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := all.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for e := range f.Entries() {
		src, err := f.Source(e.Path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := src.ReadAll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if values, err := got.Objects(); err != nil || len(values) != 3 || values[0] != "text" {
			t.Errorf("%v, %v", values, err)
		}
	}
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("%PDF-1.4"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := all.Open(other); !errors.Is(err, container.ErrFormat) {
		t.Error(err)
	}
}
