package expression

import (
	"bytes"
	"math"
	"math/big"
	"slices"

	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/scalar"
)

// variable returns an argument that is not a constant, or fails.
func (c *checker) variable(x *syntax.Expr, a *node) *node {
	if a.isConst {
		number, ok := numberValue(a.constant)
		if !ok {
			c.fail(x, "%s of a constant; name a field, or x", x.Text)
		}
		t := float64Type
		switch v := number.(type) {
		case *big.Int:
			if fits(v) {
				t = int64Type
				if !v.IsInt64() {
					t.class = uintValue
				}
			}
		case complex128:
			t = complex128Type
		}
		return typed(a, t)
	}
	return a
}

// number returns an argument that must be a number.
func (c *checker) number(x *syntax.Expr, a *node) *node {
	a = c.variable(x, a)
	if !a.isNumber() {
		c.fail(a.x, "%s is for numbers, not %s", x.Text, a.typ)
	}
	return a
}

// real returns an argument that must be a real number.
func (c *checker) real(x *syntax.Expr, a *node) *node {
	if a = c.number(x, a); a.class == complexValue {
		c.fail(a.x, "%s is for real numbers, not %s", x.Text, a.typ)
	}
	return a
}

// reduce returns the function any or all, over the values of each row.
func reduce(op string) func(c *checker, x *syntax.Expr, args []*node) *node {
	return func(c *checker, x *syntax.Expr, args []*node) *node {
		if args[0].isConst {
			return constant(x, isTrue(args[0].constant))
		}
		a := c.condition(args[0], x.Text)
		k := a.items()
		return each(x, a, boolType, func(v, out *vec) {
			for i := range out.mask {
				values := v.mask[i*k : (i+1)*k]
				if op == "|" {
					out.mask[i] = b2u(bytes.IndexByte(values, 1) >= 0)
				} else {
					out.mask[i] = b2u(bytes.IndexByte(values, 0) < 0)
				}
			}
		})
	}
}

// test returns a function that tests floats and the parts of complex numbers. It is false for integers.
func test(is func(float64) bool) func(c *checker, x *syntax.Expr, args []*node) *node {
	return func(c *checker, x *syntax.Expr, args []*node) *node {
		a := c.variable(x, args[0])
		if a.isTime() && x.Text != "isinf" {
			return isNaTs(c, x, args)
		}
		a = c.number(x, a)
		return each(x, a, boolsOf(a), func(v, out *vec) {
			if v.floats == nil && v.complexes == nil {
				fill(out.mask, 0)
			}
			for i, f := range v.floats {
				out.mask[i] = b2u(is(f))
			}
			for i, z := range v.complexes {
				out.mask[i] = b2u(is(real(z)) || is(imag(z)))
			}
		})
	}
}

func isFinite(c *checker, x *syntax.Expr, args []*node) *node {
	a := c.variable(x, args[0])
	if !a.isNumber() && !a.isTime() {
		c.fail(a.x, "isfinite is for numbers and times, not %s", a.typ)
	}
	return each(x, a, boolsOf(a), func(v, out *vec) {
		fill(out.mask, 1)
		if a.isTime() {
			exceptNaT(out.mask, v.ints)
		}
		for i, f := range v.floats {
			out.mask[i] = b2u(isFiniteFloat(f))
		}
		for i, z := range v.complexes {
			out.mask[i] = b2u(isFiniteFloat(real(z)) && isFiniteFloat(imag(z)))
		}
	})
}

func isNaTs(c *checker, x *syntax.Expr, args []*node) *node {
	a := c.variable(x, args[0])
	if !a.isTime() {
		c.fail(a.x, "%s is for times, not %s", x.Text, a.typ)
	}
	return each(x, a, boolsOf(a), func(v, out *vec) {
		for i, t := range v.ints {
			out.mask[i] = b2u(isNaT(t))
		}
	})
}

func absolute(c *checker, x *syntax.Expr, args []*node) *node {
	a := c.variable(x, args[0])
	if a.class != timedeltaValue {
		a = c.number(x, a)
	}
	t := a.typ
	switch a.class {
	case boolValue, uintValue:
		return a
	case complexValue:
		t.class, t.size = floatValue, a.size/2
	}
	return each(x, a, t, func(v, out *vec) {
		for i, n := range v.ints {
			if n < 0 {
				n = wrap(t, -n)
			}
			out.ints[i] = n
		}
		for i, f := range v.floats {
			out.floats[i] = math.Abs(f)
		}
		for i, z := range v.complexes {
			out.floats[i] = roundTo(t.size, math.Hypot(real(z), imag(z)))
		}
	})
}

// float returns a function of floats. Integers become the smallest float that holds them, as in NumPy.
func (c *checker) float(x *syntax.Expr, a *node, do func(float64) float64) *node {
	a = c.real(x, a)
	t := typ{class: floatValue, size: a.size, shape: a.shape}
	switch a.class {
	case boolValue:
		t.size = 2
	case intValue, uintValue:
		t.size = min(2*a.size, 8)
	}
	return &node{typ: t, x: x, column: -1, eval: func(e *Env) vec {
		v := e.as(a.eval(e), a.typ, float64Type)
		out := e.takeFloats(len(v.floats))
		for i, f := range v.floats {
			out[i] = do(f)
		}
		roundAll(t.size, out)
		e.release(v)
		return vec{floats: out, owned: true}
	}}
}

// whole returns a function that rounds floats to integers, and leaves integers as they are.
func whole(do func(float64) float64) func(c *checker, x *syntax.Expr, args []*node) *node {
	return func(c *checker, x *syntax.Expr, args []*node) *node {
		if a := c.real(x, args[0]); a.class != floatValue {
			return a
		}
		return c.float(x, args[0], do)
	}
}

// round is numpy.round: halves go to the even neighbour.
func round(c *checker, x *syntax.Expr, args []*node) *node {
	a := c.real(x, args[0])
	digits := int64(0)
	if len(args) == 2 {
		n, ok := args[1].constant.(*big.Int)
		if !ok || !n.IsInt64() || n.Int64() < -300 || n.Int64() > 300 {
			c.fail(args[1].x, "round wants a number of digits, from -300 to 300")
		}
		digits = n.Int64()
	}
	switch {
	case a.class != floatValue && digits >= 0:
		return a
	case a.class != floatValue:
		c.fail(x, "round of integers to tens is not supported; divide first")
	case digits == 0:
		return c.float(x, a, math.RoundToEven)
	}
	size := a.size
	scale := roundTo(size, math.Pow10(int(max(digits, -digits))))
	return c.float(x, a, func(f float64) float64 {
		if digits < 0 {
			return roundTo(size, math.RoundToEven(roundTo(size, f/scale))*scale)
		}
		return math.RoundToEven(roundTo(size, f*scale)) / scale
	})
}

// part returns the function real or imag.
func part(of func(complex128) float64) func(c *checker, x *syntax.Expr, args []*node) *node {
	return func(c *checker, x *syntax.Expr, args []*node) *node {
		a := c.number(x, args[0])
		if a.class != complexValue {
			c.fail(a.x, "%s is for complex numbers, not %s", x.Text, a.typ)
		}
		t := typ{class: floatValue, size: a.size / 2, shape: a.shape}
		return each(x, a, t, func(v, out *vec) {
			for i, z := range v.complexes {
				out.floats[i] = of(z)
			}
		})
	}
}

// extreme returns the function min or max: of its arguments, or of the values of each row.
func extreme(op string) func(c *checker, x *syntax.Expr, args []*node) *node {
	return func(c *checker, x *syntax.Expr, args []*node) *node {
		if len(args) > 1 {
			out := args[0]
			for _, b := range args[1:] {
				if out.isConst && b.isConst {
					out = c.fold(x, op, out, b)
				} else {
					out = c.operate(x, op, out, b)
				}
			}
			return out
		}
		a := c.variable(x, args[0])
		if !a.isTime() {
			a = c.real(x, a)
		}
		k := a.items()
		if len(a.shape) == 0 {
			return a
		}
		if k == 0 {
			c.fail(x, "%s of no values", op)
		}
		return each(x, a, a.typ.scalar(), func(v, out *vec) { reduceRows(op, a.typ, v, out, k) })
	}
}

// reduceRows sets out to the smallest or largest of each k values of v.
func reduceRows(op string, t typ, v, out *vec, k int) {
	ints, floats := intOps[op], floatOps[op]
	if t.wide() {
		ints = wideOps[op]
	}
	if t.isTime() {
		ints = extremeTime(ints)
	}
	for i := range out.ints {
		best := v.ints[i*k]
		for _, n := range v.ints[i*k+1 : (i+1)*k] {
			best = ints(best, n)
		}
		out.ints[i] = best
	}
	for i := range out.floats {
		best := v.floats[i*k]
		for _, f := range v.floats[i*k+1 : (i+1)*k] {
			best = floats(8, best, f)
		}
		out.floats[i] = best
	}
	for i := range out.mask {
		if op == "max" {
			out.mask[i] = slices.Max(v.mask[i*k : (i+1)*k])
		} else {
			out.mask[i] = slices.Min(v.mask[i*k : (i+1)*k])
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
