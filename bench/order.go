package main

import (
	"context"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
)

// orderRows sort and group rows.
func orderRows(c *corpus) []*row {
	n := c.scaled(10_000_000)
	var floats, records *npy.Array
	load := func(name string, to **npy.Array) func() error {
		return func() error {
			a, err := npy.ReadFile(c.path(name))
			if err == nil {
				a, err = a.Reshape(-1)
			}
			if err == nil {
				*to, err = a.Slice(npy.SpanTo(n))
			}
			return err
		}
	}
	ctx := context.Background()
	return []*row{
		{
			name: "sort 10 M float64", does: fmt.Sprintf("%d of them, in memory", n),
			bytes: 8 * int64(n), fresh: 8 * int64(n), files: []string{"float64.npy"}, setup: load("float64.npy", &floats),
			npy:   func() (any, error) { return query.Sort{}.Array(ctx, floats) },
			numpy: `np.sort(a)`, numpySetup: fmt.Sprintf(`a = np.load("float64.npy").reshape(-1)[:%d]`, n),
			limit: memcpy(8 * int64(n)),
		},
		{
			name: "sort records by a field", does: fmt.Sprintf("%d packed records in memory by their <f8", n),
			bytes: 14 * int64(n), fresh: 14 * int64(n), files: []string{"packed.npy"}, setup: load("packed.npy", &records),
			npy:   func() (any, error) { return query.Sort{By: []query.Key{{Field: "Value"}}}.Array(ctx, records) },
			numpy: `np.sort(a, order="Value", kind="stable")`, numpySetup: `a = np.load("packed.npy")`,
			limit: memcpy(14 * int64(n)),
		},
		{
			name: "group records", does: "the same records by their <i2: how many there are, and the mean of <f8",
			bytes: 14 * int64(n), files: []string{"packed.npy"}, setup: load("packed.npy", &records),
			npy: func() (any, error) {
				g := query.Group{By: []query.Key{{Field: "N"}}, Aggs: []query.Agg{{Func: "count"}, {Func: "mean", Field: "Value"}}}
				return groupsText(g.Of(ctx, records))
			},
			numpy: `groups(a)`, numpySetup: `a = np.load("packed.npy")
def groups(a):
    keys, code, count = np.unique(a["N"], return_inverse=True, return_counts=True)
    mean = np.bincount(code.ravel(), weights=a["Value"]) / count
    return "%d %d %d %.6g %.6g" % (len(keys), keys[0], count[0], mean[0], mean[-1])
`,
			limit: memcpy(14 * int64(n)),
		},
	}
}

// groupsText describes groups in a few numbers.
func groupsText(a *npy.Array, err error) (string, error) {
	if err != nil {
		return "", err
	}
	last := a.Len() - 1
	number := func(field string, row int) any {
		f, fieldErr := a.Field(field)
		if fieldErr == nil {
			f, fieldErr = f.Slice(npy.Span(row, row+1))
		}
		if fieldErr != nil {
			err = fieldErr
			return nil
		}
		if field == "mean_Value" {
			v, asErr := npy.As[float64](f)
			if err = asErr; err != nil {
				return nil
			}
			return v.At(0)
		}
		v, asErr := npy.As[int64](f)
		if err = asErr; err != nil {
			return nil
		}
		return v.At(0)
	}
	text := fmt.Sprintf("%d %d %d %.6g %.6g", a.Len(), number("N", 0), number("count", 0), number("mean_Value", 0), number("mean_Value", last))
	return text, err
}
