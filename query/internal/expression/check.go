package expression

import (
	"maps"
	"slices"
	"strings"

	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// check returns the node of an expression.
func (c *checker) check(x *syntax.Expr) *values.Node {
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

func (c *checker) unary(x *syntax.Expr) *values.Node {
	a := c.check(x.Args[0])
	if a.IsConst {
		return c.foldUnary(x, x.Text, a)
	}
	switch x.Text {
	case "not":
		return values.Negate(x, c.condition(a, "not"))
	case "~":
		if a.Class == values.Bool {
			return values.Negate(x, a)
		}
		if !a.IsInteger() {
			c.fail(x, "~ is for bools and integers, not %s; ~ binds before comparisons: write ~(…), or 'not'", a.Type)
		}
	}
	if a.Class == values.Bool {
		c.fail(x, "%s of bools is not defined; ~ or 'not' negates", x.Text)
	}
	if !a.IsNumber() && a.Class != values.Timedelta {
		c.fail(x, "%s of %s is not defined", x.Text, a.Type)
	}
	if x.Text == "+" {
		return a
	}
	return values.Each(x, a, a.Type, func(v *values.Vec, out *values.Vec) {
		switch {
		case x.Text == "~":
			for i, n := range v.Ints {
				out.Ints[i] = wrap(a.Type, ^n)
			}
		default:
			for i, n := range v.Ints {
				out.Ints[i] = wrap(a.Type, -n)
			}
		}
		for i, f := range v.Floats {
			out.Floats[i] = -f
		}
		for i, z := range v.Complexes {
			out.Complexes[i] = -z
		}
	})
}

func (c *checker) binary(x *syntax.Expr) *values.Node {
	if x.Text == "@" {
		c.fail(x, "@ multiplies matrices, and each row has values of its own; npy calc has it")
	}
	a, b := c.check(x.Args[0]), c.check(x.Args[1])
	switch x.Text {
	case "and", "or":
		if a.IsConst && b.IsConst {
			if x.Text == "and" {
				return constant(x, isTrue(a.Constant) && isTrue(b.Constant))
			}
			return constant(x, isTrue(a.Constant) || isTrue(b.Constant))
		}
		op := map[string]string{"and": "&", "or": "|"}[x.Text]
		return c.join(x, op, c.condition(a, x.Text), c.condition(b, x.Text))
	}
	if a.IsConst && b.IsConst {
		return c.fold(x, x.Text, a, b)
	}
	return c.operate(x, x.Text, a, b)
}

// comparison returns the node of a chain of comparisons: all of them must hold.
func (c *checker) comparison(x *syntax.Expr) *values.Node {
	if len(x.Ops) > 1 {
		for _, arg := range x.Args[1 : len(x.Args)-1] {
			if arg.Kind == syntax.Binary && !arg.Parens && (arg.Text == "&" || arg.Text == "|") {
				c.bitwise(arg, arg.Text)
			}
		}
	}
	var all *values.Node
	left := c.operand(x.Args[0])
	for i, op := range x.Ops {
		part := *x
		part.Pos, part.End = x.Args[i].Pos, x.Args[i+1].End
		var one *values.Node
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
		if all.IsConst && one.IsConst {
			all = constant(x, isTrue(all.Constant) && isTrue(one.Constant))
			continue
		}
		all = c.join(x, "&", c.condition(all, "a comparison"), c.condition(one, "a comparison"))
	}
	return all
}

// operand checks an operand of a comparison. Its errors about & and | are hints about the whole comparison.
func (c *checker) operand(x *syntax.Expr) *values.Node {
	if x.Kind == syntax.Tuple {
		c.fail(x, "a list of values is for 'in' only")
	}
	return c.check(x)
}

// in returns the node that is true where a is one of some values, or part of a text.
func (c *checker) in(x *syntax.Expr, a *values.Node, list *syntax.Expr, not bool) *values.Node {
	var found *values.Node
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
		case found.IsConst && one.IsConst:
			found = constant(x, isTrue(found.Constant) || isTrue(one.Constant))
		default:
			found = c.join(x, "|", c.condition(found, "in"), c.condition(one, "in"))
		}
	}
	switch {
	case found == nil: // an empty list
		value := constant(x, not)
		if a.IsConst {
			return value
		}
		t := values.BoolType
		t.Shape = a.Shape
		return values.Each(x, a, t, func(_, out *values.Vec) { values.Fill(out.Mask, values.Bit(not)) })
	case !not:
		return found
	case found.IsConst:
		return constant(x, !isTrue(found.Constant))
	}
	return values.Negate(x, found)
}

// reductions are functions of whole arrays that people write in conditions.
var reductions = []string{"mean", "sum", "std", "var", "median", "count", "avg", "argmin", "argmax"}

func (c *checker) call(x *syntax.Expr) *values.Node {
	name := x.Text
	if same := sameFunction[name]; same != "" {
		name = same
	}
	f := functions()[name]
	if f == nil && IsSequence(name) {
		c.fail(x, "%s needs other rows, which a condition does not have; compute a column of it first (Compute, --set), and name that", x.Text)
	}
	if f == nil && slices.Contains(reductions, name) {
		c.fail(x, "%s is of all rows, and a condition of each; compute it first (Calc and Group, 'npy calc' and 'npy group --agg')", x.Text)
	}
	if f == nil {
		known := append(slices.Sorted(maps.Keys(functions())), Sequences...)
		listed := slices.DeleteFunc(slices.Clone(known), func(name string) bool { _, converts := dtypes[name]; return converts })
		c.failUnknown(x, x.Text, known, "unknown function %q; the functions are %s", x.Text, strings.Join(listed, ", "))
	}
	for i, key := range x.Keys {
		if key != "" {
			c.fail(x.Args[i], "%s has no argument %s=", x.Text, key)
		}
	}
	if n := len(x.Args); n < f.low || f.high >= 0 && n > f.high {
		c.fail(x, "%s has %d arguments; want %s", x.Text, n, countText(f.low, f.high))
	}
	var args []*values.Node
	for _, arg := range x.Args {
		if arg.Kind == syntax.Tuple && slices.Contains(takesList, name) && len(args) == 1 { // startswith(name, ('a', 'b'))
			return c.anyOf(x, f, args[0], arg.Args)
		}
		args = append(args, c.check(arg))
	}
	return f.make(c, x, args)
}

// anyOf returns the node that is true where a function of two arguments holds for one of several second arguments.
func (c *checker) anyOf(x *syntax.Expr, f *function, a *values.Node, list []*syntax.Expr) *values.Node {
	var found *values.Node
	for _, item := range list {
		one := f.make(c, x, []*values.Node{a, c.check(item)})
		if found == nil {
			found = one
		} else {
			found = c.join(x, "|", c.condition(found, x.Text), c.condition(one, x.Text))
		}
	}
	if found == nil {
		c.fail(x, "%s wants at least one value", x.Text)
	}
	return found
}

// attribute returns the node of object.name where this is a function of the object: z.real, time.year.
func (c *checker) attribute(x *syntax.Expr) *values.Node {
	object := x.Args[0]
	if object.Kind == syntax.Field && object.Text == "dt" {
		object = object.Args[0]
	}
	if f := functions()[x.Text]; f != nil && f.low == 1 && slices.Contains([]string{"real", "imag", "year", "month", "day", "hour", "minute", "second", "weekday"}, x.Text) {
		return f.make(c, x, []*values.Node{c.check(object)})
	}
	a := c.check(object)
	if a.IsConst {
		c.fail(x, "a constant has no field %q", x.Text)
	}
	c.fail(x, "%s has no field %q", a.Type, x.Text)
	return nil
}
