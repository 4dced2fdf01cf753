package filter

import (
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/expression"
)

// A Filter finds the rows of sources that satisfy an expression. Several goroutines may use it at the same time.
type Filter struct{ expression.Condition }

// New returns the filter of an expression.
func New(c *expression.Condition) Filter { return Filter{*c} }

// checkRows returns an error unless src has the rows that c was compiled for.
func (c *Filter) checkRows(src npy.Source) error {
	shape := src.Shape()
	if len(shape) == 0 {
		return diag.Errorf("query", "an array without dimensions has no rows")
	}
	if !src.DType().Equal(c.DType) || !slices.Equal(shape[1:], c.RowShape) {
		return diag.Errorf("query", "the condition was compiled for rows of dtype %s and shape %v, not of dtype %s and shape %v", c.DType, c.RowShape, src.DType(), shape[1:])
	}
	return nil
}

// emptyRows is the largest number of rows without bytes.
const emptyRows = 1 << 20

// checkEmpty refuses a number of rows that only a header claims.
func (c *Filter) checkEmpty(rows int) error {
	if c.RowSize == 0 && rows > emptyRows {
		return diag.Wrap("query", bounded.Over("", emptyRows, rows, "%d rows without bytes are over the limit of %d", rows, emptyRows))
	}
	return nil
}
