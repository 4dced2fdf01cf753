package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/record"
)

// computedRows compute with whole arrays, and join two.
func computedRows(c *corpus) []*row {
	rows := []*row{
		c.sumRow("a*b + c of files", "one float64 array of a file three times", true),
		c.sumRow("a*b + c in memory", "the same in memory", false),
		c.meanRow(0, true), c.meanRow(1, true), c.meanRow(0, false), c.meanRow(1, false),
	}
	if c.python != "" && !c.imports("pandas") {
		return rows // the Python of the comparison, which the environment may name, has NumPy alone
	}
	return append(rows, c.joinRow())
}

// sumRow multiplies and adds arrays of float64.
func (c *corpus) sumRow(name, does string, files bool) *row {
	const file = "float64.npy"
	r := &row{name: name, does: does, bytes: 4 * c.bytes(8), fresh: c.bytes(8), files: []string{file}}
	var arrays map[string]npy.Source
	r.npy = func() (any, error) {
		if files {
			f, err := npy.Open(c.path(file))
			if err != nil {
				return nil, err
			}
			defer f.Close()
			arrays = map[string]npy.Source{"a": f, "b": f, "c": f}
		}
		return calculated("a*b + c", arrays)
	}
	r.numpy = fmt.Sprintf("np.load(%q)*np.load(%[1]q) + np.load(%[1]q)", file)
	if !files {
		r.setup = func() error {
			a, err := npy.ReadFile(c.path(file))
			arrays = map[string]npy.Source{"a": a, "b": a, "c": a}
			return err
		}
		r.numpy, r.numpySetup = "a*a + a", fmt.Sprintf("a = np.load(%q)", file)
	}
	return r
}

func calculated(expr string, arrays map[string]npy.Source) (*npy.Array, error) {
	src, err := query.Calc(context.Background(), expr, arrays)
	if err != nil {
		return nil, err
	}
	return src.ReadAll(context.Background())
}

// meanRow takes the mean along an axis. Sums differ in the last digits: the results are compared as texts.
func (c *corpus) meanRow(axis int, file bool) *row {
	const name = "float64.npy"
	expr := fmt.Sprintf("a.mean(axis=%d)", axis)
	r := &row{name: fmt.Sprintf("mean along axis %d of a file", axis), does: fmt.Sprintf("of float64, %d in a row", columns), bytes: c.bytes(8), files: []string{name}}
	text := func(mean *npy.Array, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		view, err := npy.As[float64](mean)
		if err != nil {
			return nil, err
		}
		return fmt.Sprintf("%d %.6g %.6g", view.Len(), view.At(0), view.At(view.Len()-1)), nil
	}
	r.numpySetup = `def text(x):
    return "%d %.6g %.6g" % (len(x), x[0], x[-1])
`
	if file {
		r.numpy = fmt.Sprintf("text(np.load(%q).mean(axis=%d))", name, axis)
		r.npy = func() (any, error) {
			f, err := npy.Open(c.path(name))
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return text(calculated(expr, map[string]npy.Source{"a": f}))
		}
		return r
	}
	var a *npy.Array
	r.name, r.does = fmt.Sprintf("mean along axis %d in memory", axis), "the same in memory"
	r.setup = func() (err error) {
		a, err = npy.ReadFile(c.path(name))
		return err
	}
	r.npy = func() (any, error) { return text(calculated(expr, map[string]npy.Source{"a": a})) }
	r.numpySetup += fmt.Sprintf("a = np.load(%q)\n", name)
	r.numpy = fmt.Sprintf("text(a.mean(axis=%d))", axis)
	return r
}

// A keyed is a record that is joined.
type keyed struct {
	ID    int64   `npy:"id"`
	Value float64 `npy:"value"`
}

// keyedRows returns records with the numbers up to n as keys, in random order.
func keyedRows(r *rand.Rand, n int) (*npy.Array, error) {
	rows := make([]keyed, n)
	for i, id := range r.Perm(n) {
		rows[i] = keyed{int64(id), r.Float64()}
	}
	return record.FromSlice(rows)
}

// joinRow joins records by keys that are in each table once.
func (c *corpus) joinRow() *row {
	n := c.scaled(1_000_000)
	var left, right *npy.Array
	return &row{
		name: "join 1 M × 1 M", does: fmt.Sprintf("2 tables of %d records in memory, an int64 and a float64, by the int64 in random order; pandas.merge", n),
		bytes: 56 * int64(n), fresh: 24 * int64(n),
		setup: func() (err error) {
			r := rand.New(rand.NewPCG(1, 2))
			if left, err = keyedRows(r, n); err != nil {
				return err
			}
			if right, err = keyedRows(r, n); err != nil {
				return err
			}
			if err := npy.WriteFile(c.path("join-left.npy"), left); err != nil {
				return err
			}
			return npy.WriteFile(c.path("join-right.npy"), right)
		},
		npy: func() (any, error) {
			ctx := context.Background()
			join := query.Join{On: []query.JoinKey{{Left: "id", Right: "id"}}, Suffix: "2"}
			rows, err := join.Open(ctx, left, right)
			if err != nil {
				return nil, err
			}
			defer rows.Close()
			a, err := rows.ReadAll(ctx)
			return frame{a}, err
		},
		numpySetup: `import pandas
left, right = [pandas.DataFrame(np.load("join-%s.npy" % side)) for side in ("left", "right")]`,
		numpy: `left.merge(right, on="id")`,
	}
}
