package expression

import (
	"math"
	"math/big"

	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// compare returns the node of one comparison.
func (c *checker) compare(x *syntax.Expr, r relation, a, b *values.Node) *values.Node {
	if a.IsConst && b.IsConst {
		return c.foldCompare(x, r, a, b)
	}
	if a.IsConst {
		a, b, r = b, a, r.mirrored()
	}
	t := values.BoolType
	t.Shape = c.shape(x, a, b)
	out := &values.Node{Type: t, Expr: x, Column: -1}
	if b.IsConst {
		out.Eval = c.compareConstant(x, r, a, b, t)
	} else {
		out.Eval = c.compareNodes(x, r, a, b, t)
	}
	return out
}

// compareConstant returns the comparison of a node with a constant.
func (c *checker) compareConstant(x *syntax.Expr, r relation, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	if b.Constant == (none{}) {
		c.fail(x, "nothing in an array is None; isnan(…) finds NaN, isnat(…) NaT")
	}
	text, isText := textOf(b.Constant)
	switch {
	case a.IsTime():
		return c.compareTime(x, r, a, b, t)
	case a.IsText() && isText:
		if _, isBytes := b.Constant.([]byte); isBytes && a.Class == values.Str {
			c.fail(b.Expr, "the text of U items is str; write it without b")
		}
		return c.compareText(r, a, text, t)
	case a.IsText():
		c.fail(x, "text is compared with a number; put it in quotes")
	case isText:
		c.fail(x, "%s is compared with text; numbers have no quotes", a.Type)
	}
	number, _ := numberValue(b.Constant)
	if _, isComplex := number.(complex128); isComplex || a.Class == values.Complex {
		if r != equal && r != notEqual {
			c.fail(x, "complex numbers have no order; compare abs(…) or a.real")
		}
		if a.Class == values.Complex && a.Size == 8 {
			b = constant(b.Expr, complex128(complex64(toComplex(number))))
		}
		return compareComplexes(r, a, typed(b, values.Complex128Type), t)
	}
	if a.Class == values.Float {
		return compareFloats(a, toFloat(number), r, t)
	}
	return compareInts(a, boundFor(r, number, a.Type), t)
}

// boundFor returns the comparison of integers or bools with a number.
func boundFor(r relation, number any, t values.Type) bound {
	switch v := number.(type) {
	case *big.Int:
		low, high := t.Limits()
		return boundOf(r, new(big.Rat).SetInt(v), low, high)
	case float64:
		switch {
		case v != v:
			return bound{relation: r, always: true, result: r == notEqual}
		case math.IsInf(v, 1):
			return bound{relation: r, always: true, result: r.holds(-1)}
		case math.IsInf(v, -1):
			return bound{relation: r, always: true, result: r.holds(1)}
		}
		low, high := t.Limits()
		return boundOf(r, new(big.Rat).SetFloat64(v), low, high)
	}
	return bound{always: true}
}

// compareNodes returns the comparison of two nodes that are not constants.
func (c *checker) compareNodes(x *syntax.Expr, r relation, a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	switch {
	case a.IsTime() || b.IsTime():
		return c.compareTimes(x, r, a, b, t)
	case a.IsText() && a.Class == b.Class:
		return compareTexts(r, a, b, t)
	case a.IsText() || b.IsText():
		c.fail(x, "%s and %s cannot be compared", a.Type, b.Type)
	case a.Class == values.Complex || b.Class == values.Complex:
		if r != equal && r != notEqual {
			c.fail(x, "complex numbers have no order; compare abs(…) or a.real")
		}
		return compareComplexes(r, a, b, t)
	case a.Class != values.Float && b.Class != values.Float:
		return compareIntegers(r, a, b, t)
	case a.IsInteger() && a.Size == 8:
		return compareMixed(r, a, b, t)
	case b.IsInteger() && b.Size == 8:
		return compareMixed(r.mirrored(), b, a, t)
	}
	return compareAsFloats(r, a, b, t)
}
