package expression

import (
	"math"
	"math/big"

	"github.com/npygo/npy/query/internal/syntax"
)

// compare returns the node of one comparison.
func (c *checker) compare(x *syntax.Expr, r relation, a, b *node) *node {
	if a.isConst && b.isConst {
		return c.foldCompare(x, r, a, b)
	}
	if a.isConst {
		a, b, r = b, a, r.mirrored()
	}
	t := boolType
	t.shape = c.shape(x, a, b)
	out := &node{typ: t, x: x, column: -1}
	if b.isConst {
		out.eval = c.compareConstant(x, r, a, b, t)
	} else {
		out.eval = c.compareNodes(x, r, a, b, t)
	}
	return out
}

// compareConstant returns the comparison of a node with a constant.
func (c *checker) compareConstant(x *syntax.Expr, r relation, a, b *node, t typ) func(e *Env) vec {
	if b.constant == (none{}) {
		c.fail(x, "nothing in an array is None; isnan(…) finds NaN, isnat(…) NaT")
	}
	text, isText := textOf(b.constant)
	switch {
	case a.isTime():
		return c.compareTime(x, r, a, b, t)
	case a.isText() && isText:
		if _, isBytes := b.constant.([]byte); isBytes && a.class == strValue {
			c.fail(b.x, "the text of U items is str; write it without b")
		}
		return c.compareText(r, a, text, t)
	case a.isText():
		c.fail(x, "text is compared with a number; put it in quotes")
	case isText:
		c.fail(x, "%s is compared with text; numbers have no quotes", a.typ)
	}
	number, _ := numberValue(b.constant)
	if _, isComplex := number.(complex128); isComplex || a.class == complexValue {
		if r != equal && r != notEqual {
			c.fail(x, "complex numbers have no order; compare abs(…) or a.real")
		}
		if a.class == complexValue && a.size == 8 {
			b = constant(b.x, complex128(complex64(toComplex(number))))
		}
		return compareComplexes(r, a, typed(b, complex128Type), t)
	}
	if a.class == floatValue {
		return compareFloats(a, toFloat(number), r, t)
	}
	return compareInts(a, boundFor(r, number, a.typ), t)
}

// boundFor returns the comparison of integers or bools with a number.
func boundFor(r relation, number any, t typ) bound {
	switch v := number.(type) {
	case *big.Int:
		low, high := t.limits()
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
		low, high := t.limits()
		return boundOf(r, new(big.Rat).SetFloat64(v), low, high)
	}
	return bound{always: true}
}

// compareNodes returns the comparison of two nodes that are not constants.
func (c *checker) compareNodes(x *syntax.Expr, r relation, a, b *node, t typ) func(e *Env) vec {
	switch {
	case a.isTime() || b.isTime():
		return c.compareTimes(x, r, a, b, t)
	case a.isText() && a.class == b.class:
		return compareTexts(r, a, b, t)
	case a.isText() || b.isText():
		c.fail(x, "%s and %s cannot be compared", a.typ, b.typ)
	case a.class == complexValue || b.class == complexValue:
		if r != equal && r != notEqual {
			c.fail(x, "complex numbers have no order; compare abs(…) or a.real")
		}
		return compareComplexes(r, a, b, t)
	case a.class != floatValue && b.class != floatValue:
		return compareIntegers(r, a, b, t)
	case a.isInteger() && a.size == 8:
		return compareMixed(r, a, b, t)
	case b.isInteger() && b.size == 8:
		return compareMixed(r.mirrored(), b, a, t)
	}
	return compareAsFloats(r, a, b, t)
}
