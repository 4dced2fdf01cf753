package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/kshedden/gonpy"
	"github.com/npygo/npy"
	npyio "github.com/sbinet/npyio/npy"
)

// outDir is the folder for the files that rows save. They are numbered, so that each file of a sample is a new file.
const outDir = "out"

func outFile(i int) string { return fmt.Sprintf("%s/%03d.npy", outDir, i) }

// A file is the path of a saved file, the result of saving it.
type file string

// saveRows write arrays in memory to files.
func saveRows(c *corpus) []*row {
	large := sizeText(c.bytes(8))
	return []*row{
		c.saveRow("save 1 KB", "128 float64 to a new file", "1KB.npy", 500),
		c.saveRow("save 1 MB", "float64 to a new file", "1MB.npy", 20),
		c.saveRow("save "+large, "float64 to a new file", "float64.npy", 1),
		c.replaceRow("replace " + large),
		c.saveStringsRow(),
	}
}

// newOut empties the folder for saved files.
func (c *corpus) newOut() error {
	if err := os.RemoveAll(c.path(outDir)); err != nil {
		return err
	}
	return os.Mkdir(c.path(outDir), 0o777)
}

// saveRow saves the float64 elements of a file as ops new files.
func (c *corpus) saveRow(name, does, from string, ops int) *row {
	var data []float64
	saveAs := func(save func(string, []float64) error) work {
		i := 0
		return func() (any, error) {
			path := c.path(outFile(i % ops))
			i++
			return file(path), save(path, data)
		}
	}
	r := &row{
		name: name, does: does, ops: ops, files: []string{from}, before: c.newOut,
		npy:   saveAs(func(path string, data []float64) error { return npy.Save(path, data) }),
		numpy: "save(next(paths))",
		numpySetup: fmt.Sprintf(`
data = np.load(%q).ravel()
paths = itertools.cycle("%s/%%03d.npy" %% i for i in range(%d))
def save(path):
    np.save(path, data)
    return Path(path)
`, from, outDir, ops),
		others: map[string]work{"npyio": saveAs(npyioSave), "gonpy": saveAs(gonpySave)},
	}
	r.setup = func() (err error) {
		data, _, err = npy.Load[float64](c.path(from))
		return err
	}
	if size := c.bytes(8); from == "float64.npy" {
		r.bytes, r.limit = size, c.pwrite(size)
	}
	return r
}

// replaceRow replaces the same file repeatedly.
func (c *corpus) replaceRow(name string) *row {
	r := c.saveRow(name, "float64 in place of an existing file: npy writes a new file and renames it, so that no reader sees an incomplete file; NumPy overwrites", "float64.npy", 1)
	r.before, r.others = nil, nil
	load := r.setup
	r.setup = func() error {
		if err := c.newOut(); err != nil {
			return err
		}
		return load()
	}
	return r
}

func (c *corpus) saveStringsRow() *row {
	var data []string
	return &row{
		name: "save strings", does: fmt.Sprintf("%d strings of the language, []string or a list of str, as <U16 to a new file", c.strings()),
		bytes: c.stringBytes(), fresh: c.stringBytes(), files: []string{"strings.npy"}, before: c.newOut,
		setup: func() (err error) {
			data, _, err = npy.Load[string](c.path("strings.npy"))
			return err
		},
		npy: func() (any, error) {
			path := c.path(outFile(0))
			return file(path), npy.Save(path, data)
		},
		numpy:      "save()",
		numpySetup: fmt.Sprintf("data = np.load('strings.npy').tolist()\ndef save():\n    np.save(%[1]q, np.array(data))\n    return Path(%[1]q)\n", outFile(0)),
		limit:      c.pwrite(c.stringBytes()),
	}
}

func npyioSave(path string, data []float64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, peerBuffer)
	if err := npyio.Write(w, data); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func gonpySave(path string, data []float64) error {
	w, err := gonpy.NewFileWriter(path)
	if err != nil {
		return err
	}
	return w.WriteFloat64(data)
}
