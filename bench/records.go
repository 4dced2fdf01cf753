package main

import (
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/record"
)

// numpyReadings are the dtypes of a reading, packed as in the file and padded as in Go and C.
const numpyReadings = `
packed = np.dtype([("ID", "<i4"), ("Value", "<f8"), ("N", "<i2")])
aligned = np.dtype([("ID", "<i4"), ("Value", "<f8"), ("N", "<i2")], align=True)
`

// recordRows read and write structured arrays as slices of Go structs.
func recordRows(c *corpus) []*row {
	n := c.scaled(10_000_000)
	packed, aligned := 14*int64(n), 24*int64(n)
	load := func(name string) work {
		return func() (any, error) {
			data, _, err := record.Load[reading](c.path(name))
			return data, err
		}
	}
	return []*row{
		{
			name: "load packed records", does: fmt.Sprintf("%d records of <i4, <f8 and <i2 without padding as structs with it", n),
			bytes: aligned, fresh: aligned, files: []string{"packed.npy"}, npy: load("packed.npy"),
			numpy: `np.load("packed.npy").astype(aligned)`, numpySetup: numpyReadings, limit: c.pread("packed.npy"),
		},
		{
			name: "load aligned records", does: "the same records, which lie in the file as in memory",
			bytes: aligned, fresh: aligned, files: []string{"aligned.npy"}, npy: load("aligned.npy"),
			numpy: `np.load("aligned.npy")`, limit: c.pread("aligned.npy"),
		},
		c.saveRecordsRow(packed),
		c.columnRow(8 * int64(n)),
	}
}

func (c *corpus) saveRecordsRow(bytes int64) *row {
	var data []reading
	return &row{
		name: "save packed records", does: "structs with padding to a new file without",
		bytes: bytes, fresh: bytes, files: []string{"aligned.npy"}, before: c.newOut,
		setup: func() (err error) {
			data, _, err = record.Load[reading](c.path("aligned.npy"))
			return err
		},
		npy: func() (any, error) {
			path := c.path(outFile(0))
			return file(path), record.Save(path, data)
		},
		numpy: "save()",
		numpySetup: numpyReadings + fmt.Sprintf(`
data = np.load("aligned.npy")
def save():
    np.save(%[1]q, data.astype(packed))
    return Path(%[1]q)
`, outFile(0)),
		limit: c.pwrite(bytes),
	}
}

func (c *corpus) columnRow(bytes int64) *row {
	var a *npy.Array
	return &row{
		name: "column of records", does: "the <f8 of packed records in memory as a slice of its own",
		bytes: bytes, fresh: bytes, files: []string{"packed.npy"},
		setup: func() (err error) {
			a, err = npy.ReadFile(c.path("packed.npy"))
			return err
		},
		npy: func() (any, error) {
			v, err := record.Field[float64](a, "Value")
			if err != nil {
				return nil, err
			}
			data, _ := v.ViewSlice()
			return data, nil
		},
		numpy: `records["Value"].copy()`, numpySetup: `records = np.load("packed.npy")`,
		limit: memcpy(bytes),
	}
}
