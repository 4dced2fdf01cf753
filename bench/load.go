package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
)

// loadRows read files into memory.
func loadRows(c *corpus) []*row {
	large := sizeText(c.bytes(8))
	fresh := &row{
		name: "load " + large, does: "float64 into memory that the process did not have before",
		bytes: c.bytes(8), fresh: c.bytes(8), files: []string{"float64.npy"},
		npy: c.load("float64.npy"), numpy: `np.load("float64.npy")`,
		others: c.peersLoad("float64.npy"), limit: c.pread("float64.npy"),
	}
	return []*row{
		c.loadRow("1 KB", 1<<10, 1000, "128 float64 of one file"),
		c.loadRow("1 MB", 1<<20, 20, "float64, in a process that has loaded others before and holds 64 MB of other data"),
		c.loadAloneRow(),
		c.loadRow("4 MB", 4<<20, 5, "four times as much"),
		c.loadRow("16 MB", 16<<20, 2, "and again"),
		fresh,
		{
			name: "load " + large + " again", does: "the same into memory that the process has freed; NumPy keeps no such memory",
			bytes: c.bytes(8), files: []string{"float64.npy"},
			npy: c.load("float64.npy"), numpy: `np.load("float64.npy")`, limit: c.pread("float64.npy"),
		},
		c.intoRow("1 KB", "1KB.npy", 1<<10, 1000),
		c.intoRow("1 MB", "1MB.npy", 1<<20, 20),
		c.intoRow(large, "float64.npy", c.bytes(8), 1),
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
			name: "load strings", does: fmt.Sprintf("a file of %d strings <U16 as strings of the language: []string, and a list of str", c.strings()),
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

// loadRow loads a file of one size repeatedly, in a process that also holds other data.
func (c *corpus) loadRow(size string, bytes int64, ops int, does string) *row {
	name := strings.ReplaceAll(size, " ", "") + ".npy"
	return &row{
		name: "load " + size, does: does, bytes: bytes, ops: ops, live: 64 << 20, files: []string{name},
		npy: c.load(name), numpy: fmt.Sprintf("np.load(%q)", name), others: c.peersLoad(name), limit: c.pread(name),
	}
}

// loadAloneRow is the worst case of the garbage collector: the process holds no other data.
func (c *corpus) loadAloneRow() *row {
	r := c.loadRow("1 MB", 1<<20, 20, "the same where there is nothing else: Go's garbage collector runs every 4 MB, unless GOGC says otherwise")
	r.name, r.live = r.name+" alone", 0
	return r
}

// intoRow loads a file into the memory of the previous result, which NumPy's load cannot do.
func (c *corpus) intoRow(size, name string, bytes int64, ops int) *row {
	var buf []float64
	return &row{
		name: "load " + size + " into a buffer", does: "into memory that the caller gives; NumPy's load takes its own", bytes: bytes, ops: ops, files: []string{name},
		npy: func() (_ any, err error) {
			buf, _, err = npy.LoadInto(buf, c.path(name))
			return buf, err
		},
		numpy: fmt.Sprintf("np.load(%q)", name), limit: c.pread(name),
	}
}

// load reads a file as float64.
func (c *corpus) load(name string) work {
	return func() (any, error) {
		data, _, err := npy.Load[float64](c.path(name))
		return data, err
	}
}

// numpyHeader reads a header as np.load does before it reads the data.
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

// smallRow loads thousands of files. Each returns a number that shows that it was read.
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
