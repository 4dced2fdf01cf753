package hdf5_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npytest"
)

// storages are the ways in which vectors are stored: options of h5py's create_dataset.
var storages = []string{"contiguous", "chunked", "gzip", "one"}

// storeVectors has h5py store arrays of NumPy, whose paths are in a file.
const storeVectors = `
import sys, os, h5py
for path in open(os.path.join(sys.argv[1], "paths")).read().split():
    try:
        x = np.load(path)
    except Exception:
        continue
    if x.dtype.hasobject:
        continue
    for how in sys.argv[2:]:
        options = {}
        if x.ndim and x.size:
            if how != "contiguous":
                options["chunks"] = tuple(max(n // 3, 1) for n in x.shape) if how != "one" else x.shape
            if how != "chunked" and how != "contiguous":
                options.update(compression="gzip", shuffle=x.dtype.itemsize > 1)
        out = os.path.join(sys.argv[1], os.path.basename(path) + "." + how + ".h5")
        try:
            with h5py.File(out, "w", libver="latest" if how == "chunked" else "earliest") as f:
                f.create_dataset("data", data=x, dtype=h5py.opaque_dtype(x.dtype) if x.dtype.kind in "mM" else None, **options)
        except Exception as e:
            if os.path.exists(out):
                os.remove(out)
`

// stored returns the vectors and the folder in which h5py has stored them.
func stored(t *testing.T) ([]npytest.Vector, string) {
	t.Helper()
	vectors := must(npytest.Vectors("../testdata/numpy-2.3.5"))
	if testing.Short() {
		vectors = vectors[:len(vectors)/8]
	}
	var paths bytes.Buffer
	for _, v := range vectors {
		paths.WriteString(must(filepath.Abs(v.Path)) + "\n")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "paths"), paths.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	oracle.Module(t, "h5py", storeVectors, append([]string{dir}, storages...)...)
	return vectors, dir
}

// openVector opens the file in which h5py has stored a vector, nil if HDF5 cannot hold it as NumPy does.
func openVector(t *testing.T, dir, how string, v npytest.Vector) (npy.Source, func() error) {
	r, err := hdf5.Open(filepath.Join(dir, filepath.Base(v.Path)+"."+how+".h5"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	src, err := r.Source("data")
	if err != nil {
		t.Fatal(err)
	}
	if !src.DType().Equal(v.DType) || v.FortranOrder {
		r.Close()
		return nil, nil
	}
	return src, r.Close
}

// A dataset is a Source as every other is: each selection, each consumer, blocks of all sizes.
func TestSources(t *testing.T) {
	vectors, dir := stored(t)
	for _, how := range storages {
		t.Run(how, func(t *testing.T) {
			npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
				src, closing := openVector(t, dir, how, v)
				if closing != nil {
					t.Cleanup(func() { closing() })
				}
				return src
			})
			npytest.TestClosedSource(t, vectors, func(t *testing.T, v npytest.Vector) (npy.Source, func() error) {
				return openVector(t, dir, how, v)
			})
		})
	}
}

// Sources of objects give the same elements whole, in parts and in blocks.
func TestObjectSources(t *testing.T) {
	r := open(t, "layouts-latest.h5")
	src := must(r.Source("layouts/vlen_chunks"))
	whole := must(must(src.ReadAll(context.Background())).Objects())
	var blocks []any
	for b, err := range src.Blocks(context.Background(), 16*4) {
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, must(b.Objects())...)
	}
	part := must(must(must(src.Select(npy.Span(3, 17).By(5))).ReadAll(context.Background())).Objects())
	if len(whole) != 20 || len(blocks) != 20 || len(part) != 3 {
		t.Fatalf("%d elements, %d in blocks, %d in a part", len(whole), len(blocks), len(part))
	}
	for i, v := range whole {
		if blocks[i] != v {
			t.Errorf("element %d of blocks is %v, want %v", i, blocks[i], v)
		}
		if i >= 3 && i < 17 && (i-3)%5 == 0 && part[(i-3)/5] != v {
			t.Errorf("element %d of a part is %v, want %v", (i-3)/5, part[(i-3)/5], v)
		}
	}
}
