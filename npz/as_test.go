package npz_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

// askNamed saves arrays of ml_dtypes, as files, in records and in archives, and prints their values.
const askNamed = `
import os
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None
names = [n for n in ('bfloat16', 'float8_e3m4', 'float8_e4m3', 'float8_e4m3fn', 'float8_e4m3fnuz', 'float8_e4m3b11fnuz',
    'float8_e5m2fnuz', 'float8_e8m0fnu', 'float6_e2m3fn', 'float6_e3m2fn', 'float4_e2m1fn', 'int4', 'uint4', 'int2', 'uint2')
    if hasattr(ml_dtypes, n)]
rng = np.random.default_rng(13)
out = {}
for n in names:
    t = np.dtype(getattr(ml_dtypes, n))
    x = rng.uniform(0.3, 7, (5, 4)).astype(t)
    r = np.zeros(5, [('id', 'i4'), ('w', t, (2, 2))])
    r['w'] = x.reshape(5, 2, 2)
    at = os.path.join(sys.argv[1], n)
    np.save(at + '.npy', x)
    np.save(at + '-record.npy', r)
    np.savez(at + '.npz', w=x, r=r, f=np.arange(3.))
    np.savez_compressed(at + '-small.npz', w=x)
    out[n] = [float(v) for v in x.astype('f8').ravel()]
print(json.dumps(out))
`

// Decoder.VoidAs gives a dtype that NumPy does not save, for every function that reads an array.
func TestAsOfMLDTypes(t *testing.T) {
	dir := t.TempDir()
	var values map[string][]float64
	if err := json.Unmarshal(oracle.NumPy(t, askNamed, nil, dir), &values); err != nil {
		t.Fatal(err)
	}
	if len(values) == 0 {
		t.Skip("this Python has no ml_dtypes")
	}
	for name, want := range values {
		as, err := dtype.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		d := npy.Decoder{VoidAs: as}
		at := filepath.Join(dir, name)
		check := func(what string, a *npy.Array, err error, want []float64) {
			t.Helper()
			if err != nil {
				t.Errorf("%s %s: %v", name, what, err)
				return
			}
			v, err := npy.As[float64](a)
			if err != nil {
				t.Errorf("%s %s: %v", name, what, err)
				return
			}
			for i, x := range v.ToSlice() {
				if x != want[i] && (x == x || want[i] == want[i]) {
					t.Errorf("%s %s, element %d: %v, want %v", name, what, i, x, want[i])
				}
			}
			if v.Size() != len(want) {
				t.Errorf("%s %s: %d elements, want %d", name, what, v.Size(), len(want))
			}
		}
		a, err := d.ReadFile(at + ".npy")
		check("ReadFile", a, err, want)
		raw, err := os.ReadFile(at + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		a, err = d.Read(bytes.NewReader(raw))
		check("Read", a, err, want)
		var out bytes.Buffer
		if err := npy.Write(&out, a); err != nil || !bytes.Equal(out.Bytes(), raw) {
			t.Errorf("%s is not written as it was, %v", name, err)
		}
		data, _, err := npy.Loader[float64](d).LoadFrom(bytes.NewReader(raw))
		if err != nil || len(data) != len(want) {
			t.Errorf("%s LoadFrom: %v, %v", name, data, err)
		}
		f, err := d.Open(at + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		a, err = f.Slice(npy.At(1))
		check("File.Slice", a, err, want[4:8])
		f.Close()
		a, err = d.ReadFile(at + "-record.npy")
		if err == nil {
			a, err = a.Field("w")
		}
		check("record", a, err, want)
		for _, archive := range []string{".npz", "-small.npz"} {
			checkArchive(t, npz.Decoder{Array: d}, at+archive, func(what string, a *npy.Array, err error) { check(archive+" "+what, a, err, want) })
		}
		z, err := npz.Decoder{Array: d}.Open(at + ".npz")
		if err != nil {
			t.Fatal(err)
		}
		if a, err := z.Array("f"); err != nil || a.DType().Name() != "float64" {
			t.Errorf("%s: float64 is %v, %v", name, a.DType(), err)
		}
		z.Close()
	}
}

func checkArchive(t *testing.T, d npz.Decoder, path string, check func(what string, a *npy.Array, err error)) {
	t.Helper()
	z, err := d.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	a, err := z.Array("w")
	check("Array", a, err)
	a, err = z.Slice("w", npy.Ellipsis())
	check("Slice", a, err)
	info, err := z.Info("w")
	if err != nil || info.Header.DType.Name() != d.Array.VoidAs.Name() {
		t.Errorf("%s: Info has dtype %s, %v", path, info.Header.DType.Name(), err)
	}
	f, err := z.Open("w.npy")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, err = d.Array.Read(io.Reader(f))
	check("Open", a, err)
}
