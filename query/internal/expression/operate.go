package expression

import (
	"math/big"

	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// condition returns a node as bools, for an operator of conditions.
func (c *checker) condition(a *values.Node, op string) *values.Node {
	if a.IsConst {
		if _, ok := numberValue(a.Constant); !ok {
			c.fail(a.Expr, "%s wants a condition; compare it with something", op)
		}
		return typed(&values.Node{Expr: a.Expr, Constant: isTrue(a.Constant), IsConst: true}, values.BoolType)
	}
	if !a.IsNumber() {
		c.fail(a.Expr, "%s wants a condition, not %s; compare it with something", op, a.Type)
	}
	return truth(a)
}

// join returns a op b for bools.
func (c *checker) join(x *syntax.Expr, op string, a, b *values.Node) *values.Node {
	t := values.BoolType
	t.Shape = c.shape(x, a, b)
	return &values.Node{Type: t, Expr: x, Column: -1, Eval: combine(op, a, b, t)}
}

// operate returns a op b, at least one of which is not a constant.
func (c *checker) operate(x *syntax.Expr, op string, a, b *values.Node) *values.Node {
	if a.IsTime() || b.IsTime() {
		return c.operateTimes(x, op, a, b)
	}
	for _, n := range []*values.Node{a, b} {
		if n.IsConst {
			if _, ok := numberValue(n.Constant); ok {
				continue
			}
		} else if n.IsNumber() {
			continue
		}
		if op == "&" || op == "|" {
			c.bitwise(x, op)
		}
		c.fail(x, "%s is for numbers; one of its operands is text", op)
	}
	t := c.numbers(x, op, a, b)
	if i, ok := b.Constant.(*big.Int); ok && op == "**" && i.Sign() < 0 && t.Class < values.Float {
		c.fail(x, "an integer to a negative power; make one of them a float: %s ** %v.0", x.Args[0].Text, short(i))
	}
	a, b = fitted(a, t), fitted(b, t)
	return c.compute(x, op, a, b, t)
}

// numbers returns the common type to which both operands are converted.
func (c *checker) numbers(x *syntax.Expr, op string, a, b *values.Node) values.Type {
	switch {
	case a.IsConst:
		return c.weak(x, op, a, b.Type)
	case b.IsConst:
		return c.weak(x, op, b, a.Type)
	}
	return values.Promote(a.Type, b.Type)
}

// weak returns the type of a constant beside an operand of type t: t itself, if it has numbers of the kind of the constant.
func (c *checker) weak(x *syntax.Expr, op string, a *values.Node, t values.Type) values.Type {
	t = t.Scalar()
	if _, isBool := a.Constant.(bool); isBool {
		return t
	}
	if op == "/" && t.Class < values.Float {
		t = values.Float64Type
	}
	number, _ := numberValue(a.Constant)
	switch v := number.(type) {
	case *big.Int:
		if t.Class == values.Bool {
			t = values.Int64Type
		}
		if t.IsInteger() {
			if low, high := t.Limits(); v.Cmp(low) < 0 || v.Cmp(high) > 0 {
				c.fail(a.Expr, "%v does not fit in %s; use a float, or compare with it instead", short(v), t)
			}
		}
	case float64:
		if t.Class < values.Float {
			return values.Float64Type
		}
	case complex128:
		if t.Class < values.Float {
			return values.Complex128Type
		}
		if t.Class == values.Float {
			return values.Type{Class: values.Complex, Size: max(2*t.Size, 8)}
		}
	}
	return t
}

// fitted returns a constant as a node of type t, and every other node as it is.
func fitted(a *values.Node, t values.Type) *values.Node {
	if !a.IsConst {
		return a
	}
	return typed(a, t)
}

// compute returns a op b for numbers, where t is their common type.
func (c *checker) compute(x *syntax.Expr, op string, a, b *values.Node, t values.Type) *values.Node {
	t.Shape = c.shape(x, a, b)
	switch op {
	case "&", "|", "^":
		if t.Class > values.Uint {
			c.bitwise(x, op)
		}
	case "/":
		if t.Class < values.Float {
			t = values.Type{Class: values.Float, Size: 8, Shape: t.Shape}
		}
	}
	if t.Class == values.Bool {
		switch op {
		case "&", "|", "^":
			return &values.Node{Type: t, Expr: x, Column: -1, Eval: combine(op, a, b, t)}
		case "+", "max":
			return &values.Node{Type: t, Expr: x, Column: -1, Eval: combine("|", a, b, t)}
		case "*", "min":
			return &values.Node{Type: t, Expr: x, Column: -1, Eval: combine("&", a, b, t)}
		case "-":
			c.fail(x, "bools cannot be subtracted; ^ says whether they differ")
		}
		t.Class, t.Size = values.Int, 1
	}
	out := &values.Node{Type: t, Expr: x, Column: -1}
	switch t.Class {
	case values.Int, values.Uint:
		out.Eval = computeInts(op, a, b, t)
	case values.Float:
		out.Eval = computeFloats(op, a, b, t)
	default:
		if complexOps[op] == nil {
			c.fail(x, "%s of complex numbers is not supported", op)
		}
		out.Eval = computeComplexes(op, a, b, t)
	}
	return out
}
