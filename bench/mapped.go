package main

import (
	"fmt"
	"os"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/mmap"
)

// sparseFile is an array of 100 GB that takes no space on disk.
const sparseFile = "sparse.npy"

// makeSparse makes sparseFile if the file system supports sparse files.
func makeSparse(_ *corpus, path string) error {
	f, err := mmap.Create(path, dtype.Float64, 12_500, 1_000_000)
	if err != nil {
		return err
	}
	return f.Close()
}

// mappedRows map files into memory, and make files longer.
func mappedRows(c *corpus) []*row {
	return []*row{
		{
			name: "map 100 GB", does: "open and close a map of a sparse file", ops: 200, files: []string{sparseFile},
			npy: func() (any, error) {
				f, err := mmap.Open(c.path(sparseFile))
				if err != nil {
					return nil, err
				}
				shape := fmt.Sprint(f.Shape()[0])
				return shape, f.Close()
			},
			numpy: fmt.Sprintf(`str(np.load(%q, mmap_mode="r").shape[0])`, sparseFile),
		},
		c.mapRow("map and sum 1 KB", "open a map, add up its float64, close it", "1KB.npy", 1<<10, 500, 1),
		c.mapRow("map and sum 1 MB", "the same", "1MB.npy", 1<<20, 20, 1),
		c.mapRow("map and sum "+sizeText(c.bytes(8)), "the same, on one goroutine", "float64.npy", c.bytes(8), 1, 1),
		c.mapRow("map and sum "+sizeText(c.bytes(8))+", two goroutines", "the same by halves", "float64.npy", c.bytes(8), 1, 2),
		c.appendRow(),
	}
}

// mapRow adds up the elements of a mapped file.
func (c *corpus) mapRow(name, does, file string, bytes int64, ops, parts int) *row {
	return &row{
		name: name, does: does, bytes: bytes, ops: ops, files: []string{file}, npy: c.mapAndSum(file, parts),
		numpy: fmt.Sprintf(`"%%.3f" %% np.load(%q, mmap_mode="r").sum()`, file), limit: c.pread(file),
	}
}

// mapAndSum adds up the elements of a file in parts.
func (c *corpus) mapAndSum(name string, parts int) work {
	return func() (any, error) {
		f, err := mmap.Open(c.path(name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		sums := make([]float64, parts)
		errs := make([]error, parts)
		var wg sync.WaitGroup
		for i := range parts {
			wg.Go(func() {
				errs[i] = f.Do(func(a *npy.Array) error {
					rows := a.Shape()[0]
					part, err := a.Slice(npy.Span(i*rows/parts, (i+1)*rows/parts))
					if err != nil {
						return err
					}
					v, err := npy.As[float64](part)
					if err != nil {
						return err
					}
					data, ok := v.ViewSlice()
					if !ok {
						return fmt.Errorf("%s is not mapped as its elements", name)
					}
					sums[i] = sum(data)
					return nil
				})
			})
		}
		wg.Wait()
		total := 0.0
		for i := range parts {
			if errs[i] != nil {
				return nil, errs[i]
			}
			total += sums[i]
		}
		return fmt.Sprintf("%.3f", total), nil
	}
}

// sum keeps four sums, so that an addition need not wait for the preceding one.
func sum(x []float64) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, d = a+x[0], b+x[1], c+x[2], d+x[3]
	}
	for _, v := range x {
		a += v
	}
	return a + b + (c + d)
}

// appendRow appends to a file repeatedly, beside the same writes without a header.
func (c *corpus) appendRow() *row {
	const width, batch = 128, 1000 // rows of 1 KB
	data := make([]float64, batch*width)
	batches := max(1, int(c.bytes(8))/(8*len(data)))
	return &row{
		name: "append", does: fmt.Sprintf("%d times %d rows of 1 KB to a file, in place; NumPy knows their number before and uses tofile, the limit writes as much without a header", batches, batch),
		bytes: int64(batches) * 8 * int64(len(data)), before: c.newOut,
		npy: func() (any, error) {
			path := c.path(outFile(0))
			if err := npy.Save(path, data[:0], 0, width); err != nil {
				return nil, err
			}
			l, err := npy.OpenAppend(path)
			if err != nil {
				return nil, err
			}
			defer l.Close()
			for range batches {
				if err := npy.AppendRows(l, data); err != nil {
					return nil, err
				}
			}
			return file(path), l.Close()
		},
		numpy: "append()",
		numpySetup: fmt.Sprintf(`
data = np.zeros((%[1]d, %[2]d))
def append():
    with open(%[3]q, "wb") as f:
        np.lib.format.write_array_header_1_0(f, {"descr": "<f8", "fortran_order": False, "shape": (%[1]d * %[4]d, %[2]d)})
        for _ in range(%[4]d):
            data.tofile(f)
    return Path(%[3]q)
`, batch, width, outFile(2), batches),
		limit: &limit{name: "write", threads: 1, move: func(int) error {
			f, err := os.Create(c.path(outFile(1)))
			if err != nil {
				return err
			}
			raw := make([]byte, 8*len(data))
			for range batches {
				if _, err := f.Write(raw); err != nil {
					return err
				}
			}
			return f.Close()
		}},
	}
}
