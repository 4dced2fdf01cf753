package filter

import (
	"context"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/rowset"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/values"
	"github.com/npygo/npy/source"
)

// rowsOf returns the rows of src that satisfy the condition.
func (c *Filter) rowsOf(ctx context.Context, src npy.Source) (*rowset.Set, error) {
	set := &rowset.Set{}
	rows := src.Shape()[0]
	if err := c.checkEmpty(rows); err != nil {
		return nil, err
	}
	r := c.reader(src)
	if c.RowSize == 0 {
		r = &rowReader{load: func(_ context.Context, w *worker, _, _ int) error { w.raw = []byte{}; return nil }}
	}
	runs, err := rowsource.Runs(ctx, src, c.RowSize)
	switch {
	case err != nil:
		return nil, err
	case runs != nil:
		return c.rowsOfRuns(ctx, runs)
	case r != nil:
		err := c.scan(ctx, r, 0, rows, set)
		set.Finish()
		return set, err
	}
	first := 0
	for block, err := range src.Blocks(ctx, 0) {
		if err != nil {
			return nil, err
		}
		n := block.Shape()[0]
		if n*c.RowSize != block.NBytes() { // part of a row
			return c.rowsOfParts(ctx, src)
		}
		if err := c.scan(ctx, c.reader(block), first, n, set); err != nil {
			return nil, err
		}
		first += n
	}
	set.Finish()
	return set, nil
}

// rowsOfRuns is rowsOf for runs of rows. Rows that are equal satisfy the condition together.
func (c *Filter) rowsOfRuns(ctx context.Context, runs iter.Seq2[source.Run, error]) (*rowset.Set, error) {
	set := &rowset.Set{}
	w := &worker{env: c.NewEnv()}
	for run, err := range runs {
		if err != nil {
			return nil, err
		}
		if run.Value != nil {
			mask, err := c.Evaluate(ctx, w.env, values.Batch{First: int64(set.Rows), N: 1, Raw: run.Value}, w.mask[:0])
			if err != nil {
				return nil, err
			}
			set.AppendEqual(run.Count, mask[0] != 0)
			continue
		}
		rows, err := npy.FromBytes(c.DType, run.Data, slices.Concat([]int{run.Count}, c.RowShape)...)
		if err == nil {
			err = c.scan(ctx, c.reader(rows), set.Rows, run.Count, set)
		}
		if err != nil {
			return nil, err
		}
	}
	set.Finish()
	return set, nil
}

// rowsOfParts is rowsOf where blocks are smaller than rows.
func (c *Filter) rowsOfParts(ctx context.Context, src npy.Source) (*rowset.Set, error) {
	if err := source.CheckBytes(src, format.Header{DType: c.DType, Shape: src.Shape()}.NBytes()); err != nil {
		return nil, err
	}
	set := &rowset.Set{}
	r := &rowReader{c.RowSize, func(ctx context.Context, w *worker, low, n int) error { return c.loadColumns(ctx, src, w, low, n) }}
	err := c.scan(ctx, r, 0, src.Shape()[0], set)
	set.Finish()
	return set, err
}

// scan evaluates n rows that r reads from row 0 on, and appends the results to set. first is the number of the first row.
func (c *Filter) scan(ctx context.Context, r *rowReader, first, n int, set *rowset.Set) error {
	per, workers := r.chunk(n)
	ws := make([]*worker, workers)
	return par.Ordered(ctx, (n+per-1)/per, workers, func(i, chunk int) (rowset.Bits, error) {
		if ws[i] == nil {
			ws[i] = &worker{env: c.NewEnv()}
		}
		low := chunk * per
		k := min(per, n-low)
		mask, err := c.chunk(ctx, ws[i], r, first, low, k)
		if err != nil {
			return rowset.Bits{}, err
		}
		var rows rowset.Bits
		rows.Pack(mask)
		return rows, nil
	}, set.Append)
}

// chunk evaluates k rows from low on.
func (c *Filter) chunk(ctx context.Context, w *worker, r *rowReader, first, low, k int) ([]uint8, error) {
	if err := r.load(ctx, w, low, k); err != nil {
		return nil, err
	}
	mask, err := c.Evaluate(ctx, w.env, values.Batch{First: int64(first) + int64(low), N: k, Raw: w.raw, Items: w.items}, w.mask[:0])
	w.mask = mask
	return mask, err
}
