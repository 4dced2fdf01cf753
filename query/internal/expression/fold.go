package expression

import (
	"math"
	"math/big"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// maxBits is the size of the largest integer that a constant expression may have.
const maxBits = 1 << 16

// foldUnary computes an operator of a constant.
func (c *checker) foldUnary(x *syntax.Expr, op string, a *values.Node) *values.Node {
	if op == "not" {
		return constant(x, !isTrue(a.Constant))
	}
	value, ok := numberValue(a.Constant)
	if !ok {
		c.fail(x, "%s of text is not defined", op)
	}
	if v, isBool := a.Constant.(bool); isBool && op == "~" {
		return constant(x, !v)
	}
	switch v := value.(type) {
	case *big.Int:
		switch op {
		case "-":
			return constant(x, new(big.Int).Neg(v))
		case "~":
			return constant(x, new(big.Int).Not(v))
		}
	case float64:
		switch op {
		case "-":
			return constant(x, -v)
		case "~":
			c.fail(x, "~ is for bools and integers; 'not' negates a condition")
		}
	case complex128:
		switch op {
		case "-":
			return constant(x, -v)
		case "~":
			c.fail(x, "~ is for bools and integers")
		}
	}
	return constant(x, value)
}

// fold computes an operator of two constants, as Python does.
func (c *checker) fold(x *syntax.Expr, op string, a, b *values.Node) *values.Node {
	p, ok1 := numberValue(a.Constant)
	q, ok2 := numberValue(b.Constant)
	if !ok1 || !ok2 {
		c.fail(x, "%s between these constants is not defined", op)
	}
	if v, isBool := a.Constant.(bool); isBool {
		if w, isBool := b.Constant.(bool); isBool && (op == "&" || op == "|" || op == "^") {
			return constant(x, map[string]bool{"&": v && w, "|": v || w, "^": v != w}[op])
		}
	}
	m, isInt1 := p.(*big.Int)
	n, isInt2 := q.(*big.Int)
	if isInt1 && isInt2 {
		if v := c.foldInts(x, op, m, n); v != nil {
			return constant(x, v)
		}
	}
	if (op == "/" || op == "//" || op == "%") && !isTrue(q) {
		c.fail(x, "division by zero")
	}
	_, isComplex1 := p.(complex128)
	_, isComplex2 := q.(complex128)
	if isComplex1 || isComplex2 {
		do := complexOps[op]
		if do == nil {
			c.fail(x, "%s between complex numbers is not supported", op)
		}
		return constant(x, do(toComplex(p), toComplex(q)))
	}
	do := floatOps[op]
	if do == nil {
		c.bitwise(x, op)
	}
	return constant(x, do(8, toFloat(p), toFloat(q)))
}

// foldInts computes an operator of two integers. It returns nil if the result is a float.
func (c *checker) foldInts(x *syntax.Expr, op string, a, b *big.Int) any {
	out := new(big.Int)
	switch op {
	case "+":
		out.Add(a, b)
	case "-":
		out.Sub(a, b)
	case "*":
		out.Mul(a, b)
	case "&":
		out.And(a, b)
	case "|":
		out.Or(a, b)
	case "^":
		out.Xor(a, b)
	case "//", "%":
		if b.Sign() == 0 {
			return nil
		}
		rest := new(big.Int)
		out.DivMod(a, b, rest) // the rest is never negative
		if b.Sign() < 0 && rest.Sign() != 0 {
			out.Sub(out, big.NewInt(1))
			rest.Add(rest, b)
		}
		if op == "%" {
			out = rest
		}
	case "**":
		if b.Sign() < 0 {
			return nil
		}
		if a.BitLen() > 1 && (!b.IsInt64() || b.Int64() > maxBits || int64(a.BitLen())*b.Int64() > 2*maxBits) {
			syntax.Fail(diag.Wrap("query", bounded.Over("", maxBits, 0, "a constant of more than %d bits", maxBits)))
		}
		if a.BitLen() <= 1 { // 0, 1, -1
			b = new(big.Int).And(b, big.NewInt(1))
			if a.Sign() == 0 && out.Sign() == 0 && b.Sign() == 0 {
				b = big.NewInt(1)
			}
		}
		out.Exp(a, b, nil)
	case "min":
		out.Set(a)
		if b.Cmp(a) < 0 {
			out.Set(b)
		}
	case "max":
		out.Set(a)
		if b.Cmp(a) > 0 {
			out.Set(b)
		}
	default:
		return nil
	}
	if out.BitLen() > 4*maxBits {
		syntax.Fail(diag.Wrap("query", bounded.Over("", maxBits, out.BitLen(), "a constant of more than %d bits", maxBits)))
	}
	return out
}

// foldCompare compares two constants.
func (c *checker) foldCompare(x *syntax.Expr, r relation, a, b *values.Node) *values.Node {
	p, ok1 := numberValue(a.Constant)
	q, ok2 := numberValue(b.Constant)
	if ok1 && ok2 {
		return constant(x, c.compareNumbers(x, r, p, q))
	}
	s, isText1 := textOf(a.Constant)
	t, isText2 := textOf(b.Constant)
	if isText1 && isText2 {
		sign := 0
		if s < t {
			sign = -1
		} else if s > t {
			sign = 1
		}
		return constant(x, r.holds(sign))
	}
	c.fail(x, "these constants cannot be compared")
	return nil
}

func (c *checker) compareNumbers(x *syntax.Expr, r relation, p, q any) bool {
	m, isInt1 := p.(*big.Int)
	n, isInt2 := q.(*big.Int)
	if isInt1 && isInt2 {
		return r.holds(m.Cmp(n))
	}
	if z, w := toComplex(p), toComplex(q); imag(z) != 0 || imag(w) != 0 {
		if r != equal && r != notEqual {
			c.fail(x, "complex numbers have no order")
		}
		return (z == w) == (r == equal)
	}
	f, g := real(toComplex(p)), real(toComplex(q))
	if f != f || g != g {
		return r == notEqual
	}
	if isInt1 && !math.IsInf(g, 0) {
		return r.holds(new(big.Rat).SetInt(m).Cmp(new(big.Rat).SetFloat64(g)))
	}
	if isInt2 && !math.IsInf(f, 0) {
		return r.holds(new(big.Rat).SetFloat64(f).Cmp(new(big.Rat).SetInt(n)))
	}
	switch {
	case f < g:
		return r.holds(-1)
	case f > g:
		return r.holds(1)
	}
	return r.holds(0)
}
