package query

import (
	"math"
	"math/big"
)

// comparison returns the node of a chain of comparisons: all of them must hold.
func (c *checker) comparison(x *expr) *node {
	if len(x.ops) > 1 {
		for _, arg := range x.args[1 : len(x.args)-1] {
			if arg.kind == binaryExpr && !arg.parens && (arg.text == "&" || arg.text == "|") {
				c.bitwise(arg, arg.text)
			}
		}
	}
	var all *node
	left := c.operand(x.args[0])
	for i, op := range x.ops {
		part := *x
		part.pos, part.end = x.args[i].pos, x.args[i+1].end
		var one *node
		if op.text == "in" || op.text == "not in" {
			one = c.in(&part, left, x.args[i+1], op.text == "not in")
			if i+1 < len(x.ops) {
				c.fail(x, "a comparison after '%s' needs parentheses", op.text)
			}
		} else {
			right := c.operand(x.args[i+1])
			one = c.compare(&part, relations[op.text], left, right)
			left = right
		}
		if all == nil {
			all = one
			continue
		}
		if all.isConst && one.isConst {
			all = c.constant(x, isTrue(all.constant) && isTrue(one.constant))
			continue
		}
		all = c.join(x, "&", c.condition(all, "a comparison"), c.condition(one, "a comparison"))
	}
	return all
}

// operand checks an operand of a comparison. Its errors about & and | are hints about the whole comparison.
func (c *checker) operand(x *expr) *node {
	if x.kind == tupleExpr {
		c.fail(x, "a list of values is for 'in' only")
	}
	return c.check(x)
}

// in returns whether a is one of some values, or part of a text.
func (c *checker) in(x *expr, a *node, list *expr, not bool) *node {
	var found *node
	if list.kind != tupleExpr {
		found = c.partOf(x, c.check(list), a)
	}
	for _, item := range list.args {
		if list.kind != tupleExpr {
			break
		}
		one := c.compare(x, equal, a, c.check(item))
		switch {
		case found == nil:
			found = one
		case found.isConst && one.isConst:
			found = c.constant(x, isTrue(found.constant) || isTrue(one.constant))
		default:
			found = c.join(x, "|", c.condition(found, "in"), c.condition(one, "in"))
		}
	}
	switch {
	case found == nil: // an empty list
		value := c.constant(x, not)
		if a.isConst {
			return value
		}
		t := boolType
		t.shape = a.shape
		return each(x, a, t, func(_, out *vec) { fill(out.mask, b2u(not)) })
	case !not:
		return found
	case found.isConst:
		return c.constant(x, !isTrue(found.constant))
	}
	return c.negate(x, found)
}

// compare returns the node of one comparison.
func (c *checker) compare(x *expr, r relation, a, b *node) *node {
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
func (c *checker) compareConstant(x *expr, r relation, a, b *node, t typ) func(e *env) vec {
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
			b = c.constant(b.x, complex128(complex64(toComplex(number))))
		}
		return compareComplexes(r, a, c.typed(b, complex128Type), t)
	}
	if a.class == floatValue {
		return c.compareFloats(a, toFloat(number), r, t)
	}
	return c.compareInts(a, c.boundFor(r, number, a.typ), t)
}

// boundFor returns the comparison of integers or bools with a number.
func (c *checker) boundFor(r relation, number any, t typ) bound {
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
func (c *checker) compareNodes(x *expr, r relation, a, b *node, t typ) func(e *env) vec {
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
