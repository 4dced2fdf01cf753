package hdf5_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
)

// twin is a dataset with the vector that has its elements.
type twin struct {
	file, path string
}

// sourceOfTwins returns the open function of [npytest.TestSource] for datasets by the paths of their vectors.
func sourceOfTwins(twins map[string]twin) func(t *testing.T, v npytest.Vector) npy.Source {
	return func(t *testing.T, v npytest.Vector) npy.Source {
		x, ok := twins[v.Path]
		if !ok {
			return nil
		}
		data := must(os.ReadFile(x.file))
		r := must(hdf5.NewReader(bytes.NewReader(data), int64(len(data))))
		return must(r.Source(x.path))
	}
}

// Regions of the fixtures, many without some chunks, have the elements that are read: each selection of every dataset.
func TestRegionsOfFixtures(t *testing.T) {
	twins := map[string]twin{}
	var vectors []npytest.Vector
	constant := 0
	for _, name := range []string{"layouts-earliest.h5", "layouts-latest.h5"} {
		r := open(t, name)
		for e := range r.Entries() {
			if e.Group || e.Err != nil || e.DType.HasObject() || len(e.Shape) == 0 {
				continue
			}
			src := must(r.Source(e.Path))
			if x, err := npy.RegionsOf(context.Background(), src); err != nil {
				t.Errorf("%s: %v", e.Path, err)
			} else if x != nil {
				constant++
			} else {
				continue
			}
			v := npytest.Vector{Path: filepath.Join(t.TempDir(), "a.npy"), DType: e.DType, Shape: e.Shape}
			if src.Shape()[0] > 200 { // others would take long
				src = must(src.Select(npy.SpanTo(200)))
			}
			if err := npy.WriteFile(v.Path, must(src.ReadAll(context.Background()))); err != nil {
				t.Fatal(err)
			}
			twins[v.Path] = twin{filepath.Join("testdata", name), e.Path}
			vectors = append(vectors, v)
		}
	}
	if constant < 8 {
		t.Errorf("%d datasets lack chunks", constant)
	}
	whole := sourceOfTwins(twins)
	npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
		src := whole(t, v)
		if src != nil && src.Shape()[0] > 200 {
			src = must(src.Select(npy.SpanTo(200)))
		}
		return src
	})
}

// storeSparse has h5py store random datasets that lack chunks or have no space at all, and its readings of them.
const storeSparse = `
import h5py, os
out, seed, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(seed)
records = [np.dtype([("a", "<i4"), ("x", ">f8")]), np.dtype([("x", "<i4"), ("a", "<u2", (3,))])] # the names that are selected
for i in range(n):
    libver = ["earliest", "latest"][rng.integers(2)]
    ndim = int(rng.integers(1, 5))
    shape = tuple(int(k) for k in rng.integers(1, [40, 12, 7, 5][ndim - 1] + 1, ndim))
    dtype = [np.dtype(t) for t in ["<i4", ">f8", "|S3", "|u1", "<f4"]][rng.integers(5)] if rng.integers(4) else records[rng.integers(2)]
    p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    chunks, most = None, shape
    if rng.integers(5):
        chunks = tuple(int(rng.integers(1, k + 1)) for k in shape)
        most = tuple(h5py.h5s.UNLIMITED if rng.integers(3) == 0 else k + int(rng.integers(3)) for k in shape)
        p.set_chunk(chunks)
        if rng.integers(3) == 0:
            p.set_deflate(4)
    p.set_alloc_time([h5py.h5d.ALLOC_TIME_DEFAULT, h5py.h5d.ALLOC_TIME_LATE, h5py.h5d.ALLOC_TIME_INCR if chunks else h5py.h5d.ALLOC_TIME_LATE, h5py.h5d.ALLOC_TIME_EARLY][rng.integers(4)])
    if rng.integers(3) == 0:
        fill = np.zeros((), dtype)
        if dtype.names:
            fill["x"] = -3
            fill["a"] = 7 if rng.integers(2) or fill["a"].ndim == 0 else [1, 2, 3]
        else:
            fill[()] = b"ab" if dtype.kind == "S" else 3
        p.set_fill_value(fill)
    with h5py.File(os.path.join(out, "%d.h5" % i), "w", libver=libver) as f:
        d = h5py.Dataset(h5py.h5d.create(f.id, b"x", h5py.h5t.py_create(dtype, logical=True), h5py.h5s.create_simple(shape, most), p))
        for _ in range(int(rng.integers(4)) if chunks else 0):
            low = [int(rng.integers(k)) for k in shape]
            box = tuple(slice(a, min(a + int(rng.integers(1, 4)), k)) for a, k in zip(low, shape))
            x = np.zeros(d[box].shape, dtype)
            x.view("u1").reshape(-1)[:] = rng.integers(65, 90, x.nbytes)
            d[box] = x
        np.save(os.path.join(out, "%d.npy" % i), d[()])
`

// Random datasets that lack chunks have the regions that they should: each selection of them.
func TestRandomRegions(t *testing.T) {
	dir, n := t.TempDir(), oracle.Cases(t, 24)
	oracle.Module(t, "h5py", storeSparse, dir, fmt.Sprint(oracle.Seed(t)), fmt.Sprint(n))
	twins := map[string]twin{}
	var vectors []npytest.Vector
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("%d.npy", i))
		h := must(npy.Open(path))
		twins[path] = twin{filepath.Join(dir, fmt.Sprintf("%d.h5", i)), "x"}
		vectors = append(vectors, npytest.Vector{Path: path, DType: h.DType(), Shape: h.Shape()})
		h.Close()
	}
	open := sourceOfTwins(twins)
	constant := 0
	for _, v := range vectors {
		if r := must(npy.RegionsOf(context.Background(), open(t, v))); r != nil {
			constant++
		}
	}
	if constant < n/5 {
		t.Errorf("only %d of %d datasets have regions of one value", constant, n)
	}
	npytest.TestSource(t, vectors, open)
}

// A Reader whose MaxRatio limits all reads together ends after enough elements that the file does not store, in many small reads.
func TestTotal(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("a machine of 32 bits cannot address the arrays")
	}
	data := must(os.ReadFile("testdata/huge.h5"))
	for _, path := range []string{"contiguous", "chunked"} {
		for _, total := range []bool{false, true} {
			r := must(hdf5.Decoder{MaxRatio: 100, Total: total}.NewReader(bytes.NewReader(data), int64(len(data))))
			src := must(must(r.Source(path)).Select(npy.SpanTo(1 << 20)))
			if len(src.Shape()) > 1 {
				src = must(src.Select(npy.SpanTo(1<<11), npy.SpanTo(1<<10)))
			}
			each := npy.HeaderOf(src).NBytes()
			var err error
			reads := int64(0)
			for ; reads < 300<<20/each && err == nil; reads++ {
				_, err = src.ReadAll(context.Background())
			}
			if total && (err == nil || reads*each < 256<<20) || !total && err != nil {
				t.Errorf("%s: error %v after %d reads of %d bytes, a limit of all reads: %t", path, err, reads, each, total)
			}
		}
	}
}
