package convert_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// NumPy and Python's json module read the output of this package exactly.
func TestPythonReads(t *testing.T) {
	dir := t.TempDir()
	for name, a := range liveArrays(t) {
		path := filepath.Join(dir, name)
		if err := npy.WriteFile(path+".npy", a); err != nil {
			t.Fatal(err)
		}
		for _, f := range []convert.Format{convert.CSV, convert.JSON, convert.NDJSON} {
			if err := convert.WriteFile(context.Background(), path+"."+string(f), a, convert.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	const script = `
import glob, json, sys
import numpy as np
special = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
def plain(x, words):
    if isinstance(x, list): return [plain(y, words) for y in x]
    return special.get(x, x) if words and isinstance(x, str) else x
for path in sorted(glob.glob(sys.argv[1] + "/*.npy")):
    a = np.load(path)
    base = path[:-4]
    words = a.dtype.kind == "f"
    if words: a[a != a] = np.nan
    def check(what, b):
        b = np.array(b, dtype=a.dtype)
        if words: b[b != b] = np.nan # of all NaNs only one has a text
        assert b.shape == a.shape, (path, what, b.shape, a.shape)
        assert b.tobytes() == a.tobytes(), (path, what, a, b)
    if a.dtype.kind in "iuf":
        check("loadtxt", np.loadtxt(base + ".csv", delimiter=",", dtype=a.dtype, ndmin=a.ndim))
    got = json.load(open(base + ".json", encoding="utf-8"))
    if not words: assert got == a.tolist(), (path, got)
    check("json", plain(got, words))
    check("ndjson", [plain(json.loads(l), words) for l in open(base + ".ndjson", encoding="utf-8")])
`
	oracle.NumPy(t, script, nil, dir)
}

func liveArrays(t *testing.T) map[string]*npy.Array {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	const n = 5000
	f8, f4, i8, u8 := make([]float64, n), make([]float32, n), make([]int64, n), make([]uint64, n)
	for i := range n {
		for f8[i] = math.NaN(); math.IsNaN(f8[i]); f8[i] = math.Float64frombits(r.Uint64()) {
		}
		f4[i] = float32(r.NormFloat64() * math.Pow(10, float64(r.IntN(40)-20)))
		i8[i], u8[i] = int64(r.Uint64()), r.Uint64()
	}
	copy(f8, []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1e16, 1e-4, 5e-324, math.MaxFloat64})
	i8[0], i8[1], u8[0] = math.MinInt64, math.MaxInt64, math.MaxUint64
	out := map[string]*npy.Array{}
	add := func(name string, a *npy.Array, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out[name] = a
	}
	a, err := npy.FromSlice(f8, n/10, 10)
	add("f8", a, err)
	a, err = npy.FromSlice(f4, n/10, 10)
	add("f4", a, err)
	a, err = npy.FromSlice(i8, n)
	add("i8", a, err)
	a, err = npy.FromSlice(u8, n/4, 4)
	add("u8", a, err)
	a, err = npy.FromSliceAs(dtype.Int16.WithByteOrder(dtype.BigEndian), []int16{-32768, 1, 32767, 0}, 2, 2)
	add("i2", a, err)
	a, err = npy.FromSlice([]bool{true, false, true}, 3)
	add("bool", a, err)
	a, err = npy.FromSlice([]string{"", "a\"b\\n", "日本\n", "😀\t\u2028", "NaN", "\x01"}, 2, 3)
	add("str", a, err)
	return out
}

// The output of NumPy's savetxt is read exactly.
func TestPythonWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	const script = `
import sys
import numpy as np
a = np.random.default_rng(5).standard_normal((200, 7)) * 10.0 ** np.arange(-3, 4)
a[0, 0], a[1, 1], a[2, 2] = np.nan, np.inf, -np.inf
np.save(sys.argv[1] + ".npy", a)
np.savetxt(sys.argv[1] + ".csv", a, delimiter=",")
`
	oracle.NumPy(t, script, nil, path)
	want, err := npy.ReadFile(path + ".npy")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	got, _, err := convert.Read(context.Background(), file, convert.CSV, convert.ReadOptions{})
	if err != nil || !equal(got.Shape(), want.Shape()) || !bytes.Equal(payload(got), payload(want)) {
		t.Errorf("what np.savetxt wrote is read as %v, %v", got, err)
	}
}
