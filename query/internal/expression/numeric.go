package expression

import (
	"bytes"
	"math"
	"math/big"
	"slices"

	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
	"github.com/npygo/npy/scalar"
)

// variable returns an argument that is not a constant, or fails.
func (c *checker) variable(x *syntax.Expr, a *values.Node) *values.Node {
	if a.IsConst {
		number, ok := numberValue(a.Constant)
		if !ok {
			c.fail(x, "%s of a constant; name a field, or x", x.Text)
		}
		t := values.Float64Type
		switch v := number.(type) {
		case *big.Int:
			if fits(v) {
				t = values.Int64Type
				if !v.IsInt64() {
					t.Class = values.Uint
				}
			}
		case complex128:
			t = values.Complex128Type
		}
		return typed(a, t)
	}
	return a
}

// number returns an argument that must be a number.
func (c *checker) number(x *syntax.Expr, a *values.Node) *values.Node {
	a = c.variable(x, a)
	if !a.IsNumber() {
		c.fail(a.Expr, "%s is for numbers, not %s", x.Text, a.Type)
	}
	return a
}

// real returns an argument that must be a real number.
func (c *checker) real(x *syntax.Expr, a *values.Node) *values.Node {
	if a = c.number(x, a); a.Class == values.Complex {
		c.fail(a.Expr, "%s is for real numbers, not %s", x.Text, a.Type)
	}
	return a
}

// reduce returns the function any or all, over the values of each row.
func reduce(op string) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		if args[0].IsConst {
			return constant(x, isTrue(args[0].Constant))
		}
		a := c.condition(args[0], x.Text)
		k := a.Items()
		return values.Each(x, a, values.BoolType, func(v, out *values.Vec) {
			for i := range out.Mask {
				row := v.Mask[i*k : (i+1)*k]
				if op == "|" {
					out.Mask[i] = values.Bit(bytes.IndexByte(row, 1) >= 0)
				} else {
					out.Mask[i] = values.Bit(bytes.IndexByte(row, 0) < 0)
				}
			}
		})
	}
}

// test returns a function that tests floats and the parts of complex numbers. It is false for integers.
func test(is func(float64) bool) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		a := c.variable(x, args[0])
		if a.IsTime() && x.Text != "isinf" {
			return isNaTs(c, x, args)
		}
		a = c.number(x, a)
		return values.Each(x, a, values.BoolsOf(a), func(v, out *values.Vec) {
			if v.Floats == nil && v.Complexes == nil {
				values.Fill(out.Mask, 0)
			}
			for i, f := range v.Floats {
				out.Mask[i] = values.Bit(is(f))
			}
			for i, z := range v.Complexes {
				out.Mask[i] = values.Bit(is(real(z)) || is(imag(z)))
			}
		})
	}
}

func isFinite(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	a := c.variable(x, args[0])
	if !a.IsNumber() && !a.IsTime() {
		c.fail(a.Expr, "isfinite is for numbers and times, not %s", a.Type)
	}
	return values.Each(x, a, values.BoolsOf(a), func(v, out *values.Vec) {
		values.Fill(out.Mask, 1)
		if a.IsTime() {
			values.ExceptNaT(out.Mask, v.Ints)
		}
		for i, f := range v.Floats {
			out.Mask[i] = values.Bit(isFiniteFloat(f))
		}
		for i, z := range v.Complexes {
			out.Mask[i] = values.Bit(isFiniteFloat(real(z)) && isFiniteFloat(imag(z)))
		}
	})
}

func isNaTs(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	a := c.variable(x, args[0])
	if !a.IsTime() {
		c.fail(a.Expr, "%s is for times, not %s", x.Text, a.Type)
	}
	return values.Each(x, a, values.BoolsOf(a), func(v, out *values.Vec) {
		for i, t := range v.Ints {
			out.Mask[i] = values.Bit(isNaT(t))
		}
	})
}

func absolute(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	a := c.variable(x, args[0])
	if a.Class != values.Timedelta {
		a = c.number(x, a)
	}
	t := a.Type
	switch a.Class {
	case values.Bool, values.Uint:
		return a
	case values.Complex:
		t.Class, t.Size = values.Float, a.Size/2
	}
	return values.Each(x, a, t, func(v, out *values.Vec) {
		for i, n := range v.Ints {
			if n < 0 {
				n = wrap(t, -n)
			}
			out.Ints[i] = n
		}
		for i, f := range v.Floats {
			out.Floats[i] = math.Abs(f)
		}
		for i, z := range v.Complexes {
			out.Floats[i] = roundTo(t.Size, math.Hypot(real(z), imag(z)))
		}
	})
}

// float returns a function of floats. Integers become the smallest float that holds them, as in NumPy.
func (c *checker) float(x *syntax.Expr, a *values.Node, do func(float64) float64) *values.Node {
	a = c.real(x, a)
	t := floatFor(a.Type)
	return &values.Node{Type: t, Expr: x, Column: -1, Eval: func(e *values.Env) values.Vec {
		v := e.As(a.Eval(e), a.Type, values.Float64Type)
		out := e.TakeFloats(len(v.Floats))
		for i, f := range v.Floats {
			out[i] = do(f)
		}
		roundAll(t.Size, out)
		e.Release(v)
		return values.Vec{Floats: out, Owned: true}
	}}
}

// floatFor returns the type of floats that a function of floats has for numbers of type t.
func floatFor(t values.Type) values.Type {
	switch t.Class {
	case values.Bool:
		t.Size = 2
	case values.Int, values.Uint:
		t.Size = min(2*t.Size, 8)
	}
	t.Class = values.Float
	return t
}

// floatPair returns a function of two floats.
func floatPair(do func(x, y float64) float64) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		a, b := args[0], args[1]
		if a.IsConst && b.IsConst {
			a = c.real(x, a)
		}
		for _, n := range []*values.Node{a, b} {
			if c.real(x, n).IsTime() {
				c.fail(n.Expr, "%s is for real numbers, not %s", x.Text, n.Type)
			}
		}
		common := c.numbers(x, x.Text, a, b)
		a, b = c.real(x, fitted(a, common)).As(values.Float64Type), c.real(x, fitted(b, common)).As(values.Float64Type)
		t := floatFor(common)
		if !args[0].IsConst && !args[1].IsConst { // the smallest floats that hold each of them
			t.Size = max(floatFor(args[0].Type).Size, floatFor(args[1].Type).Size)
		}
		t.Shape = c.shape(x, a, b)
		return &values.Node{Type: t, Expr: x, Column: -1, Eval: func(e *values.Env) values.Vec {
			v, w := e.Fit(a, t), e.Fit(b, t)
			out := e.TakeFloats(e.Values(t))
			for i, f := range v.Floats {
				out[i] = do(f, w.Floats[i])
			}
			roundAll(t.Size, out)
			e.Release(v)
			e.Release(w)
			return values.Vec{Floats: out, Owned: true}
		}}
	}
}

// sign is numpy.sign: -1, 0 or 1, and NaN for NaN.
func sign(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	a := c.real(x, args[0])
	if a.Class == values.Bool {
		c.fail(a.Expr, "sign of bools is not defined")
	}
	return values.Each(x, a, a.Type, func(v, out *values.Vec) {
		for i, n := range v.Ints {
			switch {
			case n > 0 || n < 0 && a.Wide():
				out.Ints[i] = 1
			case n < 0:
				out.Ints[i] = -1
			default:
				out.Ints[i] = 0
			}
		}
		for i, f := range v.Floats {
			switch {
			case f > 0:
				f = 1
			case f < 0:
				f = -1
			case f == 0:
				f = 0
			}
			out.Floats[i] = f
		}
	})
}

// whole returns a function that rounds floats to integers, and leaves integers as they are.
func whole(do func(float64) float64) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		if a := c.real(x, args[0]); a.Class != values.Float {
			return a
		}
		return c.float(x, args[0], do)
	}
}

// round is numpy.round: halves go to the even neighbour.
func round(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	a := c.real(x, args[0])
	digits := int64(0)
	if len(args) == 2 {
		n, ok := args[1].Constant.(*big.Int)
		if !ok || !n.IsInt64() || n.Int64() < -300 || n.Int64() > 300 {
			c.fail(args[1].Expr, "round wants a number of digits, from -300 to 300")
		}
		digits = n.Int64()
	}
	switch {
	case a.Class != values.Float && digits >= 0:
		return a
	case a.Class != values.Float:
		c.fail(x, "round of integers to tens is not supported; divide first")
	case digits == 0:
		return c.float(x, a, math.RoundToEven)
	}
	size := a.Size
	scale := roundTo(size, math.Pow10(int(max(digits, -digits))))
	return c.float(x, a, func(f float64) float64 {
		if digits < 0 {
			return roundTo(size, math.RoundToEven(roundTo(size, f/scale))*scale)
		}
		return math.RoundToEven(roundTo(size, f*scale)) / scale
	})
}

// part returns the function real or imag.
func part(of func(complex128) float64) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		a := c.number(x, args[0])
		if a.Class != values.Complex {
			c.fail(a.Expr, "%s is for complex numbers, not %s", x.Text, a.Type)
		}
		t := values.Type{Class: values.Float, Size: a.Size / 2, Shape: a.Shape}
		return values.Each(x, a, t, func(v, out *values.Vec) {
			for i, z := range v.Complexes {
				out.Floats[i] = of(z)
			}
		})
	}
}

// extreme returns the function min or max: of its arguments, or of the values of each row.
func extreme(op string) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		if len(args) > 1 {
			out := args[0]
			for _, b := range args[1:] {
				if out.IsConst && b.IsConst {
					out = c.fold(x, op, out, b)
				} else {
					out = c.operate(x, op, out, b)
				}
			}
			return out
		}
		a := c.variable(x, args[0])
		if !a.IsTime() {
			a = c.real(x, a)
		}
		k := a.Items()
		if len(a.Shape) == 0 {
			return a
		}
		if k == 0 {
			c.fail(x, "%s of no values", op)
		}
		return values.Each(x, a, a.Type.Scalar(), func(v, out *values.Vec) { reduceRows(op, a.Type, v, out, k) })
	}
}

// reduceRows sets out to the smallest or largest of each k values of v.
func reduceRows(op string, t values.Type, v, out *values.Vec, k int) {
	ints, floats := intOps[op], floatOps[op]
	if t.Wide() {
		ints = wideOps[op]
	}
	if t.IsTime() {
		ints = extremeTime(ints)
	}
	for i := range out.Ints {
		best := v.Ints[i*k]
		for _, n := range v.Ints[i*k+1 : (i+1)*k] {
			best = ints(best, n)
		}
		out.Ints[i] = best
	}
	for i := range out.Floats {
		best := v.Floats[i*k]
		for _, f := range v.Floats[i*k+1 : (i+1)*k] {
			best = floats(8, best, f)
		}
		out.Floats[i] = best
	}
	for i := range out.Mask {
		if op == "max" {
			out.Mask[i] = slices.Max(v.Mask[i*k : (i+1)*k])
		} else {
			out.Mask[i] = slices.Min(v.Mask[i*k : (i+1)*k])
		}
	}
}

// extremeTime returns min or max for times: NaT if one is NaT.
func extremeTime(of intOp) intOp {
	return func(x, y int64) int64 {
		if isNaT(x) || isNaT(y) {
			return scalar.NaT
		}
		return of(x, y)
	}
}
