package expression

import (
	"maps"
	"slices"
	"strings"

	"github.com/npygo/npy/query/internal/syntax"
)

// check returns the node of an expression.
func (c *checker) check(x *syntax.Expr) *node {
	switch x.Kind {
	case syntax.Number:
		return constant(x, x.Value)
	case syntax.String:
		return constant(x, x.Text)
	case syntax.Bytes:
		return constant(x, []byte(x.Text))
	case syntax.Name, syntax.Field, syntax.Index:
		if col, ok := c.find(x); ok {
			return c.column(x, col)
		}
		if value, ok := namedConstant(x); ok {
			return constant(x, value)
		}
		if x.Kind == syntax.Field {
			return c.attribute(x)
		}
		return c.rowNumber(x)
	case syntax.Call:
		return c.call(x)
	case syntax.Tuple:
		c.fail(x, "a list of values is for 'in' only")
	case syntax.Unary:
		return c.unary(x)
	case syntax.Comparison:
		return c.comparison(x)
	}
	return c.binary(x)
}

func (c *checker) unary(x *syntax.Expr) *node {
	a := c.check(x.Args[0])
	if a.isConst {
		return c.foldUnary(x, x.Text, a)
	}
	switch x.Text {
	case "not":
		return negate(x, c.condition(a, "not"))
	case "~":
		if a.class == boolValue {
			return negate(x, a)
		}
		if !a.isInteger() {
			c.fail(x, "~ is for bools and integers, not %s; ~ binds before comparisons: write ~(…), or 'not'", a.typ)
		}
	}
	if a.class == boolValue {
		c.fail(x, "%s of bools is not defined; ~ or 'not' negates", x.Text)
	}
	if !a.isNumber() && a.class != timedeltaValue {
		c.fail(x, "%s of %s is not defined", x.Text, a.typ)
	}
	if x.Text == "+" {
		return a
	}
	return each(x, a, a.typ, func(v *vec, out *vec) {
		switch {
		case x.Text == "~":
			for i, n := range v.ints {
				out.ints[i] = wrap(a.typ, ^n)
			}
		default:
			for i, n := range v.ints {
				out.ints[i] = wrap(a.typ, -n)
			}
		}
		for i, f := range v.floats {
			out.floats[i] = -f
		}
		for i, z := range v.complexes {
			out.complexes[i] = -z
		}
	})
}

func (c *checker) binary(x *syntax.Expr) *node {
	a, b := c.check(x.Args[0]), c.check(x.Args[1])
	switch x.Text {
	case "and", "or":
		if a.isConst && b.isConst {
			if x.Text == "and" {
				return constant(x, isTrue(a.constant) && isTrue(b.constant))
			}
			return constant(x, isTrue(a.constant) || isTrue(b.constant))
		}
		op := map[string]string{"and": "&", "or": "|"}[x.Text]
		return c.join(x, op, c.condition(a, x.Text), c.condition(b, x.Text))
	}
	if a.isConst && b.isConst {
		return c.fold(x, x.Text, a, b)
	}
	return c.operate(x, x.Text, a, b)
}

// comparison returns the node of a chain of comparisons: all of them must hold.
func (c *checker) comparison(x *syntax.Expr) *node {
	if len(x.Ops) > 1 {
		for _, arg := range x.Args[1 : len(x.Args)-1] {
			if arg.Kind == syntax.Binary && !arg.Parens && (arg.Text == "&" || arg.Text == "|") {
				c.bitwise(arg, arg.Text)
			}
		}
	}
	var all *node
	left := c.operand(x.Args[0])
	for i, op := range x.Ops {
		part := *x
		part.Pos, part.End = x.Args[i].Pos, x.Args[i+1].End
		var one *node
		if op == "in" || op == "not in" {
			one = c.in(&part, left, x.Args[i+1], op == "not in")
			if i+1 < len(x.Ops) {
				c.fail(x, "a comparison after '%s' needs parentheses", op)
			}
		} else {
			right := c.operand(x.Args[i+1])
			one = c.compare(&part, relations[op], left, right)
			left = right
		}
		if all == nil {
			all = one
			continue
		}
		if all.isConst && one.isConst {
			all = constant(x, isTrue(all.constant) && isTrue(one.constant))
			continue
		}
		all = c.join(x, "&", c.condition(all, "a comparison"), c.condition(one, "a comparison"))
	}
	return all
}

// operand checks an operand of a comparison. Its errors about & and | are hints about the whole comparison.
func (c *checker) operand(x *syntax.Expr) *node {
	if x.Kind == syntax.Tuple {
		c.fail(x, "a list of values is for 'in' only")
	}
	return c.check(x)
}

// in returns the node that is true where a is one of some values, or part of a text.
func (c *checker) in(x *syntax.Expr, a *node, list *syntax.Expr, not bool) *node {
	var found *node
	if list.Kind != syntax.Tuple {
		found = c.partOf(x, c.check(list), a)
	}
	for _, item := range list.Args {
		if list.Kind != syntax.Tuple {
			break
		}
		one := c.compare(x, equal, a, c.check(item))
		switch {
		case found == nil:
			found = one
		case found.isConst && one.isConst:
			found = constant(x, isTrue(found.constant) || isTrue(one.constant))
		default:
			found = c.join(x, "|", c.condition(found, "in"), c.condition(one, "in"))
		}
	}
	switch {
	case found == nil: // an empty list
		value := constant(x, not)
		if a.isConst {
			return value
		}
		t := boolType
		t.shape = a.shape
		return each(x, a, t, func(_, out *vec) { fill(out.mask, b2u(not)) })
	case !not:
		return found
	case found.isConst:
		return constant(x, !isTrue(found.constant))
	}
	return negate(x, found)
}

func (c *checker) call(x *syntax.Expr) *node {
	name := x.Text
	if same := sameFunction[name]; same != "" {
		name = same
	}
	f := functions()[name]
	if f == nil {
		known := slices.Sorted(maps.Keys(functions()))
		c.failUnknown(x, x.Text, known, "unknown function %q; the functions are %s", x.Text, strings.Join(known, ", "))
	}
	if n := len(x.Args); n < f.low || f.high >= 0 && n > f.high {
		c.fail(x, "%s has %d arguments; want %s", x.Text, n, countText(f.low, f.high))
	}
	var args []*node
	for _, arg := range x.Args {
		if arg.Kind == syntax.Tuple && f.high == 2 && len(args) == 1 { // startswith(name, ('a', 'b'))
			return c.anyOf(x, f, args[0], arg.Args)
		}
		args = append(args, c.check(arg))
	}
	return f.make(c, x, args)
}

// anyOf returns the node that is true where a function of two arguments holds for one of several second arguments.
func (c *checker) anyOf(x *syntax.Expr, f *function, a *node, list []*syntax.Expr) *node {
	var found *node
	for _, item := range list {
		one := f.make(c, x, []*node{a, c.check(item)})
		if found == nil {
			found = one
		} else {
			found = c.join(x, "|", c.condition(found, x.Text), c.condition(one, x.Text))
		}
	}
	if found == nil {
		c.fail(x, "%s wants at least one text", x.Text)
	}
	return found
}

// attribute returns the node of object.name where this is a function of the object: z.real, time.year.
func (c *checker) attribute(x *syntax.Expr) *node {
	object := x.Args[0]
	if object.Kind == syntax.Field && object.Text == "dt" {
		object = object.Args[0]
	}
	if f := functions()[x.Text]; f != nil && f.low == 1 && slices.Contains([]string{"real", "imag", "year", "month", "day", "hour", "minute", "second", "weekday"}, x.Text) {
		return f.make(c, x, []*node{c.check(object)})
	}
	a := c.check(object)
	if a.isConst {
		c.fail(x, "a constant has no field %q", x.Text)
	}
	c.fail(x, "%s has no field %q", a.typ, x.Text)
	return nil
}
