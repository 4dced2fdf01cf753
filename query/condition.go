package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/nd"
)

// A Condition is a compiled expression that is true or false for each row of an array. Several goroutines may use it at the
// same time.
type Condition struct {
	text     string
	dtype    dtype.Type
	rowShape []int
	rowSize  int // bytes
	columns  []column
	root     *node
}

// Compile compiles an expression for the rows of an array of dtype t. rowShape is the shape of the array without its first
// axis. An expression that is not valid, or does not fit the dtype, is an [*Error]; one that is too large or too deeply
// nested is a [limit.Error].
//
// [limit.Error]: https://pkg.go.dev/github.com/npygo/npy/limit#Error
func Compile(expr string, t dtype.Type, rowShape ...int) (c *Condition, err error) {
	if !t.IsValid() {
		return nil, fmt.Errorf("query: the zero Type is not a dtype")
	}
	if t.IsSubarray() {
		rowShape, t = append(append([]int(nil), rowShape...), t.SubShape()...), t.Elem()
	}
	size, ok := rowBytes(t, rowShape)
	if !ok {
		return nil, fmt.Errorf("query: rows of shape %v and dtype %s are too large", rowShape, t)
	}
	x, err := parse(expr)
	if err != nil {
		return nil, err
	}
	check := &checker{text: expr, rows: rowColumn(t, rowShape)}
	defer recoverError(&err)
	root := check.root(x)
	return &Condition{text: expr, dtype: t, rowShape: rowShape, rowSize: size, columns: check.columns, root: root}, nil
}

// CheckSyntax returns an error if expr is not an expression, whatever the dtype.
func CheckSyntax(expr string) error {
	_, err := parse(expr)
	return err
}

// rowBytes returns the size of a row, if it fits in memory.
func rowBytes(t dtype.Type, shape []int) (int, bool) {
	size := int64(t.ItemSize())
	for _, n := range shape {
		if n < 0 || n > 0 && size > math.MaxInt/2/int64(n) {
			return 0, false
		}
		size *= int64(n)
	}
	return int(size), true
}

// root returns the node of the whole expression, which must be one bool for each row.
func (c *checker) root(x *expr) *node {
	root := c.check(x)
	if root.isConst {
		if _, isBool := root.constant.(bool); !isBool {
			c.fail(x, "the expression is a constant, not a condition")
		}
		return c.typed(root, boolType)
	}
	if root.class != boolValue {
		hint := "compare it with something"
		if root.isNumber() {
			hint += ", such as != 0"
		}
		c.fail(x, "the expression is %s, not a condition; %s", root.typ, hint)
	}
	if len(root.shape) > 0 {
		c.fail(x, "each row has %d values; write any(…) or all(…) for rows of which one or all satisfy the condition", root.items())
	}
	return root
}

// String returns the expression.
func (c *Condition) String() string { return c.text }

// MarshalJSON returns an error: a Condition is compiled for a dtype.
func (c *Condition) MarshalJSON() ([]byte, error) {
	return nil, fmt.Errorf("query: a Condition is not data and has no JSON; marshal its String: %w", errors.ErrUnsupported)
}

// compileFor compiles an expression for a source.
func compileFor(expr string, src npy.Source) (*Condition, error) {
	shape := src.Shape()
	if len(shape) == 0 {
		return nil, fmt.Errorf("query: an array without dimensions has no rows")
	}
	return Compile(expr, src.DType(), shape[1:]...)
}

// fits returns an error if c was compiled for other rows than those of src.
func (c *Condition) fits(src npy.Source) error {
	shape := src.Shape()
	if len(shape) == 0 {
		return fmt.Errorf("query: an array without dimensions has no rows")
	}
	if !src.DType().Equal(c.dtype) || !slices.Equal(shape[1:], c.rowShape) {
		return fmt.Errorf("query: the condition was compiled for rows of dtype %s and shape %v, not of dtype %s and shape %v", c.dtype, c.rowShape, src.DType(), shape[1:])
	}
	return nil
}

// perBlock returns the number of rows that are evaluated at a time.
func (c *Condition) perBlock() int {
	most := 1
	for _, col := range c.columns {
		most = max(most, nd.Size(col.Dims))
	}
	return max(blockValues/most, 1)
}

// evaluate appends the results of n rows to mask. first is the number of the first row. raw has the rows in C order.
func (c *Condition) evaluate(ctx context.Context, e *env, first int64, n int, raw []byte, mask []uint8) ([]uint8, error) {
	per := c.perBlock()
	for low := 0; low < n; low += per {
		if ctx.Err() != nil {
			return mask, context.Cause(ctx)
		}
		k := min(per, n-low)
		if raw != nil {
			e.block(first+int64(low), k, raw[low*c.rowSize:(low+k)*c.rowSize])
		} else {
			e.block(first+int64(low), k, nil)
			e.cut(low, k)
		}
		v := c.root.eval(e)
		if e.err != nil {
			return mask, e.err
		}
		mask = append(mask, v.mask[:k]...)
		e.release(v)
	}
	return mask, nil
}
