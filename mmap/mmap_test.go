package mmap_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npytest"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// ways are the functions that map an existing file.
var ways = map[string]func(string) (*mmap.File, error){"Open": mmap.Open, "OpenRW": mmap.OpenRW, "OpenCopy": mmap.OpenCopy}

func TestVectors(t *testing.T) {
	for _, dir := range []string{"../testdata/numpy-1.24.2", "../testdata/numpy-2.3.5", "../testdata/numpy-2.5.2"} {
		for _, v := range must(npytest.Vectors(dir)) {
			path := filepath.Join(t.TempDir(), "a.npy")
			if err := os.WriteFile(path, must(os.ReadFile(v.Path)), 0o600); err != nil {
				t.Fatal(err)
			}
			for name, open := range ways {
				checkVector(t, name, v, path, open)
			}
		}
	}
}

func checkVector(t *testing.T, name string, v npytest.Vector, path string, open func(string) (*mmap.File, error)) {
	t.Helper()
	f, err := open(path)
	if v.DType.HasObject() {
		if !errors.Is(err, npy.ErrObjects) {
			t.Errorf("%s: %s: error %v, want %v", v.Path, name, err, npy.ErrObjects)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %s: %v", v.Path, name, err)
		return
	}
	defer f.Close()
	if err := f.Do(v.Check); err != nil {
		t.Errorf("%s: %s: %v", v.Path, name, err)
	}
	if !slices.Equal(f.Shape(), v.Shape) || !f.DType().Equal(v.DType) || f.Header().FortranOrder != v.FortranOrder {
		t.Errorf("%s: %s: header %v", v.Path, name, f.Header())
	}
}

// numbered creates an array of n float64; element i is i.
func numbered(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.npy")
	data := make([]float64, n)
	for i := range data {
		data[i] = float64(i)
	}
	if err := npy.Save(path, data); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhoSeesChanges(t *testing.T) {
	if !bulk.Shares {
		t.Skip("views need unsafe")
	}
	for name, inFile := range map[string]bool{"OpenRW": true, "OpenCopy": false} {
		path := numbered(t, 1000)
		f := must(ways[name](path))
		v := must(mmap.ViewOf[float64](f))
		v.Set(-1, 500)
		if err := errors.Join(f.FlushRows(500, 501), f.FlushRows(3, 3), f.Flush()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got, _, err := npy.Load[float64](path)
		if err != nil || (got[500] == -1) != inFile {
			t.Errorf("%s: the file has %v, error %v", name, got[500], err)
		}
		if again, _, err := mmap.Load[float64](f, npy.At(500)); err != nil || again[0] != -1 {
			t.Errorf("%s: the mapping has %v, error %v", name, again, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestCreateNeverDestroys(t *testing.T) {
	path := numbered(t, 100)
	old := must(os.ReadFile(path))
	if _, err := mmap.Create(path, dtype.Int8, 3); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v, want %v", err, fs.ErrExist)
	}
	if _, err := mmap.Create(path, dtype.Int8, -3); err == nil {
		t.Error("a negative dimension is created")
	}
	if _, err := mmap.Create(path+"o", dtype.Object, 3); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("error %v, want %v", err, npy.ErrObjects)
	}
	if got := must(os.ReadFile(path)); !slices.Equal(got, old) {
		t.Error("the old file has changed")
	}
	before := must(mmap.Open(path))
	defer before.Close()
	after, err := mmap.Options{Replace: true}.Create(path, dtype.Int8, 3)
	if runtime.GOOS == "windows" { // where an open file cannot be replaced
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Fatalf("an open file is replaced: %v", err)
		}
		before.Close()
		after, err = mmap.Options{Replace: true}.Create(path, dtype.Int8, 3)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	if got, _, err := mmap.Load[float64](before, npy.At(99)); runtime.GOOS != "windows" && (err != nil || got[0] != 99) {
		t.Errorf("the old mapping has %v, error %v", got, err)
	}
	if got, _, err := npy.Load[int8](path); err != nil || !slices.Equal(got, make([]int8, 3)) {
		t.Errorf("the new file has %v, error %v", got, err)
	}
	if names := must(os.ReadDir(filepath.Dir(path))); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

func TestCreateShapes(t *testing.T) {
	for _, shape := range [][]int{{}, {0}, {3, 0, 2}, {2, 3}, {1}} {
		for _, fortran := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "a.npy")
			f := must(mmap.Options{Fortran: fortran, Advice: mmap.HugePages}.Create(path, must(dtype.Parse(">i4")), shape...))
			if err := errors.Join(f.Flush(), f.FlushRows(0, 0), f.Advise(mmap.Random), f.Close()); err != nil {
				t.Errorf("shape %v: %v", shape, err)
			}
			a, err := npy.ReadFile(path)
			if err != nil || !slices.Equal(a.Shape(), shape) || slices.ContainsFunc(a.Bytes(), func(b byte) bool { return b != 0 }) {
				t.Errorf("shape %v: %v, error %v", shape, a, err)
			}
		}
	}
}

func TestViewNeverCopies(t *testing.T) {
	native := dtype.Float64
	foreign := native.WithByteOrder(dtype.BigEndian)
	if foreign.IsNative() {
		foreign = native.WithByteOrder(dtype.LittleEndian)
	}
	f := must(mmap.Create(filepath.Join(t.TempDir(), "a.npy"), foreign, 4))
	defer f.Close()
	if _, err := mmap.ViewOf[float64](f); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("foreign byte order: error %v, want %v", err, errors.ErrUnsupported)
	}
	var te *npy.TypeError
	if _, err := mmap.ViewOf[int8](f); !errors.As(err, &te) {
		t.Errorf("int8: error %v, want a TypeError", err)
	}
	if got, shape, err := mmap.Load[float64](f); err != nil || len(got) != 4 || !slices.Equal(shape, []int{4}) {
		t.Errorf("Load: %v, %v, error %v", got, shape, err)
	}
}

func TestOpenShort(t *testing.T) {
	path := numbered(t, 100)
	if err := os.Truncate(path, 500); err != nil {
		t.Fatal(err)
	}
	for name, open := range ways {
		if _, err := open(path); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: error %v, want %v", name, err, io.ErrUnexpectedEOF)
		}
	}
	if size := must(os.Stat(path)).Size(); size != 500 {
		t.Errorf("the file has %d bytes now", size)
	}
}

func TestClosed(t *testing.T) {
	f := must(mmap.Open(numbered(t, 10)))
	err := f.Do(func(a *npy.Array) error {
		if err := f.Close(); err != nil {
			return err
		}
		return f.Close() // the memory is still mapped
	})
	if err != nil {
		t.Error(err)
	}
	wantClosed(t, f)
	for _, n := range []int{0, 10} {
		for name, open := range ways {
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				f := must(open(numbered(t, n)))
				if err := errors.Join(f.Close(), f.Close()); err != nil {
					t.Error(err)
				}
				wantClosed(t, f)
			})
		}
	}
}

// wantClosed checks that only the header of f can still be used.
func wantClosed(t *testing.T, f *mmap.File) {
	t.Helper()
	_, errArray := f.Array()
	_, errView := mmap.ViewOf[float64](f)
	_, _, errLoad := mmap.Load[float64](f)
	_, errSource := f.Source().ReadAll(t.Context())
	_, errSelect := f.Source().Select(npy.All())
	errDo := f.Do(func(*npy.Array) error { return errors.New("work is called") })
	for _, err := range []error{errArray, errView, errLoad, errSource, errSelect, errDo, f.Flush(), f.FlushRows(0, 0), f.Advise(mmap.Random)} {
		if !errors.Is(err, mmap.ErrClosed) {
			t.Errorf("error %v, want %v", err, mmap.ErrClosed)
		}
	}
	tested := []string{"Array", "Source", "Do", "Flush", "FlushRows", "Advise", "Header", "DType", "Shape", "Close"}
	file := reflect.TypeFor[*mmap.File]()
	for i := range file.NumMethod() {
		m := file.Method(i)
		if !slices.Contains(tested, m.Name) {
			t.Errorf("File.%s: what it does after Close is not tested", m.Name)
		}
	}
}

func TestCloseWhileReading(t *testing.T) {
	f := must(mmap.Open(numbered(t, 100_000)))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				got, _, err := mmap.Load[float64](f)
				if errors.Is(err, mmap.ErrClosed) {
					return
				}
				if err != nil || got[99_999] != 99_999 {
					t.Errorf("%v, error %v", got[99_999], err)
					return
				}
			}
		})
	}
	_ = f.Close()
	wg.Wait()
}

func TestPanicsPassThrough(t *testing.T) {
	f := must(mmap.Open(numbered(t, 10)))
	defer f.Close()
	defer func() {
		if p := recover(); p != "mine" {
			t.Errorf("panic %v", p)
		}
	}()
	_ = f.Do(func(*npy.Array) error { panic("mine") })
}

func TestNumPyReadsWhatWeCreate(t *testing.T) {
	if !bulk.Shares {
		t.Skip("views need unsafe")
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	f := must(mmap.Create(path, dtype.Float64, 3, 4))
	defer f.Close()
	v := must(mmap.ViewOf[float64](f))
	for i := range 12 {
		v.Set(float64(i), i/4, i%4)
	}
	out := oracle.NumPy(t, `
a = np.load(sys.argv[1]); m = np.load(sys.argv[1], mmap_mode='r+')
assert (a == np.arange(12.).reshape(3, 4)).all() and (a == m).all()
m[1, 1] = -5; m.flush()
b = np.lib.format.open_memmap(sys.argv[1] + '.f', 'w+', '>i2', (2, 3), fortran_order=True)
b[:] = [[1, 2, 3], [4, 5, 6]]; b.flush(); print('ok')`, nil, path)
	if string(out) != "ok\n" || v.At(1, 1) != -5 {
		t.Errorf("NumPy says %q, and wrote %v", out, v.At(1, 1))
	}
	g := must(mmap.Open(path + ".f"))
	defer g.Close()
	if got, _, err := mmap.Load[int16](g); err != nil || !slices.Equal(got, []int16{1, 2, 3, 4, 5, 6}) {
		t.Errorf("%v, error %v", got, err)
	}
}

func TestSparse(t *testing.T) {
	if ^uint(0)>>32 == 0 {
		t.Skip("more than 32 bits address")
	}
	path := filepath.Join(t.TempDir(), "big.npy")
	f, err := mmap.Create(path, dtype.Float64, 25_000_000, 500)
	if err != nil {
		t.Skipf("no sparse file of 100 GB here: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	g := must(mmap.Open(path))
	defer g.Close()
	if got, _, err := mmap.Load[float64](g, npy.At(-1)); err != nil || !slices.Equal(got, make([]float64, 500)) {
		t.Errorf("the last row: %v, error %v", got, err)
	}
}
