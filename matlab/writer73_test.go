package matlab_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/matlab"
	"github.com/npygo/npy/npytest"
)

// save73 writes arrays to a file of version 7.3 and opens it.
func save73(t testing.TB, o container.WriteOptions, arrays ...named) (*matlab.Reader, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.mat")
	err := matlab.Format(matlab.Decoder{}, matlab.Encoder{HDF5: true}).Create(path, o, func(w container.Writer) error {
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

func TestSource73(t *testing.T) {
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
					m, _ := save73(t, o, named{"x", must(npy.ReadFile(v.Path))})
					files[v.Path] = must(m.Source("x"))
				}
				return files[v.Path]
			})
		})
	}
}

// content73 is content without what version 7.3 is not written with.
func content73() []named {
	var all []named
	for _, a := range content() {
		if top, _, _ := strings.Cut(a.path, "/"); top != "c" && top != "people" && top != "csr" && top != "csc" && top != "coo" && a.path != "texts" {
			all = append(all, a)
		}
	}
	return all
}

func TestWriter73(t *testing.T) {
	m, path := save73(t, container.WriteOptions{}, content73()...)
	if m.Format() != "MATLAB 7.3" {
		t.Errorf("the format is %s", m.Format())
	}
	for _, a := range content73() {
		src, err := m.Source(a.path)
		if err == nil {
			err = sameAs(a.Source, src)
		}
		if err != nil {
			t.Errorf("%s: %v", a.path, err)
		}
	}
	head := must(os.ReadFile(path))[:132]
	if !strings.HasPrefix(string(head), "MATLAB 7.3 MAT-file") || string(head[124:128]) != "\x00\x02IM" {
		t.Errorf("the file begins with %q", head)
	}
	out := oracle.Module(t, "h5py", `
import h5py
f = h5py.File(sys.argv[1])
print(f.userblock_size)
for name in ("grid", "yes", "word", "z", "empty", "s", "s/inner/word"):
    o = f[name]
    print(name, {k: v.item() if hasattr(v, "item") else v for k, v in sorted(o.attrs.items())}, getattr(o, "shape", None), getattr(o, "dtype", None))
print(f["grid"][4, 3, 2], f["word"][0, 0], f["z"][1, 0])
`, path)
	want := `512
grid {'MATLAB_class': b'double'} (5, 4, 3) float64
yes {'MATLAB_class': b'logical', 'MATLAB_int_decode': 1} (2, 3) uint8
word {'MATLAB_class': b'char', 'MATLAB_int_decode': 2} (5, 1) uint16
z {'MATLAB_class': b'double'} (2, 2) [('real', '<f8'), ('imag', '<f8')]
empty {'MATLAB_class': b'single', 'MATLAB_empty': 1} (2,) uint64
s {'MATLAB_class': b'struct'} None None
s/inner/word {'MATLAB_class': b'char', 'MATLAB_int_decode': 2} (5, 1) uint16
435.125 97 (3., 0.)
`
	if string(out) != want {
		t.Errorf("h5py reads\n%s, want\n%s", out, want)
	}
}

func TestWriter73Refuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.mat")
	one := must(npy.FromSlice([]float64{1}))
	err := matlab.Format(matlab.Decoder{}, matlab.Encoder{HDF5: true}).Create(path, container.WriteOptions{}, func(w container.Writer) error {
		if _, err := w.Begin(container.Entry{Path: "x", DType: dtype.LongDouble, Shape: []int{1}}, nil); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("long double: error %v", err)
		}
		if err := container.Put(context.Background(), w, container.Entry{Path: "x"}, nil, one); err != nil {
			t.Error(err)
		}
		for _, path := range []string{"x", "x/y"} {
			if _, err := w.Begin(container.Entry{Path: path, DType: dtype.Int8}, nil); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s: error %v", path, err)
			}
		}
		numbers := must(npy.FromObjects([]any{1, 2}))
		if err := container.Put(context.Background(), w, container.Entry{Path: "o"}, nil, numbers); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("objects: error %v", err)
		}
		return fs.ErrInvalid
	})
	if !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("error %v", err)
	}
}
