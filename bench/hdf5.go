package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
)

// The HDF5 files to read, which h5py writes.
const (
	contiguousHDF5 = "contiguous.h5"
	chunkedHDF5    = "chunked.h5"
	manyHDF5       = "many.h5"
)

// gzipHDF5 is the file of a data set with gzip and shuffle.
func gzipHDF5(set string) string { return "gzip-" + set + ".h5" }

// hdf5Sets are the data sets that are compressed.
var hdf5Sets = []string{"smooth", "rounded", "counts"}

func init() {
	corpusArchives[contiguousHDF5] = byH5py("f['x'] = np.load('float64.npy')")
	corpusArchives[chunkedHDF5] = byH5py("x = np.load('float64.npy').reshape(-1, 1000); f.create_dataset('x', data=x, chunks=(min(50, len(x)), 100), compression='gzip')")
	corpusArchives[manyHDF5] = func(c *corpus, path string, r *rand.Rand) error {
		return byH5py(fmt.Sprintf("for i in range(%d): f[f'group{i//1000}/a{i}'] = np.zeros((i %% 7, 3), 'f4')", c.smallFiles()))(c, path, r)
	}
	for _, set := range hdf5Sets {
		corpusArchives[gzipHDF5(set)] = byH5py(fmt.Sprintf("f.create_dataset('x', data=np.load(%q), compression='gzip', shuffle=True)", setFile(set)))
	}
}

// byH5py returns a function that makes a file f with h5py.
func byH5py(script string) func(c *corpus, path string, r *rand.Rand) error {
	return func(c *corpus, path string, _ *rand.Rand) error {
		cmd := exec.Command(c.python, "-c", "import sys, numpy as np, h5py\nwith h5py.File(sys.argv[1], 'w') as f:\n    "+script, path)
		cmd.Dir = c.dir
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, text)
		}
		return nil
	}
}

// hdf5Rows read and write HDF5 files, beside h5py. Without h5py there are none, because it makes the files.
func hdf5Rows(c *corpus) []*row {
	if !c.imports("h5py") {
		return nil
	}
	rows := []*row{
		c.readHDF5Row("HDF5 contiguous", "float64 that are not compressed", contiguousHDF5, "float64.npy", c.bytes(8)),
		{
			name: "HDF5 slice", does: "open a file of chunks with gzip, and read 10 rows and 100 columns of it", ops: 20,
			files: []string{"float64.npy", chunkedHDF5},
			npy:   func() (any, error) { return c.partOf(chunkedHDF5, npy.Span(5, 15), npy.Span(250, 350)) },
			numpy: `h5py.File("chunked.h5")["x"][5:15, 250:350]`, numpySetup: "import h5py",
		},
		{
			name: "HDF5 list", does: fmt.Sprintf("open a file, and list the shapes and dtypes of %d datasets", c.smallFiles()),
			files: []string{manyHDF5}, npy: func() (any, error) { return c.list(manyHDF5) },
			numpy: "listed()", numpySetup: `
import h5py
def listed():
    lines = []
    def visit(name, d):
        if isinstance(d, h5py.Dataset):
            lines.append(f"{name} {list(d.shape)} {d.dtype}".replace(",", ""))
    with h5py.File("many.h5") as f:
        f.visititems(visit)
    return lines
`,
		},
	}
	for _, set := range hdf5Sets {
		rows = append(rows,
			c.readHDF5Row("HDF5 read gzip "+set, "chunks with shuffle and gzip", gzipHDF5(set), setFile(set), int64(c.set())),
			c.writeHDF5Row(set))
	}
	return rows
}

func (c *corpus) readHDF5Row(name, does, file, from string, bytes int64) *row {
	return &row{
		name: name, does: does + ", " + sizeText(bytes), bytes: bytes, fresh: bytes, files: []string{from, file},
		npy:   func() (any, error) { return c.partOf(file) },
		numpy: fmt.Sprintf("h5py.File(%q)['x'][()]", file), numpySetup: "import h5py",
	}
}

// partOf reads a part of the dataset x.
func (c *corpus) partOf(file string, index ...npy.Index) (*npy.Array, error) {
	r, err := hdf5.Open(c.path(file))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	src, err := r.Source("x")
	if err == nil && len(index) > 0 {
		src, err = src.Select(index...)
	}
	if err != nil {
		return nil, err
	}
	return src.ReadAll(context.Background())
}

// list describes the datasets of a file.
func (c *corpus) list(file string) ([]string, error) {
	r, err := hdf5.Open(c.path(file))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var lines []string
	for e := range r.Entries() {
		if e.Err != nil {
			return nil, e.Err
		}
		if !e.Group {
			lines = append(lines, fmt.Sprintf("%s %v %s", e.Path, e.Shape, e.DType.Name()))
		}
	}
	return lines, nil
}

// hdf5File is the path of a written HDF5 file, the result of writing it.
type hdf5File string

// array reads the dataset x.
func (path hdf5File) array() (*npy.Array, error) {
	r, err := hdf5.Open(string(path))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	src, err := r.Source("x")
	if err != nil {
		return nil, err
	}
	return src.ReadAll(context.Background())
}

func (c *corpus) writeHDF5Row(set string) *row {
	var a *npy.Array
	ours, theirs := c.path(outDir+"/npy.h5"), outDir+"/NumPy.h5"
	return &row{
		name: "HDF5 write gzip " + set, does: "chunks with shuffle and gzip, " + sizeText(int64(c.set())), bytes: int64(c.set()), sized: true,
		files: []string{setFile(set)}, before: c.newOut,
		setup: func() (err error) {
			a, err = npy.ReadFile(c.path(setFile(set)))
			return err
		},
		npy: func() (any, error) {
			w, err := hdf5.Create(ours)
			if err != nil {
				return nil, err
			}
			defer w.Abort()
			if err := container.Put(context.Background(), w, container.Entry{Path: "x"}, nil, a); err != nil {
				return nil, err
			}
			return hdf5File(ours), w.Close()
		},
		numpy: "save()",
		numpySetup: fmt.Sprintf(`
import h5py
data = np.load(%q)
def save():
    with h5py.File(%q, "w") as f:
        f.create_dataset("x", data=data, compression="gzip", shuffle=True)
    return Path(%[2]q)
`, setFile(set), theirs),
	}
}
