package expression

import (
	"math/big"

	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
	"github.com/npygo/npy/scalar"
)

// choose is numpy.where: values of the second argument where the first is true, and of the third elsewhere.
func choose(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	if args[0].IsConst {
		args[0] = typed(constant(args[0].Expr, isTrue(args[0].Constant)), values.BoolType)
	}
	is := c.condition(args[0], x.Text)
	a, b := c.alike(x, args[1], args[2])
	t := a.Type
	t.Size = max(a.Size, b.Size)
	t.Shape = c.shape(x, a, b)
	t.Shape = c.shape(x, is, &values.Node{Type: t})
	return &values.Node{Type: t, Expr: x, Column: -1, Eval: func(e *values.Env) values.Vec {
		mask, v, w := e.Fit(is, t), e.Fit(a, t), e.Fit(b, t)
		out := e.NewVec(t)
		values.Choose(&out, mask.Mask, &v, &w)
		e.Release(v)
		e.Release(w)
		e.Release(mask)
		return out
	}}
}

// alike returns two nodes with values of one class and one size, by the rules of numpy.result_type.
func (c *checker) alike(x *syntax.Expr, a, b *values.Node) (*values.Node, *values.Node) {
	switch {
	case a.IsConst && b.IsConst:
		a, b = c.literal(a), c.literal(b)
	case a.IsTime() || b.IsTime():
		return c.alikeTimes(x, a, b)
	case a.IsConst && b.IsText():
		a = c.literal(a)
	case b.IsConst && a.IsText():
		b = c.literal(b)
	}
	if a.IsText() || b.IsText() {
		if a.Class != b.Class {
			c.fail(x, "%s of %s and %s has no common dtype; give it two numbers, two texts or two times", x.Text, nameOf(a), nameOf(b))
		}
		return a, b
	}
	for _, n := range []*values.Node{a, b} {
		if _, ok := numberValue(n.Constant); n.IsConst && !ok {
			c.fail(x, "%s of a number and %s has no common dtype; give it two numbers, two texts or two times", x.Text, nameOf(n))
		}
	}
	t := c.numbers(x, x.Text, a, b)
	return c.numberOf(fitted(a, t), t), c.numberOf(fitted(b, t), t)
}

// nameOf returns the name of the dtype of a node.
func nameOf(a *values.Node) string {
	if _, ok := textOf(a.Constant); ok {
		return "text"
	}
	if a.IsConst {
		return "a constant"
	}
	return a.Type.String()
}

// numberOf returns a node of numbers as numbers of type t.
func (c *checker) numberOf(a *values.Node, t values.Type) *values.Node {
	t.Shape = a.Shape
	if a.Class == t.Class && a.Size == t.Size {
		return a
	}
	from := a.As(t)
	return &values.Node{Type: t, Expr: a.Expr, Column: -1, Eval: func(e *values.Env) values.Vec {
		v := from.Eval(e)
		if t.Class == values.Float && t.Size < 8 && (a.Class != values.Float || a.Size > t.Size) {
			out := e.TakeFloats(len(v.Floats))
			copy(out, v.Floats)
			e.Release(v)
			roundAll(t.Size, out)
			v = values.Vec{Floats: out, Owned: true}
		}
		return v
	}}
}

// alikeTimes returns two nodes, one of which is a time, as times of one class and one step.
func (c *checker) alikeTimes(x *syntax.Expr, a, b *values.Node) (*values.Node, *values.Node) {
	if a.IsConst {
		a = c.timeLiteral(a, b.Type)
	}
	if b.IsConst {
		b = c.timeLiteral(b, a.Type)
	}
	switch {
	case a.Class == values.Timedelta && b.IsCount() && !b.Wide():
		b = ticksOf(b, a.Step)
	case b.Class == values.Timedelta && a.IsCount() && !a.Wide():
		a = ticksOf(a, b.Step)
	}
	if a.Class != b.Class {
		c.fail(x, "%s of %s and %s has no common dtype; give it two numbers, two texts or two times", x.Text, nameOf(a), nameOf(b))
	}
	step := c.commonStep(x, a, b)
	return c.inStep(a, step), c.inStep(b, step)
}

// timeLiteral returns a constant beside times of type t as a time: text as a time of its step, and an integer as ticks of a timedelta.
func (c *checker) timeLiteral(a *values.Node, t values.Type) *values.Node {
	text, isText := textOf(a.Constant)
	ticks := int64(scalar.NaT)
	switch {
	case a.Constant == (none{}), isText && (text == "" || text == "NaT" || text == "nat"):
	case isText:
		value := new(big.Rat)
		if t.Class == values.Datetime {
			value = c.datetime(a.Expr, text, t.Step)
		} else {
			value = c.timedelta(a.Expr, text, t.Step)
		}
		if !value.IsInt() || !value.Num().IsInt64() {
			c.fail(a.Expr, "%q is not a whole number of steps of %s, or out of its range", text, t)
		}
		ticks = value.Num().Int64()
	default:
		i, ok := a.Constant.(*big.Int)
		if !ok || !i.IsInt64() || t.Class == values.Datetime {
			c.fail(a.Expr, "the constant is not a %s; write it as text, such as %s", t, map[bool]string{true: "'2024-03-01T12:00'", false: "'5 min'"}[t.Class == values.Datetime])
		}
		ticks = i.Int64()
	}
	return timeConstant(a.Expr, big.NewInt(ticks), t.Class, t.Step)
}

// literal returns a constant as a node of the dtype that NumPy gives it: int64, float64, complex128, bool or text.
func (c *checker) literal(a *values.Node) *values.Node {
	text, isText := textOf(a.Constant)
	if !isText {
		if v, isBool := a.Constant.(bool); isBool {
			return typed(constant(a.Expr, v), values.BoolType)
		}
		if i, ok := a.Constant.(*big.Int); ok && !fits(i) {
			c.fail(a.Expr, "%s does not fit in 64 bits; make it a float", short(i))
		}
		if a.Constant == (none{}) {
			c.fail(a.Expr, "None is not a value of an array; nan and 'NaT' are the missing ones")
		}
		return c.variable(a.Expr, a)
	}
	t := values.Type{Class: values.Str, Size: characters([]byte(text))}
	if _, isBytes := a.Constant.([]byte); isBytes {
		t = values.Type{Class: values.Bytes, Size: len(text)}
	}
	out := &values.Node{Type: t, Expr: a.Expr, Column: -1}
	out.Eval = func(e *values.Env) values.Vec {
		return e.Constant(out, func(n int) values.Vec {
			texts := make([][]byte, n)
			values.Fill(texts, []byte(text))
			return values.Vec{Texts: texts}
		})
	}
	return out
}

// clip is numpy.clip: the values between two limits.
func clip(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	low := c.pair(x, "max", args[0], args[1])
	return c.pair(x, "min", low, args[2])
}

// pair returns a op b, of which both may be constants.
func (c *checker) pair(x *syntax.Expr, op string, a, b *values.Node) *values.Node {
	if a.IsConst && b.IsConst {
		return c.fold(x, op, a, b)
	}
	return c.operate(x, op, a, b)
}

// isIn is numpy.isin for a list of constants.
func isIn(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	if !args[1].IsConst {
		c.fail(args[1].Expr, "isin wants a list of constants: isin(x, (1, 2, 3))")
	}
	return c.compare(x, equal, args[0], args[1])
}
