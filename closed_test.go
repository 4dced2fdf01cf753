package npy_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/npytest"
)

// fileAfterClose lists every method that reads a File, with its result after Close.
var fileAfterClose = map[string]func(f *npy.File) error{
	"ReadAll": func(f *npy.File) error { _, err := f.ReadAll(context.Background()); return err },
	"Slice":   func(f *npy.File) error { _, err := f.Slice(npy.All()); return err },
	"Select":  func(f *npy.File) error { _, err := f.Select(npy.All()); return err },
	"Blocks": func(f *npy.File) error {
		for _, err := range f.Blocks(context.Background(), 0) {
			return err
		}
		return nil
	},
	"Print":   func(f *npy.File) error { return npy.Printer{}.Print(io.Discard, f) },
	"Copy":    func(f *npy.File) error { return npy.Copier{}.Write(context.Background(), io.Discard, f) },
	"Regions": func(f *npy.File) error { _, err := f.Regions(context.Background()); return err },
	"Data": func(f *npy.File) error {
		data, _ := f.Data()
		_, err := io.ReadAll(data)
		if f.Header().NBytes() == 0 {
			return fs.ErrClosed // there is nothing to read
		}
		return err
	},
}

// After Close every read of a File is an error, also of an array without elements and of a reader that the caller owns.
func TestFileClosed(t *testing.T) {
	headerMethods := []string{"Header", "DType", "Shape", "StoredOrder", "Close", "MarshalJSON"}
	file := reflect.TypeFor[*npy.File]()
	for i := range file.NumMethod() {
		m := file.Method(i)
		if fileAfterClose[m.Name] == nil && !slices.Contains(headerMethods, m.Name) {
			t.Errorf("File.%s: what it does after Close is not tested", m.Name)
		}
	}
	for _, shape := range [][]int{{3}, {0, 2}, {}, {300, 400}} {
		data := fileOf(t, dtype.Int16, false, shape...)
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		for how, f := range map[string]*npy.File{
			"Open":         must(npy.Open(path)),
			"OpenReaderAt": must(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data)))),
		} {
			if err := errors.Join(f.Close(), f.Close()); err != nil {
				t.Errorf("%s: closing twice: %v", how, err)
			}
			for name, use := range fileAfterClose {
				if err := use(f); !errors.Is(err, fs.ErrClosed) {
					t.Errorf("%s, shape %v: %s after Close: error %v, want fs.ErrClosed", how, shape, name, err)
				}
			}
			if !slices.Equal(f.Shape(), f.Header().Shape) || !f.DType().Equal(dtype.Int16) {
				t.Errorf("%s: after Close the header is gone", how)
			}
		}
	}
}

// Every writer refuses data after Close.
func TestWritersClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.Save(path, []int16{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	a := must(npy.OpenAppend(path))
	if err := errors.Join(a.Close(), a.Close()); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	for _, err := range []error{a.Append(must(npy.FromSlice([]int16{4}))), a.Append(must(npy.FromSlice([]int16{}))), npy.AppendRows(a, []int16{4})} {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("Append after Close: error %v, want fs.ErrClosed", err)
		}
	}
	for _, w := range []*npy.RowWriter[int16]{
		must(npy.CreateRows[int16](path, npy.UnknownRows)),
		must(npy.NewRowWriter[int16](new(bytes.Buffer), 1)),
	} {
		w.Abort()
		if err := w.Close(); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("Close after Abort: error %v, want fs.ErrClosed", err)
		}
		for _, data := range [][]int16{{1}, {}} {
			if err := w.Write(data); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("Write of %d rows after the end: error %v, want fs.ErrClosed", len(data), err)
			}
		}
	}
	if got, _, err := npy.Load[int16](path); err != nil || !slices.Equal(got, []int16{1, 2, 3}) {
		t.Errorf("the file holds %v, %v", got, err)
	}
}

// A writer that was given up says so, and one that has failed does not succeed when it is closed again.
func TestAbortedRows(t *testing.T) {
	npytest.TestAbort(t, func(t *testing.T) (npytest.Aborter, func() error, func() bool) {
		path := filepath.Join(t.TempDir(), "a.npy")
		w := must(npy.CreateRows[int16](path, npy.UnknownRows))
		return w, func() error { return w.Write([]int16{1}) }, func() bool { return exists(path) }
	})
	w := must(npy.CreateRows[int16](filepath.Join(t.TempDir(), "a.npy"), 2))
	first := w.Close()
	if again := w.Close(); !errors.Is(first, io.ErrShortWrite) || !errors.Is(again, io.ErrShortWrite) {
		t.Errorf("Close of too few rows: error %v, then %v", first, again)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
