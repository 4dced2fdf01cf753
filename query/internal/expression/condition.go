package expression

import (
	"context"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query/internal/syntax"
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
func (c *checker) truth(x *syntax.Expr) *node {
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
		c.fail(x, "each row has %d values; write any(…) if one of them has to satisfy the condition, or all(…) if each of them has to", root.items())
	}
	return root
}

// Evaluate appends the results of the rows of a batch to mask.
func (c *Condition) Evaluate(ctx context.Context, e *Env, b Batch, mask []uint8) ([]uint8, error) {
	err := c.blocks(ctx, e, b, func(v vec, n int) { mask = append(mask, v.mask[:n]...) })
	return mask, err
}
