package filter

import (
	"context"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

// Source returns the rows of src that satisfy the expression. It reads src once. The result reads the rows when it is read.
// The rows of an array or a stream, and rows with Python objects, are copied into memory.
func (c *Filter) Source(ctx context.Context, src npy.Source) (npy.Source, error) {
	if err := c.checkRows(src); err != nil {
		return nil, err
	}
	if src.DType().HasObject() {
		return c.filterObjects(ctx, src)
	}
	if a, inMemory := src.(*npy.Array); c.RowSize > 0 && (npy.IsOnePass(src) || inMemory && a.IsC()) {
		return c.collect(ctx, src) // copying rows while they are in the cache costs less than coming back for them
	}
	s, err := c.choose(ctx, src)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// filterObjects returns rows with Python objects, which are read as a whole.
func (c *Filter) filterObjects(ctx context.Context, src npy.Source) (npy.Source, error) {
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	set, err := c.rowsOf(ctx, a)
	if err != nil {
		return nil, err
	}
	return npy.Take(ctx, a, set.Positions(0, 1, set.Total))
}

// collect returns the rows of src that satisfy the condition in memory. It reads src once.
func (c *Filter) collect(ctx context.Context, src npy.Source) (npy.Source, error) {
	s := &stream{filter: c, keeps: true}
	s.yield = func(a *npy.Array, err error) bool { // of rows that are larger than a block
		raw, _ := a.ViewBytes()
		s.keep(raw, a.Len())
		return true
	}
	if err := s.run(ctx, src); err != nil {
		return nil, err
	}
	data, err := s.join(ctx)
	if err != nil {
		return nil, err
	}
	return npy.FromBytes(c.DType, data, slices.Concat([]int{s.keptRows}, c.RowShape)...)
}

// Rows yields the rows of src that satisfy the expression, in their order, in arrays of some rows each that are valid until the
// next one. It reads src once. Python objects come in one array.
func (c *Filter) Rows(ctx context.Context, src npy.Source) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		if err := c.checkRows(src); err != nil {
			yield(nil, err)
			return
		}
		if src.DType().HasObject() || c.RowSize == 0 {
			c.yieldWhole(ctx, src, yield)
			return
		}
		s := &stream{filter: c, yield: yield}
		if err := s.run(ctx, src); err != nil && err != errStopped {
			yield(nil, err)
		}
	}
}

// yieldWhole yields all rows as one array.
func (c *Filter) yieldWhole(ctx context.Context, src npy.Source, yield func(*npy.Array, error) bool) {
	src, err := npy.Rereadable(ctx, src)
	if err == nil {
		src, err = c.Source(ctx, src)
	}
	if err != nil {
		yield(nil, err)
		return
	}
	a, err := src.ReadAll(ctx)
	if err != nil || a.Len() > 0 {
		yield(a, err)
	}
}

// Positions returns the numbers of the rows of src that satisfy the expression. More than limit rows are an error.
func (c *Filter) Positions(ctx context.Context, src npy.Source, limit int) ([]int, error) {
	if err := c.checkRows(src); err != nil {
		return nil, err
	}
	s, err := c.choose(ctx, src)
	if err != nil {
		return nil, err
	}
	if s.count > limit {
		return nil, diag.Wrap("query", bounded.Over("", limit, s.count, "%d rows satisfy the condition, more than %d: narrow it", s.count, limit))
	}
	return s.set.Positions(0, 1, s.count), nil
}
