package hdf5_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/oracle"
)

// randomFile has h5py write a file of random datasets, read random parts of them, and print the results.
const randomFile = `
import h5py
path, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
r = np.random.default_rng(seed)
rec = np.dtype([("a", "<i2"), ("b", ">f8"), ("s", "S3"), ("v", "<u2", (2,)), ("n", [("x", "i1"), ("y", "<f4")])])
types = ["i1", ">i2", "<u4", "<i8", "<f4", ">f8", "<c16", "?", "S3", "V5", rec]

def element(n, t):
    t = np.dtype(t)
    if t.kind == "b":
        return r.integers(0, 2, n).astype("?")
    return np.frombuffer(r.integers(0, 120, n * t.itemsize, dtype="u1").tobytes(), t)

def index(shape):
    out = []
    for n in shape:
        kind = r.integers(0, 5)
        if n == 0 or kind == 0:
            out.append(slice(None))
        elif kind == 1:
            out.append(int(r.integers(-n, n)))
        else:
            step = int(r.integers(1, 4)) * (-1 if kind == 2 else 1)
            if kind == 3:
                step = max(n // 2, 1)
            a, b = sorted(int(x) for x in r.integers(0, n + 1, 2))
            out.append(slice(a, b, step) if step > 0 else slice(b - 1 if b > 0 else None, a - 1 if a > 0 else None, step))
    return tuple(out)

def text(ix):
    one = lambda s: str(s) if isinstance(s, int) else ":".join("" if v is None else str(v) for v in (s.start, s.stop, s.step))
    return ", ".join(one(s) for s in ix)

out = []
for libver in ["earliest", "v108", "latest"]:
    with h5py.File(path + libver, "w", libver=libver if libver != "v108" else ("v108", "v108")) as f:
        for i in range(count):
            t = types[r.integers(0, len(types))]
            shape = tuple(int(n) for n in r.integers(0 if r.integers(0, 20) == 0 else 1, 40 if r.integers(0, 2) else 9, r.integers(0, 5)))
            n = int(np.prod(shape))
            while n > 200000:
                shape = tuple(max(x // 2, 1) for x in shape)
                n = int(np.prod(shape))
            x = element(n, t).reshape(shape)
            o = {}
            if shape and r.integers(0, 4):
                o["chunks"] = tuple(int(r.integers(1, max(n, 1) + 1)) for n in shape)
                if r.integers(0, 2):
                    o["maxshape"] = tuple(None if r.integers(0, 2) else n + int(r.integers(0, 9)) for n in shape)
                    o["chunks"] = tuple(max(c, -(-n // 12)) for c, n in zip(o["chunks"], shape))
                if int(np.prod([-(-n // c) for n, c in zip(shape, o["chunks"])])) > 3000:
                    o["chunks"] = tuple(max(n, 1) for n in shape)
                    o.pop("maxshape", None)
                k = r.integers(0, 5)
                if k >= 2:
                    o["compression"] = "lzf" if k == 4 else "gzip"
                o["shuffle"] = bool(r.integers(0, 2))
                o["fletcher32"] = bool(r.integers(0, 4) == 0)
            name = "g%d/d%03d" % (i % 3, i)
            if n and t not in (rec, "V5", "S3") and r.integers(0, 3) == 0:
                o["fillvalue"] = element(1, t)[0]
            try:
                if n and r.integers(0, 3) == 0:
                    d = f.create_dataset(name, shape, x.dtype, **o)
                    part = tuple(slice(*sorted(int(v) for v in r.integers(0, s + 1, 2))) for s in shape)
                    d[part] = x[part]
                else:
                    d = f.create_dataset(name, data=x, **o)
            except (ValueError, TypeError):
                continue
            x = np.asarray(d[()]).astype(d.dtype)  # scalars are native
            for _ in range(4):
                ix = index(shape)
                v = np.asarray(x[ix]).astype(d.dtype)
                out.append({"file": libver, "path": name, "index": text(ix), "shape": list(v.shape), "sum": __import__("hashlib").sha256(np.ascontiguousarray(v).tobytes()).hexdigest(), "options": str(o) + str(x.dtype) + str(shape)})
print(json.dumps(out))
`

// Random parts of random datasets have the values that h5py reads, whole and in blocks.
func TestRandom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "random.h5.")
	count := oracle.Cases(t, 100)
	var questions []struct {
		File, Path, Index, Sum, Options string
		Shape                           []int
	}
	answer := oracle.Module(t, "h5py", randomFile, path, fmt.Sprint(oracle.Seed(t)), fmt.Sprint(count))
	if err := json.Unmarshal(answer, &questions); err != nil {
		t.Fatal(err)
	}
	files := map[string]*hdf5.Reader{}
	for _, q := range questions {
		r := files[q.File]
		if r == nil {
			r = must(hdf5.Open(path + q.File))
			defer r.Close()
			files[q.File] = r
		}
		if err := checkRandom(r, q.Path, q.Index, q.Sum, q.Shape); err != nil {
			t.Errorf("%s %s[%s] %s: %v", q.File, q.Path, q.Index, q.Options, err)
		}
	}
	if len(questions) < 10*count {
		t.Errorf("only %d parts were tried", len(questions))
	}
}

func checkRandom(r *hdf5.Reader, path, index, sum string, shape []int) error {
	src, err := r.Source(path)
	if err != nil {
		return err
	}
	parsed, err := npy.ParseIndex(index)
	if err != nil {
		return err
	}
	if src, err = src.Select(parsed...); err != nil {
		return err
	}
	a, err := src.ReadAll(context.Background())
	if err != nil {
		return err
	}
	if !slices.Equal(a.Shape(), shape) {
		return fmt.Errorf("shape %v, want %v", a.Shape(), shape)
	}
	whole := sha256.Sum256(a.Bytes())
	blocks := sha256.New()
	for b, err := range src.Blocks(context.Background(), 1<<10) {
		if err != nil {
			return err
		}
		blocks.Write(b.Bytes())
	}
	if hex.EncodeToString(whole[:]) != sum || hex.EncodeToString(blocks.Sum(nil)) != sum {
		return fmt.Errorf("other elements, or other ones in blocks")
	}
	return nil
}
