package hdf5_test

import (
	"errors"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
)

// After Close every method of a Reader that needs the file fails, also with a reader of the caller.
func TestClosed(t *testing.T) {
	methods := map[string]func(r *hdf5.Reader) error{
		"Entry":      func(r *hdf5.Reader) error { _, err := r.Entry("layouts/gzip"); return err },
		"Source":     func(r *hdf5.Reader) error { _, err := r.Source("layouts/gzip"); return err },
		"Attributes": func(r *hdf5.Reader) error { _, err := r.Attributes(""); return err },
		"Entries": func(r *hdf5.Reader) error {
			for e := range r.Entries() {
				return e.Err
			}
			return nil
		},
	}
	reader := reflect.TypeFor[*hdf5.Reader]()
	for i := range reader.NumMethod() {
		if name := reader.Method(i).Name; methods[name] == nil && !slices.Contains([]string{"Format", "Close", "Omitted", "IsNetCDF"}, name) {
			t.Errorf("Reader.%s: what it does after Close is not tested", name)
		}
	}
	f := must(os.Open("testdata/layouts-earliest.h5"))
	defer f.Close()
	for how, r := range map[string]*hdf5.Reader{
		"Open":      must(hdf5.Open("testdata/layouts-earliest.h5")),
		"NewReader": must(hdf5.NewReader(f, must(f.Stat()).Size())),
	} {
		for e := range r.Entries() { // everything is cached
			_ = e
		}
		if err := errors.Join(r.Close(), r.Close()); err != nil {
			t.Error(err)
		}
		for name, use := range methods {
			if err := use(r); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%s: Reader.%s after Close: error %v", how, name, err)
			}
		}
	}
}

var _ container.Container = (*hdf5.Reader)(nil)
