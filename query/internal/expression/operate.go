package expression

import (
	"math/big"

	"github.com/npygo/npy/query/internal/syntax"
)

// condition returns a node as bools, for an operator of conditions.
func (c *checker) condition(a *node, op string) *node {
	if a.isConst {
		if _, ok := numberValue(a.constant); !ok {
			c.fail(a.x, "%s wants a condition; compare it with something", op)
		}
		return typed(&node{x: a.x, constant: isTrue(a.constant), isConst: true}, boolType)
	}
	if !a.isNumber() {
		c.fail(a.x, "%s wants a condition, not %s; compare it with something", op, a.typ)
	}
	return truth(a)
}

// join returns a op b for bools.
func (c *checker) join(x *syntax.Expr, op string, a, b *node) *node {
	t := boolType
	t.shape = c.shape(x, a, b)
	return &node{typ: t, x: x, column: -1, eval: combine(op, a, b, t)}
}

// operate returns a op b, at least one of which is not a constant.
func (c *checker) operate(x *syntax.Expr, op string, a, b *node) *node {
	if a.isTime() || b.isTime() {
		return c.operateTimes(x, op, a, b)
	}
	for _, n := range []*node{a, b} {
		if n.isConst {
			if _, ok := numberValue(n.constant); ok {
				continue
			}
		} else if n.isNumber() {
			continue
		}
		if op == "&" || op == "|" {
			c.bitwise(x, op)
		}
		c.fail(x, "%s is for numbers; one of its operands is text", op)
	}
	t := c.numbers(x, op, a, b)
	if i, ok := b.constant.(*big.Int); ok && op == "**" && i.Sign() < 0 && t.class < floatValue {
		c.fail(x, "an integer to a negative power; make one of them a float: %s ** %v.0", x.Args[0].Text, short(i))
	}
	a, b = fitted(a, t), fitted(b, t)
	return c.compute(x, op, a, b, t)
}

// numbers returns the common type to which both operands are converted.
func (c *checker) numbers(x *syntax.Expr, op string, a, b *node) typ {
	switch {
	case a.isConst:
		return c.weak(x, op, a, b.typ)
	case b.isConst:
		return c.weak(x, op, b, a.typ)
	}
	return promote(a.typ, b.typ)
}

// weak returns the type of a constant beside an operand of type t: t itself, if it has numbers of the kind of the constant.
func (c *checker) weak(x *syntax.Expr, op string, a *node, t typ) typ {
	t = t.scalar()
	if _, isBool := a.constant.(bool); isBool {
		return t
	}
	if op == "/" && t.class < floatValue {
		t = float64Type
	}
	number, _ := numberValue(a.constant)
	switch v := number.(type) {
	case *big.Int:
		if t.class == boolValue {
			t = int64Type
		}
		if t.isInteger() {
			if low, high := t.limits(); v.Cmp(low) < 0 || v.Cmp(high) > 0 {
				c.fail(a.x, "%v does not fit in %s; use a float, or compare with it instead", short(v), t)
			}
		}
	case float64:
		if t.class < floatValue {
			return float64Type
		}
	case complex128:
		if t.class < floatValue {
			return complex128Type
		}
		if t.class == floatValue {
			return typ{class: complexValue, size: max(2*t.size, 8)}
		}
	}
	return t
}

// fitted returns a constant as a node of type t, and every other node as it is.
func fitted(a *node, t typ) *node {
	if !a.isConst {
		return a
	}
	return typed(a, t)
}

// compute returns a op b for numbers, where t is their common type.
func (c *checker) compute(x *syntax.Expr, op string, a, b *node, t typ) *node {
	t.shape = c.shape(x, a, b)
	switch op {
	case "&", "|", "^":
		if t.class > uintValue {
			c.bitwise(x, op)
		}
	case "/":
		if t.class < floatValue {
			t = typ{class: floatValue, size: 8, shape: t.shape}
		}
	}
	if t.class == boolValue {
		switch op {
		case "&", "|", "^":
			return &node{typ: t, x: x, column: -1, eval: combine(op, a, b, t)}
		case "+", "max":
			return &node{typ: t, x: x, column: -1, eval: combine("|", a, b, t)}
		case "*", "min":
			return &node{typ: t, x: x, column: -1, eval: combine("&", a, b, t)}
		case "-":
			c.fail(x, "bools cannot be subtracted; ^ says whether they differ")
		}
		t.class, t.size = intValue, 1
	}
	out := &node{typ: t, x: x, column: -1}
	switch t.class {
	case intValue, uintValue:
		out.eval = computeInts(op, a, b, t)
	case floatValue:
		out.eval = computeFloats(op, a, b, t)
	default:
		if complexOps[op] == nil {
			c.fail(x, "%s of complex numbers is not supported", op)
		}
		out.eval = computeComplexes(op, a, b, t)
	}
	return out
}
