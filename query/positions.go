package query

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
)

// Positions returns the numbers of the rows of src that satisfy the condition, numpy.flatnonzero(condition), which takes 8
// bytes a row. More than limit rows are an error that wraps [npy.ErrLimit].
func (c *Condition) Positions(ctx context.Context, src npy.Source, limit int) ([]int, error) {
	if err := c.fits(src); err != nil {
		return nil, err
	}
	src, err := npy.Rereadable(ctx, src)
	if err != nil {
		return nil, err
	}
	set, err := c.rowsOf(ctx, src)
	if err != nil {
		return nil, err
	}
	if set.total > limit {
		return nil, bounded.Over("", limit, set.total, "query: %d rows satisfy the condition, more than %d: narrow it", set.total, limit)
	}
	if set.total == 0 {
		return []int{}, nil
	}
	return set.positions(0, 1, set.total), nil
}
