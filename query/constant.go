package query

import (
	"math"
	"math/big"

	"github.com/npygo/npy/internal/bounded"
)

// maxBits is the size of the largest integer that a constant expression may have.
const maxBits = 1 << 16

// none is the constant None.
type none struct{}

// names are the constants that have a name. A field of the same name comes first.
var names = map[string]any{
	"True": true, "true": true, "False": false, "false": false, "None": none{},
	"nan": math.NaN(), "NaN": math.NaN(), "inf": math.Inf(1), "pi": math.Pi, "e": math.E,
}

func (c *checker) constant(x *expr, value any) *node {
	return &node{x: x, constant: value, isConst: true, column: -1}
}

// isTrue reports whether a constant counts as true.
func isTrue(value any) bool {
	switch v := value.(type) {
	case bool:
		return v
	case *big.Int:
		return v.Sign() != 0
	case float64:
		return v != 0
	case complex128:
		return v != 0
	case string:
		return v != ""
	case []byte:
		return len(v) > 0
	}
	return false
}

// numberValue returns a number or a bool as a number.
func numberValue(value any) (any, bool) {
	switch v := value.(type) {
	case bool:
		if v {
			return big.NewInt(1), true
		}
		return new(big.Int), true
	case *big.Int, float64, complex128:
		return v, true
	}
	return nil, false
}

// toFloat rounds a number to the nearest float64.
func toFloat(value any) float64 {
	switch v := value.(type) {
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f
	case float64:
		return v
	}
	return math.NaN()
}

func toComplex(value any) complex128 {
	if z, ok := value.(complex128); ok {
		return z
	}
	return complex(toFloat(value), 0)
}

// foldUnary computes an operator of a constant.
func (c *checker) foldUnary(x *expr, op string, a *node) *node {
	if op == "not" {
		return c.constant(x, !isTrue(a.constant))
	}
	value, ok := numberValue(a.constant)
	if !ok {
		c.fail(x, "%s of text is not defined", op)
	}
	if v, isBool := a.constant.(bool); isBool && op == "~" {
		return c.constant(x, !v)
	}
	switch v := value.(type) {
	case *big.Int:
		switch op {
		case "-":
			return c.constant(x, new(big.Int).Neg(v))
		case "~":
			return c.constant(x, new(big.Int).Not(v))
		}
	case float64:
		switch op {
		case "-":
			return c.constant(x, -v)
		case "~":
			c.fail(x, "~ is for bools and integers; 'not' negates a condition")
		}
	case complex128:
		switch op {
		case "-":
			return c.constant(x, -v)
		case "~":
			c.fail(x, "~ is for bools and integers")
		}
	}
	return c.constant(x, value)
}

// fold computes an operator of two constants, as Python does.
func (c *checker) fold(x *expr, op string, a, b *node) *node {
	p, ok1 := numberValue(a.constant)
	q, ok2 := numberValue(b.constant)
	if !ok1 || !ok2 {
		c.fail(x, "%s between these constants is not defined", op)
	}
	if v, isBool := a.constant.(bool); isBool {
		if w, isBool := b.constant.(bool); isBool && (op == "&" || op == "|" || op == "^") {
			return c.constant(x, map[string]bool{"&": v && w, "|": v || w, "^": v != w}[op])
		}
	}
	m, isInt1 := p.(*big.Int)
	n, isInt2 := q.(*big.Int)
	if isInt1 && isInt2 {
		if v := c.foldInts(x, op, m, n); v != nil {
			return c.constant(x, v)
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
		return c.constant(x, do(toComplex(p), toComplex(q)))
	}
	do := floatOps[op]
	if do == nil {
		c.bitwise(x, op)
	}
	return c.constant(x, do(8, toFloat(p), toFloat(q)))
}

// foldInts computes an operator of two integers. It returns nil for those whose result is a float.
func (c *checker) foldInts(x *expr, op string, a, b *big.Int) any {
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
			panic(failure{bounded.Over("", maxBits, 0, "query: a constant of more than %d bits", maxBits)})
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
		panic(failure{bounded.Over("", maxBits, out.BitLen(), "query: a constant of more than %d bits", maxBits)})
	}
	return out
}

// foldCompare compares two constants.
func (c *checker) foldCompare(x *expr, r relation, a, b *node) *node {
	p, ok1 := numberValue(a.constant)
	q, ok2 := numberValue(b.constant)
	if ok1 && ok2 {
		return c.constant(x, c.compareNumbers(x, r, p, q))
	}
	s, isText1 := textOf(a.constant)
	t, isText2 := textOf(b.constant)
	if isText1 && isText2 {
		sign := 0
		if s < t {
			sign = -1
		} else if s > t {
			sign = 1
		}
		return c.constant(x, r.holds(sign))
	}
	c.fail(x, "these constants cannot be compared")
	return nil
}

func (c *checker) compareNumbers(x *expr, r relation, p, q any) bool {
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

func textOf(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	}
	return "", false
}

// typed returns a constant as a node of numbers of type t, whose value fits.
func (c *checker) typed(a *node, t typ) *node {
	t = t.scalar()
	number, _ := numberValue(a.constant)
	out := &node{typ: t, x: a.x, column: -1}
	out.eval = func(e *env) vec {
		v, ok := e.constants[out]
		if n := e.n; !ok || v.size() < n {
			v = constantVec(t, number, max(n, blockValues))
			e.constants[out] = v
		}
		return v.first(e.n)
	}
	return out
}

func constantVec(t typ, number any, n int) vec {
	switch t.class {
	case boolValue:
		v := vec{mask: make([]uint8, n)}
		fill(v.mask, b2u(isTrue(number)))
		return v
	case floatValue:
		v := vec{floats: make([]float64, n)}
		fill(v.floats, roundTo(t.size, toFloat(number)))
		return v
	case complexValue:
		v := vec{complexes: make([]complex128, n)}
		fill(v.complexes, toComplex(number))
		return v
	}
	v := vec{ints: make([]int64, n)}
	i := number.(*big.Int)
	if i.Sign() < 0 {
		fill(v.ints, i.Int64())
	} else {
		fill(v.ints, int64(i.Uint64()))
	}
	return v
}

// size returns the number of values.
func (v vec) size() int {
	return len(v.mask) + len(v.ints) + len(v.floats) + len(v.complexes) + len(v.texts)
}

// first returns the first n values.
func (v vec) first(n int) vec {
	switch {
	case v.mask != nil:
		v.mask = v.mask[:n]
	case v.ints != nil:
		v.ints = v.ints[:n]
	case v.floats != nil:
		v.floats = v.floats[:n]
	case v.complexes != nil:
		v.complexes = v.complexes[:n]
	}
	return v
}
