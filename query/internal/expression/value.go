package expression

import (
	"context"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// A Given is the result of another expression for each row, which an expression can name.
type Given struct {
	Name  string
	DType dtype.Type // of one value
	Shape []int      // of the values of a row
}

// A Value is an expression with values of one dtype for each row of an array. Several goroutines may use it at the same time.
type Value struct {
	Program
	Type values.Type
}

// CompileValue compiles a parsed expression for the rows of an array, as [Compile] does. The last of several results of one name
// hides the others, and a field of the name. An expression that does not fit the dtype is a [*syntax.Error].
func CompileValue(text string, x *syntax.Expr, t dtype.Type, rowShape []int, given []Given) (*Value, error) {
	p, err := compileParsed(text, x, t, rowShape, given, (*checker).value)
	if err != nil {
		return nil, err
	}
	return &Value{p, p.root.Type}, nil
}

// value returns the node of the whole expression, which has a dtype.
func (c *checker) value(x *syntax.Expr) *values.Node {
	root := c.check(x)
	if root.IsConst {
		return c.literal(root)
	}
	return root
}

// IsGiven reports whether the expression names result i of those given, from 0 on.
func (p *Program) IsGiven(i int) bool {
	for _, col := range p.Columns {
		if col.Given == i+1 {
			return true
		}
	}
	return false
}

// NamesFields reports whether the expression names values of the array itself.
func (p *Program) NamesFields() bool {
	for _, col := range p.Columns {
		if col.Given == 0 {
			return true
		}
	}
	return false
}

// Store writes the values of the rows of a batch to dst, as items of the dtype of the Value.
func (v *Value) Store(ctx context.Context, e *values.Env, b values.Batch, dst []byte) error {
	size := v.Type.DType().ItemSize() * v.Type.Items()
	err := v.blocks(ctx, e, b, func(x values.Vec, n int) {
		e.Store(dst[:n*size], x, v.Type)
		dst = dst[n*size:]
	})
	if err == nil && e.Err != nil { // of the last block
		err = e.Err
	}
	if err != nil {
		e.Err = nil
	}
	return err
}
