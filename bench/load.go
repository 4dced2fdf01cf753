package main

import (
	"fmt"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
)

// loadRows read files into memory.
func loadRows(c *corpus) []*row {
	large := sizeText(c.bytes(8))
	return []*row{
		{
			name: "load 1 KB", does: "128 float64 of one file", ops: 1000, files: []string{"1KB.npy"},
			npy: c.load("1KB.npy"), numpy: `np.load("1KB.npy")`,
			others: c.peersLoad("1KB.npy"), limit: c.pread("1KB.npy"),
		},
		{
			name: "load 1 MB", does: "float64, in a process that has loaded others before", bytes: 1 << 20, ops: 20, files: []string{"1MB.npy"},
			npy: c.load("1MB.npy"), numpy: `np.load("1MB.npy")`,
			others: c.peersLoad("1MB.npy"), limit: c.pread("1MB.npy"),
		},
		{
			name: "load " + large, does: "float64 into memory that the process did not have before",
			bytes: c.bytes(8), fresh: c.bytes(8), files: []string{"float64.npy"},
			npy: c.load("float64.npy"), numpy: `np.load("float64.npy")`,
			others: c.peersLoad("float64.npy"), limit: c.pread("float64.npy"),
		},
		{
			name: "load " + large + " again", does: "the same into memory that the process has and no longer needs, of which NumPy keeps none",
			bytes: c.bytes(8), files: []string{"float64.npy"},
			npy: c.load("float64.npy"), numpy: `np.load("float64.npy")`, limit: c.pread("float64.npy"),
		},
		{
			name: "load big-endian", does: "float64 of the other byte order as native ones, " + large,
			bytes: c.bytes(8), fresh: c.bytes(8), files: []string{"float64-big.npy"},
			npy: c.load("float64-big.npy"), numpy: `np.load("float64-big.npy").astype("=f8")`,
			others: c.peersLoad("float64-big.npy"), limit: c.pread("float64-big.npy"),
		},
		{
			name: "load Fortran order", does: "a matrix of float64 as C order, " + large,
			bytes: c.bytes(8), fresh: c.bytes(8), files: []string{"fortran.npy"},
			npy: c.load("fortran.npy"), numpy: `np.ascontiguousarray(np.load("fortran.npy"))`, limit: c.pread("fortran.npy"),
		},
		{
			name: "load float32 as float64", does: "half as many bytes in the file as in memory, " + large,
			bytes: c.bytes(8), fresh: c.bytes(8), files: []string{"float32.npy"},
			npy: c.load("float32.npy"), numpy: `np.load("float32.npy").astype("f8")`, limit: c.pread("float32.npy"),
		},
		{
			name: "load strings", does: fmt.Sprintf("a file of %d strings <U16 as those of the language: []string, and a list of str", c.strings()),
			bytes: c.stringBytes(), fresh: c.stringBytes(), files: []string{"strings.npy"},
			npy:   func() (any, error) { s, _, err := npy.Load[string](c.path("strings.npy")); return s, err },
			numpy: `np.load("strings.npy").tolist()`, limit: c.pread("strings.npy"),
		},
		c.smallRow(),
		{
			name: "read a header", does: "shape and dtype of a large file, whose data is left alone", ops: 1000, files: []string{"float64.npy"},
			npy:   once(readHeader, c.path("float64.npy")),
			numpy: "header()", numpySetup: numpyHeader,
			others: map[string]work{"npyio": once(npyioHeader, c.path("float64.npy")), "gonpy": once(gonpyHeader, c.path("float64.npy"))},
		},
	}
}

// load reads a file as float64.
func (c *corpus) load(name string) work {
	return func() (any, error) {
		data, _, err := npy.Load[float64](c.path(name))
		return data, err
	}
}

// numpyHeader does what np.load does before the data.
const numpyHeader = `
def header():
    with open("float64.npy", "rb") as f:
        np.lib.format.read_magic(f)
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(f)
        return str(shape)
`

func readHeader(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h, err := format.ReadHeader(f)
	return format.ShapeString(h.Shape), err
}

// smallRow loads thousands of files, each of which gives a number to show that it was read.
func (c *corpus) smallRow() *row {
	paths := make([]string, c.smallFiles())
	for i := range paths {
		paths[i] = c.path(smallFile(i))
	}
	return &row{
		name: "load small files", does: fmt.Sprintf("%d files of 1 KB, one after the other", len(paths)), files: []string{smallDir},
		npy: func() (any, error) {
			first := make([]float64, len(paths))
			for i, path := range paths {
				data, _, err := npy.Load[float64](path)
				if err != nil {
					return nil, err
				}
				first[i] = data[0]
			}
			return first, nil
		},
		numpy: `np.array([np.load(path)[0] for path in paths])`, numpySetup: fmt.Sprintf(`paths = ["%s/%%06d.npy" %% i for i in range(%d)]`, smallDir, len(paths)),
		limit: c.preadAll(paths),
	}
}
