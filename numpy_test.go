package npy_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

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
