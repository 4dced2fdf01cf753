package main

import (
	"context"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
)

// filterRows choose rows by a condition.
func filterRows(c *corpus) []*row {
	n := c.scaled(10_000_000)
	return []*row{
		c.filterRow("filter records", fmt.Sprintf("those of %d packed records in memory whose <f8 is above 1: every sixth", n), "packed.npy", 14*int64(n),
			"Value > 1", `a[a["Value"] > 1]`),
		c.filterRow("filter records by two fields", "the same records by two comparisons", "packed.npy", 14*int64(n),
			"Value > 1 and N < 0", `a[(a["Value"] > 1) & (a["N"] < 0)]`),
		c.filterRow("filter plain array", "the float64 in memory above 1, every sixth", "float64.npy", c.bytes(8), "x > 1", `a[a > 1]`),
	}
}

func (c *corpus) filterRow(name, does, file string, bytes int64, condition, numpy string) *row {
	var a *npy.Array
	return &row{
		name: name, does: does, bytes: bytes, files: []string{file},
		setup: func() (err error) {
			if a, err = npy.ReadFile(c.path(file)); err == nil {
				a, err = a.Reshape(-1)
			}
			return err
		},
		npy: func() (any, error) {
			rows, err := query.Filter(context.Background(), a, condition)
			if err != nil {
				return nil, err
			}
			return rows.ReadAll(context.Background())
		},
		numpy: numpy, numpySetup: fmt.Sprintf("a = np.load(%q).reshape(-1)", file),
		limit: memcpy(bytes),
	}
}
