package magic_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/magic"
	"github.com/npygo/npy/matlab"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/record"
)

// opens is a function that opens or reads files, and the kinds that it takes.
type opens struct {
	open  func(path string) error
	takes []string
}

// closing returns an opener that closes what it opened.
func closing[T interface{ Close() error }](open func(path string) (T, error)) func(path string) error {
	return func(path string) error {
		f, err := open(path)
		if err == nil {
			err = f.Close()
		}
		return err
	}
}

var openers = map[string]opens{
	"npy.Open":       {closing(npy.Open), []string{"npy"}},
	"npy.ReadFile":   {func(path string) error { _, err := npy.ReadFile(path); return err }, []string{"npy"}},
	"npy.Load":       {func(path string) error { _, _, err := npy.Load[float64](path); return err }, []string{"npy"}},
	"npy.OpenAppend": {closing(npy.OpenAppend), []string{"npy"}},
	"record.Load":    {func(path string) error { _, _, err := record.Load[struct{ X float64 }](path); return err }, []string{"npy"}},
	"mmap.Open":      {closing(mmap.Open), []string{"npy"}},
	"mmap.OpenRW":    {closing(mmap.OpenRW), []string{"npy"}},
	"npz.Open":       {closing(npz.Open), []string{"npz", "empty zip"}},
	"npz.Edit":       {func(path string) error { return npz.Edit(path, func(*npz.Editor) error { return nil }) }, []string{"npz", "empty zip"}},
	"hdf5.Open":      {closing(hdf5.Open), []string{"h5", "mat 7.3"}},
	"hdf5.OpenAppend": {func(path string) error {
		return closing(func(path string) (*hdf5.Appender, error) { return hdf5.OpenAppend(path, "a") })(path)
	}, []string{"h5", "mat 7.3"}},
	"netcdf.Open":            {closing(netcdf.Open), []string{"nc", "h5", "mat 7.3"}},
	"matlab.Open":            {closing(matlab.Open), []string{"mat", "mat 7.3"}},
	"parts.OpenFile":         {closing(parts.OpenFile), nil},
	"container.Formats.Open": {closing(container.Formats{}.Open), nil},
}

// others are the first bytes of files that nothing here opens.
var others = map[string]string{
	"gzip": "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "zstd": "\x28\xb5\x2f\xfd\x04\x00\x01\x00", "xz": "\xfd7zXZ\x00\x00\x04", "bzip2": "BZh91AY&SY",
	"pickle": "\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00N.", "parquet": "PAR1\x15\x04\x15\x10", "png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
	"html": "<!DOCTYPE html><html>", "lfs": "version https://git-lfs.github.com/spec/v1\n", "empty zip": "PK\x05\x06" + strings.Repeat("\x00", 10),
}

// uses are what opens the kinds of files.
var uses = map[string]string{"npy": magic.NPY, "npz": magic.NPZ, "h5": magic.HDF5, "nc": magic.NetCDF, "mat": magic.MATLAB, "mat 7.3": magic.MATLAB,
	"pickle": magic.Pickle, "png": magic.Images, "empty zip": magic.NPZ}

// writeKinds writes a file of each kind and returns their paths.
func writeKinds(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	one, err := npy.FromSlice([]float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{"npy": filepath.Join(dir, "a.npy"), "npz": filepath.Join(dir, "a.npz")}
	if err := npy.WriteFile(paths["npy"], one); err != nil {
		t.Fatal(err)
	}
	if err := npz.Save(paths["npz"], npz.Member{Name: "a", Array: one}); err != nil {
		t.Fatal(err)
	}
	for kind, f := range map[string]container.Format{
		"h5": hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{}), "nc": netcdf.Format(netcdf.Decoder{}, netcdf.Encoder{}), "mat": matlab.Format(matlab.Decoder{}, matlab.Encoder{}), "mat 7.3": matlab.Format(matlab.Decoder{}, matlab.Encoder{HDF5: true}),
	} {
		paths[kind] = filepath.Join(dir, kind)
		err := f.Create(paths[kind], container.WriteOptions{}, func(w container.Writer) error {
			return container.Put(t.Context(), w, container.Entry{Path: "a", Chunks: []int{2}}, nil, one)
		})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
	}
	for kind, text := range others {
		paths[kind] = filepath.Join(dir, kind)
		if err := os.WriteFile(paths[kind], []byte(text+strings.Repeat("\x00", 2000)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// Every function that opens a file says what a file of another kind is, and what opens it.
func TestOpenOfAnotherKind(t *testing.T) {
	for kind, path := range writeKinds(t) {
		for name, o := range openers {
			err := o.open(path)
			if slices.Contains(o.takes, kind) {
				if err != nil && strings.Contains(err.Error(), "this is ") {
					t.Errorf("%s of %s: %v", name, kind, err)
				}
				continue
			}
			want := "this is "
			if use := uses[kind]; use != "" {
				want = ": use " + use
			}
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s of %s: error %v, want one line with %q", name, kind, err, want)
			}
		}
	}
}

// What is not known, and what is too short to be known, is not explained.
func TestExplain(t *testing.T) {
	for head, want := range map[string]string{"": "", "\x93": "", "P": "", "text": "", "PK\x03\x04": "this is a zip archive, so probably .npz: use npz.Open"} {
		if got := magic.Explain([]byte(head), magic.NPY); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}
