package expression

import (
	"context"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// A Condition is an expression that is true or false for each row of an array. Several goroutines may use it at the same time.
type Condition struct{ Program }

// Compile compiles a condition for the rows of an array of dtype t, which have the shape rowShape. An expression that is not
// valid, or does not fit the dtype, is a [*syntax.Error].
func Compile(text string, t dtype.Type, rowShape []int) (*Condition, error) {
	p, err := compile(text, t, rowShape, (*checker).truth)
	if err != nil {
		return nil, err
	}
	return &Condition{p}, nil
}

// truth returns the node of the whole expression, which must be one bool for each row.
func (c *checker) truth(x *syntax.Expr) *values.Node {
	root := c.check(x)
	if root.IsConst {
		if _, isBool := root.Constant.(bool); !isBool {
			c.fail(x, "the expression is a constant, not a condition")
		}
		return typed(root, values.BoolType)
	}
	if root.Class != values.Bool {
		hint := "compare it with something"
		if root.IsNumber() {
			hint += ", such as != 0"
		}
		c.fail(x, "the expression is %s, not a condition; %s", root.Type, hint)
	}
	if len(root.Shape) > 0 {
		c.fail(x, "each row has %d values; write any(…) if one of them has to satisfy the condition, or all(…) if each of them has to", root.Items())
	}
	return root
}

// Evaluate appends the results of the rows of a batch to mask.
func (c *Condition) Evaluate(ctx context.Context, e *values.Env, b values.Batch, mask []uint8) ([]uint8, error) {
	err := c.blocks(ctx, e, b, func(v values.Vec, n int) { mask = append(mask, v.Mask[:n]...) })
	return mask, err
}
