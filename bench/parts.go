package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/npygo/npy"
)

// partRows read parts of files, and copy files in less memory than their size.
func partRows(c *corpus) []*row {
	const name = "float64.npy"
	rows := c.n / columns
	last := []npy.Index{npy.Span(rows/2, rows/2+2), npy.All()}
	return []*row{
		{
			name: "two rows of " + sizeText(c.bytes(8)), does: "a[i:i+2] of a float64 file, opened for it; NumPy copies from a map", ops: 20, files: []string{name},
			npy:   c.slice(name, last...),
			numpy: fmt.Sprintf(`np.array(np.load(%q, mmap_mode="r")[%d:%d])`, name, rows/2, rows/2+2),
		},
		{
			name: "one column of " + sizeText(c.bytes(8)), does: fmt.Sprintf("a[:, 7] of %d rows of %d float64, opened for it; NumPy copies from a map", rows, columns), files: []string{name},
			npy:   c.slice(name, npy.All(), npy.At(7)),
			numpy: fmt.Sprintf(`np.array(np.load(%q, mmap_mode="r")[:, 7])`, name),
		},
		c.streamRow(name),
		c.transposeRow(),
	}
}

// streamRow reads a file some rows at a time, as programs with little memory do.
func (c *corpus) streamRow(name string) *row {
	const batch = 64 // rows, 2 MB
	buf := make([]float64, batch*columns)
	return &row{
		name: "read in batches", does: fmt.Sprintf("%s of float64, %d rows of %d at a time into one buffer; NumPy by fromfile", sizeText(c.bytes(8)), batch, columns),
		bytes: c.bytes(8), files: []string{name},
		npy: func() (any, error) {
			f, err := os.Open(c.path(name))
			if err != nil {
				return nil, err
			}
			defer f.Close()
			r, err := npy.NewRowReader[float64](f)
			if err != nil {
				return nil, err
			}
			firsts := 0.0
			for {
				_, err := r.Next(buf)
				if err == io.EOF {
					return fmt.Sprintf("%.6f", firsts), nil
				}
				if err != nil {
					return nil, err
				}
				firsts += buf[0]
			}
		},
		numpy: "batches()",
		numpySetup: fmt.Sprintf(`
def batches():
    firsts = 0.0
    with open(%q, "rb") as f:
        np.lib.format.read_magic(f)
        np.lib.format.read_array_header_1_0(f)
        while (rows := np.fromfile(f, "f8", %d)).size:
            firsts += rows[0]
    return "%%.6f" %% firsts
`, name, batch*columns),
		limit: c.pread(name),
	}
}

func (c *corpus) slice(name string, index ...npy.Index) work {
	return func() (any, error) {
		f, err := npy.Open(c.path(name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return f.Slice(index...)
	}
}

// transposeRow copies a file with a memory limit of a quarter of its size.
func (c *corpus) transposeRow() *row {
	const from = "fortran.npy"
	size := c.bytes(8)
	return &row{
		name: "Fortran to C on disk", does: fmt.Sprintf("%s of float64 from file to file: npy with a quarter of that as memory, NumPy from a map and all in memory", sizeText(size)),
		bytes: size, files: []string{from}, before: c.newOut,
		npy: func() (any, error) {
			f, err := npy.Open(c.path(from))
			if err != nil {
				return nil, err
			}
			defer f.Close()
			path := c.path(outFile(0))
			return file(path), npy.Copier{Order: npy.COrder, Memory: size / 4}.WriteFile(context.Background(), path, f)
		},
		numpy:      "transpose()",
		numpySetup: fmt.Sprintf("def transpose():\n    np.save(%[1]q, np.ascontiguousarray(np.load(%[2]q, mmap_mode='r')))\n    return Path(%[1]q)\n", outFile(0), from),
		limit:      &limit{name: "copy", threads: 1, move: func(int) error { return copyFile(c.path(outFile(1)), c.path(from)) }},
	}
}

// copyFile copies through memory, as a copy to another order must.
func copyFile(to, from string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.Create(to)
	if err != nil {
		return err
	}
	defer dst.Close()
	_, err = io.CopyBuffer(struct{ io.Writer }{dst}, struct{ io.Reader }{src}, make([]byte, 1<<20))
	return err
}
