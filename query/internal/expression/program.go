package expression

import (
	"context"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// A Program is an expression that is compiled for the rows of an array. Several goroutines may use it at the same time.
type Program struct {
	Text     string // the expression
	DType    dtype.Type
	RowShape []int
	RowSize  int             // bytes
	Columns  []values.Column // that the expression names
	root     *values.Node
}

// compile compiles an expression for the rows of an array of dtype t, which have the shape rowShape. root makes the node of the
// whole expression, and fails unless the expression has a type that it may have.
func compile(text string, t dtype.Type, rowShape []int, root func(c *checker, x *syntax.Expr) *values.Node) (p Program, err error) {
	x, err := syntax.Parse(text)
	if err != nil {
		return p, err
	}
	return compileParsed(text, x, t, rowShape, nil, root)
}

// compileParsed is compile for a parsed expression, which may also name results of other expressions.
func compileParsed(text string, x *syntax.Expr, t dtype.Type, rowShape []int, given []Given, root func(c *checker, x *syntax.Expr) *values.Node) (p Program, err error) {
	if !t.IsValid() {
		return p, diag.Errorf("query", "the zero Type is not a dtype")
	}
	if t.IsSubarray() {
		rowShape, t = append(append([]int(nil), rowShape...), t.SubShape()...), t.Elem()
	}
	size, ok := rowBytes(t, rowShape)
	if !ok {
		return p, diag.Errorf("query", "rows of shape %v and dtype %s are too large", rowShape, t)
	}
	check := &checker{text: text, rows: values.RowColumn(t, rowShape), given: given}
	defer syntax.Recover(&err)
	n := root(check, x)
	return Program{Text: text, DType: t, RowShape: rowShape, RowSize: size, Columns: check.columns, root: n}, nil
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

// NewEnv returns the buffers with which one goroutine evaluates the expression.
func (p *Program) NewEnv() *values.Env { return values.NewEnv(p.Columns, p.RowSize) }

// perBlock returns the number of rows that are evaluated at a time.
func (p *Program) perBlock() int {
	most := 1
	for _, col := range p.Columns {
		most = max(most, nd.Size(col.Dims))
	}
	return max(values.PerBlock/most, 1)
}

// blocks evaluates the rows of a batch, and calls use with the values of each block of n rows. They are valid during the call.
func (p *Program) blocks(ctx context.Context, e *values.Env, b values.Batch, use func(v values.Vec, n int)) error {
	per := p.perBlock()
	for low := 0; low < b.N; low += per {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n := min(per, b.N-low)
		e.Block(b, low, n)
		v := p.root.Eval(e)
		if e.Err != nil {
			return e.Err
		}
		use(v, n)
		e.Release(v)
	}
	return nil
}
