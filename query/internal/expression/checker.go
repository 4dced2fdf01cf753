package expression

import (
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// A checker gives types to a parsed expression, and makes nodes that can be evaluated. It ends by a panic with an error.
type checker struct {
	text    string
	rows    values.Column // the elements of a row
	columns []values.Column
	given   []Given // results of other expressions
}

func (c *checker) fail(x *syntax.Expr, format string, args ...any) {
	syntax.Fail(syntax.ErrorAt(c.text, x.Pos, x.End-x.Pos, format, args...))
}

// shape returns the shape of the values of a pair.
func (c *checker) shape(x *syntax.Expr, a, b *values.Node) []int {
	shape, ok := values.SameShape(a, b)
	if !ok {
		c.fail(x, "rows have values of shape %v and %v, which do not go together", a.Shape, b.Shape)
	}
	return shape
}

// bitwise fails for &, | or ^ of a type without them.
func (c *checker) bitwise(x *syntax.Expr, op string) {
	word := map[string]string{"&": "and", "|": "or"}[op]
	if word == "" {
		c.fail(x, "%s is for conditions and integers", op)
	}
	c.fail(x, "%s binds before comparisons, as in Python; write '%s', or each condition in parentheses: (a > 1) %s (b < 2)", op, word, op)
}
