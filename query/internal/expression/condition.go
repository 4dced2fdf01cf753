package expression

import (
	"context"
	"fmt"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/query/internal/syntax"
)

// A Condition is an expression that is true or false for each row of an array. Several goroutines may use it at the same time.
type Condition struct {
	Text     string // the expression
	DType    dtype.Type
	RowShape []int
	RowSize  int      // bytes
	Columns  []Column // that the expression names
	root     *node
}

// Compile compiles an expression for the rows of an array of dtype t, which have the shape rowShape. An expression that is not
// valid, or does not fit the dtype, is a [*syntax.Error].
func Compile(text string, t dtype.Type, rowShape []int) (c *Condition, err error) {
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
	x, err := syntax.Parse(text)
	if err != nil {
		return nil, err
	}
	check := &checker{text: text, rows: rowColumn(t, rowShape)}
	defer syntax.Recover(&err)
	root := check.root(x)
	return &Condition{Text: text, DType: t, RowShape: rowShape, RowSize: size, Columns: check.columns, root: root}, nil
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
func (c *checker) root(x *syntax.Expr) *node {
	root := c.check(x)
	if root.isConst {
		if _, isBool := root.constant.(bool); !isBool {
			c.fail(x, "the expression is a constant, not a condition")
		}
		return typed(root, boolType)
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

// NewEnv returns the buffers with which one goroutine evaluates the expression.
func (c *Condition) NewEnv() *Env { return newEnv(c.Columns, c.RowSize) }

// perBlock returns the number of rows that are evaluated at a time.
func (c *Condition) perBlock() int {
	most := 1
	for _, col := range c.Columns {
		most = max(most, nd.Size(col.Dims))
	}
	return max(blockValues/most, 1)
}

// Evaluate appends the results of the rows of a batch to mask.
func (c *Condition) Evaluate(ctx context.Context, e *Env, b Batch, mask []uint8) ([]uint8, error) {
	per := c.perBlock()
	for low := 0; low < b.N; low += per {
		if ctx.Err() != nil {
			return mask, context.Cause(ctx)
		}
		k := min(per, b.N-low)
		e.block(b, low, k)
		v := c.root.eval(e)
		if e.err != nil {
			return mask, e.err
		}
		mask = append(mask, v.mask[:k]...)
		e.release(v)
	}
	return mask, nil
}
