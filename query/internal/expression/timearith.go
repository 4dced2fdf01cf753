package expression

import (
	"math"
	"math/big"
	"math/bits"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/scalar"
)

// timeResults has the class of the result of an operator for the kinds of its operands: a datetime64 is M, a timedelta64 m, an
// integer i, a uint64 u, a bool b and a float f. The rules are NumPy's; other operands are refused.
var timeResults = func() map[string]map[string]class {
	results := map[string]map[string]class{}
	add := func(result class, ops, kinds string) {
		for _, op := range strings.Fields(ops) {
			for _, k := range strings.Fields(kinds) {
				if results[op] == nil {
					results[op] = map[string]class{}
				}
				results[op][k] = result
			}
		}
	}
	add(datetimeValue, "+", "Mm mM Mi iM Mu uM Mb bM")
	add(datetimeValue, "-", "Mm Mi Mu Mb")
	add(datetimeValue, "min max", "MM")
	add(timedeltaValue, "+ -", "mm mi im mu um mb bm")
	add(timedeltaValue, "-", "MM")
	add(timedeltaValue, "*", "mi im mu um mb bm mf fm")
	add(timedeltaValue, "/ //", "mi mu mf")
	add(timedeltaValue, "%", "mm")
	add(timedeltaValue, "min max", "mm mi im mb bm")
	add(floatValue, "/", "mm")
	add(intValue, "//", "mm")
	return results
}()

// timeKind returns the letter of an operand in timeResults.
func timeKind(t typ) string {
	switch {
	case t.class == datetimeValue:
		return "M"
	case t.class == timedeltaValue:
		return "m"
	case t.wide():
		return "u"
	case t.isInteger():
		return "i"
	case t.class == boolValue:
		return "b"
	case t.class == floatValue:
		return "f"
	}
	return "?"
}

// operateTimes returns a op b where at least one operand is a time.
func (c *checker) operateTimes(x *syntax.Expr, op string, a, b *node) *node {
	a, b = c.timeOperand(a, op), c.timeOperand(b, op)
	kinds := timeKind(a.typ) + timeKind(b.typ)
	result, ok := timeResults[op][kinds]
	if !ok {
		c.fail(x, "%s of %s and %s is not defined; times have differences and sums with timedeltas, and timedeltas products and quotients", op, a.typ, b.typ)
	}
	t := typ{class: result, shape: c.shape(x, a, b)}
	switch {
	case kinds == "mf":
		return scaleTimes(x, op, a, b, t)
	case kinds == "fm":
		return scaleTimes(x, op, b, a, t)
	case op == "*" && b.isTime():
		a, b = b, a
	}
	integer := !b.isTime() && (op == "*" || op == "/" || op == "//")
	switch {
	case !b.isTime():
		b = ticksOf(b, a.step)
	case !a.isTime():
		a = ticksOf(a, b.step)
	}
	return c.computeTicks(x, op, integer, a, b, t)
}

// timeOperand returns a constant beside a time as a number with a type.
func (c *checker) timeOperand(a *node, op string) *node {
	if !a.isConst {
		return a
	}
	if _, isText := textOf(a.constant); isText {
		c.fail(a.x, "%s of a time and text is not defined; text can be compared with times and their differences", op)
	}
	number, ok := numberValue(a.constant)
	if !ok {
		c.fail(a.x, "%s of a time and None is not defined", op)
	}
	switch v := number.(type) {
	case *big.Int:
		if !v.IsInt64() {
			c.fail(a.x, "%v does not fit in the 64 bits of a time", short(v))
		}
		return typed(a, int64Type)
	case float64:
		return typed(a, float64Type)
	}
	return typed(a, complex128Type)
}

// ticksOf returns integers or bools as timedeltas of a step. uint64 keeps its bits and its size, see large.
func ticksOf(a *node, step dtype.Step) *node {
	b := *a
	b.typ = typ{class: timedeltaValue, step: step, shape: a.shape}
	b.column = -1
	switch {
	case a.class == boolValue:
		b.eval = func(e *Env) vec { return e.as(a.eval(e), a.typ, int64Type) }
	case a.wide():
		b.size = a.size
	}
	return &b
}

// A tickOp computes with ticks other than NaT. It reports false if the result does not fit in 64 bits.
type tickOp func(p, q int64) (int64, bool)

// tickOps are the operators of times of one step, and of a timedelta and an integer.
var tickOps = map[string]tickOp{
	"+":   func(p, q int64) (int64, bool) { return p + q, (p+q > p) == (q > 0) },
	"-":   func(p, q int64) (int64, bool) { return p - q, (p-q < p) == (q > 0) },
	"*":   productTicks,
	"/":   quotientTicks,
	"//":  func(p, q int64) (int64, bool) { return floorDivide(p, q), true },
	"%":   remainderTicks,
	"min": func(p, q int64) (int64, bool) { return min(p, q), true },
	"max": func(p, q int64) (int64, bool) { return max(p, q), true },
}

func productTicks(p, q int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(max(p, -p)), uint64(max(q, -q)))
	product := int64(lo)
	if (p < 0) != (q < 0) {
		product = -product
	}
	return product, hi == 0 && lo <= math.MaxInt64
}

// quotientTicks rounds towards zero. A quotient by zero is NaT.
func quotientTicks(p, q int64) (int64, bool) {
	if q == 0 {
		return scalar.NaT, true
	}
	return p / q, true
}

func remainderTicks(p, q int64) (int64, bool) {
	if q == 0 {
		return scalar.NaT, true
	}
	return remainder(p, q), true
}

// computeTicks returns an operation of times, which become times of a common step. b may be integers, none of which is NaT.
func (c *checker) computeTicks(x *syntax.Expr, op string, integer bool, a, b *node, t typ) *node {
	step := c.commonStep(x, a, b)
	a, b = c.inStep(a, step), c.inStep(b, step)
	do, none := tickOps[op], int64(scalar.NaT)
	switch t.class {
	case floatValue:
		t.size = 8
		return &node{typ: t, x: x, column: -1, eval: divideTimes(a, b, t)}
	case intValue: // timedelta // timedelta
		t.size, none = 8, 0 // NumPy's integers have no NaN
	default:
		if t.step = step; op == "//" {
			do = quotientTicks // of a timedelta and an integer, as in NumPy
		}
	}
	return &node{typ: t, x: x, column: -1, eval: func(e *Env) vec {
		v, w := e.fit(a, t), e.fit(b, t)
		out := e.takeInts(e.values(t))
		for i, p := range v.ints {
			q := w.ints[i]
			if isNaT(p) || isNaT(q) && !integer {
				out[i] = none
				continue
			}
			r, ok := do(p, q)
			if !ok || isNaT(r) && q != 0 {
				e.fail(i/max(t.items(), 1), "the result of %s is out of the range of %s", op, t)
			}
			out[i] = r
		}
		e.release(v)
		e.release(w)
		return vec{ints: out, owned: true}
	}}
}

// commonStep returns the step of numpy.promote_types.
func (c *checker) commonStep(x *syntax.Expr, a, b *node) dtype.Step {
	step, err := cast.CommonStep(a.timeType(), b.timeType())
	if err != nil {
		c.fail(x, "%s and %s have no common unit: %v", a.typ, b.typ, err)
	}
	return step
}

// inStep returns times in another step. A time that does not fit in 64 bits is an error.
func (c *checker) inStep(a *node, step dtype.Step) *node {
	if a.step == step && !a.large() {
		return a
	}
	t := typ{class: a.class, step: step, shape: a.shape}
	convert := func(x int64) (int64, error) { return x, nil }
	if a.step != step && a.step.Unit != dtype.Generic {
		convert = cast.Steps(a.timeType(), t.timeType())
	}
	return &node{typ: t, x: a.x, column: -1, eval: func(e *Env) vec {
		v := a.eval(e)
		out := e.takeInts(len(v.ints))
		for i, p := range v.ints {
			var err error
			switch {
			case a.large() && p < 0:
				e.fail(i/max(t.items(), 1), "%d is out of the range of %s", uint64(p), t)
			case isNaT(p):
				out[i] = p
				continue
			}
			if out[i], err = convert(p); err != nil {
				e.fail(i/max(t.items(), 1), "%v", err)
			}
		}
		e.release(v)
		return vec{ints: out, owned: true}
	}}
}

// divideTimes returns the quotient of timedeltas of one step. A quotient with NaT is NaN.
func divideTimes(a, b *node, t typ) func(e *Env) vec {
	return func(e *Env) vec {
		v, w := e.fit(a, t), e.fit(b, t)
		out := e.takeFloats(e.values(t))
		for i, p := range v.ints {
			if out[i] = math.NaN(); !isNaT(p) && !isNaT(w.ints[i]) {
				out[i] = float64(p) / float64(w.ints[i])
			}
		}
		e.release(v)
		e.release(w)
		return vec{floats: out, owned: true}
	}
}

// scaleTimes returns the product or the quotient of timedeltas and floats, rounded towards zero. A result that is not finite is NaT.
func scaleTimes(x *syntax.Expr, op string, a, b *node, t typ) *node {
	t.step = a.step
	return &node{typ: t, x: x, column: -1, eval: func(e *Env) vec {
		v, w := e.fit(a, t), e.fit(b, t)
		out := e.takeInts(e.values(t))
		for i, p := range v.ints {
			r := float64(p) / w.floats[i]
			if op == "*" {
				r = float64(p) * w.floats[i]
			}
			switch {
			case isNaT(p) || !isFiniteFloat(r):
				out[i] = scalar.NaT
			case math.Abs(r) >= 0x1p63:
				e.fail(i/max(t.items(), 1), "the result of %s is out of the range of %s", op, t)
			default:
				out[i] = int64(r)
			}
		}
		e.release(v)
		e.release(w)
		return vec{ints: out, owned: true}
	}}
}
