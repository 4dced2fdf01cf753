package query

import (
	"context"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/expression"
	"github.com/npygo/npy/query/internal/filter"
	"github.com/npygo/npy/query/internal/syntax"
)

// A Condition is a compiled expression that is true or false for each row of an array. Several goroutines may use it at the
// same time.
type Condition struct{ rows filter.Filter }

// Compile compiles an expression for the rows of an array of dtype t. rowShape is the shape of the array without its first
// axis. An expression that is not valid, or does not fit the dtype, is an [*Error]. An expression that is too large or too
// deeply nested is a [npy.LimitError].
func Compile(expr string, t dtype.Type, rowShape ...int) (c *Condition, err error) {
	x, err := expression.Compile(expr, t, rowShape)
	if err != nil {
		return nil, exported(err)
	}
	return &Condition{filter.New(x)}, nil
}

// CheckSyntax returns an error if expr is not an expression, whatever the dtype.
func CheckSyntax(expr string) error {
	_, err := syntax.Parse(expr)
	return exported(err)
}

// String returns the expression.
func (c *Condition) String() string { return c.rows.Text }

// Filter returns the rows of src that satisfy an expression, in their order: src[condition] in NumPy. Filter reads src once,
// only the fields of the expression where src can be read in parts. The result reads the rows that were found when it is
// read, and is valid as long as src is. The rows of an [npy.Array], of an [npy.Stream], which can be read once, and rows with
// Python objects are copied into memory.
func Filter(ctx context.Context, src npy.Source, expr string) (npy.Source, error) {
	shape := src.Shape()
	if len(shape) == 0 {
		return nil, diag.Errorf("query", "an array without dimensions has no rows")
	}
	c, err := Compile(expr, src.DType(), shape[1:]...)
	if err != nil {
		return nil, err
	}
	return c.Filter(ctx, src)
}

// Filter is the function [Filter] for a compiled condition.
func (c *Condition) Filter(ctx context.Context, src npy.Source) (npy.Source, error) {
	return c.rows.Source(ctx, src)
}

// Rows yields the rows of src that satisfy the condition, in their order, in arrays of some rows each. It reads src once, so
// src may be an [npy.Stream]. An array is valid until the next one and must not be changed. After an error there are no more
// rows. Python objects come in one array.
func (c *Condition) Rows(ctx context.Context, src npy.Source) iter.Seq2[*npy.Array, error] {
	return c.rows.Rows(ctx, src)
}

// Positions returns the numbers of the rows of src that satisfy the condition, numpy.flatnonzero(condition), which takes 8
// bytes a row. More than limit rows are an error that wraps [npy.ErrLimit].
func (c *Condition) Positions(ctx context.Context, src npy.Source, limit int) ([]int, error) {
	return c.rows.Positions(ctx, src, limit)
}

// WriteFile writes the rows of src that satisfy the condition to an .npy file, in their order and in C order, and returns
// their number. It reads src once and holds only some blocks of it, so src may be an [npy.Stream] of any length; Python
// objects are an error that wraps [npy.ErrObjects]. The file has the bytes of np.save(path, src[condition]). It is written
// under another name and renamed at the end: after an error a file at path is as it was.
func (c *Condition) WriteFile(ctx context.Context, path string, src npy.Source) (rows int, err error) {
	return c.rows.WriteFile(ctx, path, src)
}
