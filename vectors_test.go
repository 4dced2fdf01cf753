package npy_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/npz"
)

// vectors returns every .npy file that NumPy wrote for the tests, of both NumPy generations.
func vectors(t testing.TB) []npytest.Vector {
	t.Helper()
	var all []npytest.Vector
	for _, dir := range []string{"testdata/numpy-1.24.2", "testdata/numpy-2.3.5", "testdata/numpy-2.5.2"} {
		v, err := npytest.Vectors(dir)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v...)
	}
	if len(all) < 180 {
		t.Fatalf("only %d vectors found", len(all))
	}
	return all
}

// paths lists every way to read an array whole. Each must give the same array.
var paths = []struct {
	name string
	read func(path string, data []byte) (*npy.Array, error)
}{
	{"file", func(path string, _ []byte) (*npy.Array, error) { return npy.ReadFile(path) }},
	{"open file", func(path string, _ []byte) (*npy.Array, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return npy.Read(f)
	}},
	{"bytes", func(_ string, data []byte) (*npy.Array, error) { return npy.Read(bytes.NewReader(data)) }},
	{"stream", func(_ string, data []byte) (*npy.Array, error) {
		return npy.Read(struct{ io.Reader }{bytes.NewReader(data)})
	}},
	{"one byte at a time", func(_ string, data []byte) (*npy.Array, error) {
		return npy.Read(iotest.OneByteReader(bytes.NewReader(data)))
	}},
	{"data with the error", func(_ string, data []byte) (*npy.Array, error) {
		return npy.Read(iotest.DataErrReader(bytes.NewReader(data)))
	}},
}

func TestVectorsReadAndWrite(t *testing.T) {
	for _, v := range vectors(t) {
		data, err := os.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != v.SHA256 {
			t.Errorf("%s is not the file of the manifest", v.Path)
		}
		if v.HasObject() {
			checkRefused(t, v, data)
			continue
		}
		for _, p := range paths {
			a, err := p.read(v.Path, data)
			if err != nil {
				t.Errorf("%s, %s: %v", v.Path, p.name, err)
				continue
			}
			if err := v.Check(a); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
			checkWritten(t, v, a, data)
		}
	}
}

// checkRefused checks that arrays of objects give their header and nothing else.
func checkRefused(t *testing.T, v npytest.Vector, data []byte) {
	t.Helper()
	for _, p := range paths {
		if _, err := p.read(v.Path, data); !strings.Contains(errText(err), npy.ErrObjects.Error()) {
			t.Errorf("%s, %s: error is %v, want ErrObjects", v.Path, p.name, err)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// checkWritten writes the array in every way and compares with NumPy's bytes.
func checkWritten(t *testing.T, v npytest.Vector, a *npy.Array, want []byte) {
	t.Helper()
	h, err := format.ParseHeader(want)
	if err != nil {
		t.Fatal(err)
	}
	e := npy.Encoder{}
	if h.Version != format.V1 && !strings.Contains(v.Path, "unicode") {
		e.Version = h.Version // these two were written with an explicit version
	}
	if v.MLDType.IsValid() { // the file does not name the dtype
		a = must(npy.FromBytes(v.MLDType, a.Bytes(), v.Shape...))
	}
	var buf bytes.Buffer
	if err := e.Write(&buf, a); err != nil || !bytes.Equal(buf.Bytes(), want) {
		t.Errorf("%s: written bytes differ (%v)", v.Path, err)
	}
	path := filepath.Join(t.TempDir(), "out.npy")
	if err := e.WriteFile(path, a); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
		t.Errorf("%s: WriteFile gives other bytes", v.Path)
	}
}

func TestVectorsInOneStream(t *testing.T) {
	var stream bytes.Buffer
	var order []npytest.Vector
	for _, v := range vectors(t) {
		if v.HasObject() {
			continue
		}
		data, err := os.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		stream.Write(data)
		order = append(order, v)
	}
	path := filepath.Join(t.TempDir(), "all.npy")
	if err := os.WriteFile(path, stream.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for name, r := range map[string]io.Reader{"stream": &stream, "file": f} {
		for _, v := range order {
			a, err := npy.Read(r)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, v.Path, err)
			}
			if err := v.Check(a); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if a, err := npy.Read(r); err != io.EOF {
			t.Errorf("%s: at the end Read gives %v, %v, want io.EOF", name, a, err)
		}
	}
}

func TestVectorsCutShort(t *testing.T) {
	for _, v := range vectors(t) {
		data, err := os.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		if v.HasObject() {
			continue
		}
		for _, cut := range []int{1, len(data) / 2, len(data) - 1} {
			path := filepath.Join(t.TempDir(), "cut.npy")
			short := data[:len(data)-cut]
			if err := os.WriteFile(path, short, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, p := range paths {
				_, err := p.read(path, short)
				if err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
					t.Errorf("%s without its last %d bytes, %s: error is %v", v.Path, cut, p.name, err)
				}
			}
		}
	}
}

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

// numpyWrites makes random arrays of every dtype and layout and saves them.
const numpyWrites = `
import os
out, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(seed)
plain = ['?', 'i1', 'u1'] + [o + k for o in '<>' for k in ('i2 i4 i8 u2 u4 u8 f2 f4 f8 c8 c16 U3 M8[s] M8[25us] m8[D]').split()] + ['f16', 'c32', 'S5', 'V3', 'S0', 'V0']
def one(depth):
    if depth and rng.random() < 0.3:
        names = ['a', 'b c', "it's", 'é', '整', 'd\n', '\\'][:rng.integers(1, 7)]
        fields = []
        for i, n in enumerate(names):
            f = [(('title %d' % i, n) if rng.random() < 0.2 else n), one(depth - 1)]
            if rng.random() < 0.3 and f[1].itemsize:
                f.append(tuple(int(x) for x in rng.integers(1, 4, rng.integers(1, 3))))
            fields.append(tuple(f))
        d = np.dtype(fields, align=bool(rng.random() < 0.3))
        return d
    return np.dtype(plain[rng.integers(len(plain))])
for i in range(count):
    d = one(2)
    shape = tuple(int(x) for x in rng.integers(0 if rng.random() < 0.1 else 1, 5, rng.integers(0, 5)))
    n = int(np.prod(shape))
    a = np.frombuffer(rng.bytes(n * d.itemsize), d, n).reshape(shape) if d.itemsize else np.zeros(shape, d)
    r = rng.random()
    if r < 0.2 and d.itemsize: a = np.asfortranarray(a) # of no bytes: flags that do not survive a load
    elif r < 0.4 and a.ndim: a = a.T
    elif r < 0.5 and a.ndim: a = a[::-1]
    elif r < 0.6 and a.ndim > 1: a = a[:, ::2]
    np.save(os.path.join(out, '%d.npy' % i), a)
`

// A file that NumPy writes is read and written back byte for byte.
func TestNumPyWritesWeRewrite(t *testing.T) {
	dir := t.TempDir()
	const count = 600
	oracle.NumPy(t, numpyWrites, nil, dir, fmt.Sprint(count), "1")
	for i := range count {
		path := filepath.Join(dir, fmt.Sprintf("%d.npy", i))
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		a, err := npy.ReadFile(path)
		if err != nil {
			t.Errorf("%s: %v", want[:min(len(want), 200)], err)
			continue
		}
		var got bytes.Buffer
		if err := npy.Write(&got, a); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%q: other bytes (%v)", want[:min(len(want), 200)], err)
		}
	}
}

// rewrite loads each file and saves the loaded array with NumPy.
const rewrite = `
import glob
for p in glob.glob(sys.argv[1] + '/*.npy'):
    np.save(p + '.again', np.load(p))
`

// NumPy reads the files that this package writes, and would have written the same.
func TestWeWriteNumPyRewrites(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		a := randomArray(t, rng)
		if err := npy.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.npy", i)), a); err != nil {
			t.Fatal(err)
		}
	}
	oracle.NumPy(t, rewrite, nil, dir)
	files, err := filepath.Glob(dir + "/*.again.npy")
	if err != nil || len(files) != 400 {
		t.Fatalf("NumPy wrote %d files, %v", len(files), err)
	}
	for _, f := range files {
		want, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(strings.TrimSuffix(f, ".again.npy"))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q: NumPy writes %q", got[:min(len(got), 150)], want[:min(len(want), 150)])
		}
	}
}

// randomArray returns an array of random bytes, dtype, shape and layout.
func randomArray(t *testing.T, rng *rand.Rand) *npy.Array {
	t.Helper()
	descrs := []string{"?", "i1", "<i2", ">i4", "<u8", ">f2", "<f4", ">f8", "<c8", ">c16", "f16", "<U2", ">U1", "S3", "V4",
		"<M8[ns]", ">m8[7h]", "[('a', '<i4'), ('', '|V3'), ('b', '>f8', (2,))]", "[(('t', 'x'), [('y', '|S2')]), ('é', '<U1')]",
		"[('整', '|u1')]", "[]", "|V0"}
	dt, err := dtype.Parse(descrs[rng.IntN(len(descrs))])
	if err != nil {
		t.Fatal(err)
	}
	shape := make([]int, rng.IntN(4))
	n := dt.ItemSize()
	for i := range shape {
		shape[i] = rng.IntN(5)
		n *= shape[i]
	}
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(rng.Uint32() % 128) // code points stay valid
		if dt.Kind() == dtype.KindStr && i%4 != 0 && dt.ByteOrder() == dtype.LittleEndian || dt.Kind() == dtype.KindStr && i%4 != 3 && dt.ByteOrder() == dtype.BigEndian {
			data[i] = 0
		}
	}
	a, err := npy.FromBytes(dt, data, shape...)
	if err != nil {
		t.Fatal(err)
	}
	switch rng.IntN(4) {
	case 0:
		a = a.T()
	case 1:
		a = a.Fortran()
	case 2:
		if len(shape) > 0 {
			if a, err = a.Slice(npy.All().By(-2)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return a
}
