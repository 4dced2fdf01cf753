package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// A table is the path of a written text file, the result of writing it.
type table string

// convertRows turn arrays into text and back. Text is slow, so they have fewer elements than the other rows.
func convertRows(c *corpus) []*row {
	rows := c.scaled(250_000)
	all := []*row{
		c.writeCSVRow(rows),
		c.readCSVRow("read CSV", fmt.Sprintf("%d rows of 4 float64 as np.savetxt writes them, by convert.Read and np.loadtxt, which are told the dtype", rows), rows, dtype.Float64),
		c.readCSVRow("read CSV, dtype unknown", "the same, but npy finds it out and reads the text twice", rows, dtype.Type{}),
	}
	if c.python != "" && !c.imports("pandas") {
		return all // the Python of the comparison, which the environment may name, has NumPy alone
	}
	return append(all,
		c.wildCSVRow("read CSV of many kinds", fmt.Sprintf("%d rows of an int, quoted text, a float64 that is missing in every tenth, a date and a bool, by convert.Read and pandas.read_csv with parse_dates", rows), rows, ",", "",
			`parse_dates=["when"]`, convert.TableOptions{}),
		c.wildCSVRow("read CSV of decimal commas", "the same with semicolons, decimal commas and ? for what is missing, which both are told", rows, ";", "?",
			`parse_dates=["when"], sep=";", decimal=",", na_values=["?"]`, convert.TableOptions{Delimiter: ';', Decimal: ',', Missing: []string{"?"}}),
	)
}

// A frame is a table whose columns have different dtypes.
type frame struct{ *npy.Array }

// wildCSVRow reads a table such as programs write, whose dtypes npy finds out.
func (c *corpus) wildCSVRow(name, does string, rows int, delimiter, missing, pandas string, options convert.TableOptions) *row {
	path := c.path("wild.csv")
	return &row{
		name: name, does: does,
		files: []string{"float64.npy"},
		setup: c.writeTable(path, rows, func(a *npy.Array) ([]byte, error) { return wildCSV(a, delimiter, missing), nil }),
		npy: func() (any, error) {
			a, err := readTable(path, convert.ReadOptions{Table: options})
			return frame{a}, err
		},
		numpySetup: "import pandas",
		numpy:      fmt.Sprintf(`pandas.read_csv("wild.csv", %s)`, pandas),
	}
}

// wildCSV returns a table with a header and the floats of the first column of a.
func wildCSV(a *npy.Array, delimiter, missing string) []byte {
	view, _ := npy.As[float64](a)
	b := []byte(strings.Join([]string{"id", "station", "value", "when", "valid"}, delimiter) + "\n")
	for i := range a.Len() {
		b = strconv.AppendInt(b, int64(i)*7919%1_000_003, 10)
		b = fmt.Appendf(b, `%s"station %d, north"%s`, delimiter, i%97, delimiter)
		if i%10 == 3 {
			b = append(b, missing...)
		} else {
			at := len(b)
			b = strconv.AppendFloat(b, math.Round(view.At(i, 0)*1e6)/1e6, 'f', -1, 64)
			if delimiter == ";" {
				copy(b[at:], bytes.ReplaceAll(b[at:], []byte("."), []byte(",")))
			}
		}
		day := time.Date(1990, 1, 1+i%12_000, 0, 0, 0, 0, time.UTC)
		b = append(day.AppendFormat(append(b, delimiter...), time.DateOnly), delimiter...)
		b = append(strconv.AppendBool(b, i%3 == 0), '\n')
	}
	return b
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
			return table(path), convert.WriteFile(context.Background(), path, a, convert.WriteOptions{})
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
		setup: c.writeTable(path, rows, func(a *npy.Array) ([]byte, error) {
			var text bytes.Buffer
			err := convert.Write(context.Background(), &text, convert.TXT, a, convert.WriteOptions{})
			return bytes.ReplaceAll(text.Bytes(), []byte(" "), []byte(",")), err
		}),
		npy:   func() (any, error) { return readTable(path, convert.ReadOptions{DType: t}) },
		numpy: `np.loadtxt("float64.csv", delimiter=",", ndmin=2)`,
	}
}

// writeTable returns a function that writes an array of four columns as text.
func (c *corpus) writeTable(path string, rows int, text func(a *npy.Array) ([]byte, error)) func() error {
	return func() error {
		a, err := c.tableOf(rows)
		if err != nil {
			return err
		}
		data, err := text(a)
		if err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o666)
	}
}

// readTable reads a table.
func readTable(path string, o convert.ReadOptions) (*npy.Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a, _, err := convert.Read(context.Background(), f, convert.CSV, o)
	return a, err
}
