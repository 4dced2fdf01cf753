package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// A table is the path of a written text file, the result of writing it.
type table string

// convertRows turn arrays into text and back. Text is slow, so they have fewer elements than the other rows.
func convertRows(c *corpus) []*row {
	rows := c.scaled(250_000)
	return []*row{
		c.writeCSVRow(rows),
		c.readCSVRow("read CSV", fmt.Sprintf("%d rows of 4 float64 as np.savetxt writes them, by convert.Read and np.loadtxt, which are told the dtype", rows), rows, dtype.Float64),
		c.readCSVRow("read CSV, dtype unknown", "the same, but npy finds it out and reads the text twice", rows, dtype.Type{}),
	}
}

// tableOf returns an array of four columns from the large one.
func (c *corpus) tableOf(rows int) (*npy.Array, error) {
	data, _, err := npy.Load[float64](c.path("float64.npy"))
	if err != nil {
		return nil, err
	}
	rows = min(rows, len(data)/4)
	return npy.FromSlice(data[:4*rows], rows, 4)
}

func (c *corpus) writeCSVRow(rows int) *row {
	var a *npy.Array
	return &row{
		name: "write CSV", does: fmt.Sprintf("%d rows of 4 float64 as text that reads back exactly, beside np.savetxt", rows),
		files: []string{"float64.npy"}, before: c.newOut,
		setup: func() (err error) {
			a, err = c.tableOf(rows)
			return err
		},
		npy: func() (any, error) {
			path := c.path(outDir + "/npy.csv")
			return table(path), convert.WriteFile(context.Background(), path, convert.CSV, a, convert.WriteOptions{})
		},
		numpy: "save()",
		numpySetup: fmt.Sprintf(`
data = np.load("float64.npy").ravel()
rows = min(%d, len(data) // 4)
data = data[:4 * rows].reshape(rows, 4)
def save():
    np.savetxt("%[2]s/numpy.csv", data, delimiter=",")
    return Path("%[2]s/numpy.csv")
`, rows, outDir),
	}
}

func (c *corpus) readCSVRow(name, does string, rows int, t dtype.Type) *row {
	path := c.path("float64.csv")
	return &row{
		name: name, does: does,
		files: []string{"float64.npy"},
		setup: func() error {
			a, err := c.tableOf(rows)
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err := convert.Write(context.Background(), &text, convert.TXT, a, convert.WriteOptions{}); err != nil {
				return err
			}
			return os.WriteFile(path, bytes.ReplaceAll(text.Bytes(), []byte(" "), []byte(",")), 0o666)
		},
		npy:   func() (any, error) { return readTable(path, t) },
		numpy: `np.loadtxt("float64.csv", delimiter=",", ndmin=2)`,
	}
}

// readTable reads a table of numbers, of a given dtype or of one that is inferred.
func readTable(path string, t dtype.Type) (*npy.Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a, _, err := convert.Read(f, convert.CSV, convert.ReadOptions{DType: t})
	return a, err
}
