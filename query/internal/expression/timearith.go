package expression

import (
	"math"
	"math/big"
	"math/bits"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
	"github.com/npygo/npy/scalar"
)

// timeResults has the class of the result of an operator for the kinds of its operands: a datetime64 is M, a timedelta64 m, an
// integer i, a uint64 u, a bool b and a float f. The rules are NumPy's; other operands are refused.
var timeResults = func() map[string]map[string]values.Class {
	results := map[string]map[string]values.Class{}
	add := func(result values.Class, ops, kinds string) {
		for _, op := range strings.Fields(ops) {
			for _, k := range strings.Fields(kinds) {
				if results[op] == nil {
					results[op] = map[string]values.Class{}
				}
				results[op][k] = result
			}
		}
	}
	add(values.Datetime, "+", "Mm mM Mi iM Mu uM Mb bM")
	add(values.Datetime, "-", "Mm Mi Mu Mb")
	add(values.Datetime, "min max", "MM")
	add(values.Timedelta, "+ -", "mm mi im mu um mb bm")
	add(values.Timedelta, "-", "MM")
	add(values.Timedelta, "*", "mi im mu um mb bm mf fm")
	add(values.Timedelta, "/ //", "mi mu mf")
	add(values.Timedelta, "%", "mm")
	add(values.Timedelta, "min max", "mm mi im mb bm")
	add(values.Float, "/", "mm")
	add(values.Int, "//", "mm")
	return results
}()

// timeKind returns the letter of an operand in timeResults.
func timeKind(t values.Type) string {
	switch {
	case t.Class == values.Datetime:
		return "M"
	case t.Class == values.Timedelta:
		return "m"
	case t.Wide():
		return "u"
	case t.IsInteger():
		return "i"
	case t.Class == values.Bool:
		return "b"
	case t.Class == values.Float:
		return "f"
	}
	return "?"
}

// operateTimes returns a op b where at least one operand is a time.
func (c *checker) operateTimes(x *syntax.Expr, op string, a, b *values.Node) *values.Node {
	a, b = c.timeOperand(a, op, b), c.timeOperand(b, op, a)
	kinds := timeKind(a.Type) + timeKind(b.Type)
	result, ok := timeResults[op][kinds]
	if !ok {
		c.fail(x, "%s of %s and %s is not defined; times have differences and sums with timedeltas, and timedeltas products and quotients", op, a.Type, b.Type)
	}
	t := values.Type{Class: result, Shape: c.shape(x, a, b)}
	switch {
	case kinds == "mf":
		return scaleTimes(x, op, a, b, t)
	case kinds == "fm":
		return scaleTimes(x, op, b, a, t)
	case op == "*" && b.IsTime():
		a, b = b, a
	}
	integer := !b.IsTime() && (op == "*" || op == "/" || op == "//")
	switch {
	case !b.IsTime():
		b = ticksOf(b, a.Step)
	case !a.IsTime():
		a = ticksOf(a, b.Step)
	}
	return c.computeTicks(x, op, integer, a, b, t)
}

// timeOperand returns a constant beside another operand, a time, as a number with a type, or as a time: '2024-03-01' if it is
// subtracted from a time or a time from it, and durations such as '1.5 h' otherwise.
func (c *checker) timeOperand(a *values.Node, op string, other *values.Node) *values.Node {
	if !a.IsConst {
		return a
	}
	if text, isText := textOf(a.Constant); isText {
		if op == "-" && other.Class == values.Datetime && isMoment(text) {
			return c.datetimeNode(a.Expr, text, other.Step)
		}
		return c.durationNode(a.Expr, text)
	}
	number, ok := numberValue(a.Constant)
	if !ok {
		c.fail(a.Expr, "%s of a time and None is not defined", op)
	}
	switch v := number.(type) {
	case *big.Int:
		if !v.IsInt64() {
			c.fail(a.Expr, "%v does not fit in the 64 bits of a time", short(v))
		}
		return typed(a, values.Int64Type)
	case float64:
		return typed(a, values.Float64Type)
	}
	return typed(a, values.Complex128Type)
}

// isMoment reports whether text begins as a time and not as a duration: 2024-03-01.
func isMoment(text string) bool {
	digits := strings.TrimLeft(strings.TrimSpace(text), "0123456789")
	return strings.HasPrefix(digits, "-")
}

// ticksOf returns integers or bools as timedeltas of a step. uint64 keeps its bits and its size, see large.
func ticksOf(a *values.Node, step dtype.Step) *values.Node {
	b := *a
	b.Type = values.Type{Class: values.Timedelta, Step: step, Shape: a.Shape}
	b.Column = -1
	switch {
	case a.Class == values.Bool:
		b.Eval = func(e *values.Env) values.Vec { return e.As(a.Eval(e), a.Type, values.Int64Type) }
	case a.Wide():
		b.Size = a.Size
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
func (c *checker) computeTicks(x *syntax.Expr, op string, integer bool, a, b *values.Node, t values.Type) *values.Node {
	step := c.commonStep(x, a, b)
	a, b = c.inStep(a, step), c.inStep(b, step)
	do, none := tickOps[op], int64(scalar.NaT)
	switch t.Class {
	case values.Float:
		t.Size = 8
		return &values.Node{Type: t, Expr: x, Column: -1, Eval: divideTimes(a, b, t)}
	case values.Int: // timedelta // timedelta
		t.Size, none = 8, 0 // NumPy's integers have no NaN
	default:
		if t.Step = step; op == "//" {
			do = quotientTicks // of a timedelta and an integer, as in NumPy
		}
	}
	return &values.Node{Type: t, Expr: x, Column: -1, Eval: func(e *values.Env) values.Vec {
		v, w := e.Fit(a, t), e.Fit(b, t)
		out := e.TakeInts(e.Values(t))
		for i, p := range v.Ints {
			q := w.Ints[i]
			if isNaT(p) || isNaT(q) && !integer {
				out[i] = none
				continue
			}
			r, ok := do(p, q)
			if !ok || isNaT(r) && q != 0 {
				e.Fail(i/max(t.Items(), 1), "the result of %s is out of the range of %s", op, t)
			}
			out[i] = r
		}
		e.Release(v)
		e.Release(w)
		return values.Vec{Ints: out, Owned: true}
	}}
}

// commonStep returns the step of numpy.promote_types.
func (c *checker) commonStep(x *syntax.Expr, a, b *values.Node) dtype.Step {
	step, err := cast.CommonStep(a.TimeType(), b.TimeType())
	if err != nil {
		c.fail(x, "%s and %s have no common unit: %v", a.Type, b.Type, err)
	}
	return step
}

// inStep returns times in another step. A time that does not fit in 64 bits is an error.
func (c *checker) inStep(a *values.Node, step dtype.Step) *values.Node {
	if a.Step == step && !a.Large() {
		return a
	}
	t := values.Type{Class: a.Class, Step: step, Shape: a.Shape}
	convert := func(x int64) (int64, error) { return x, nil }
	if a.Step != step && a.Step.Unit != dtype.Generic {
		convert = cast.Steps(a.TimeType(), t.TimeType())
	}
	return &values.Node{Type: t, Expr: a.Expr, Column: -1, Eval: func(e *values.Env) values.Vec {
		v := a.Eval(e)
		out := e.TakeInts(len(v.Ints))
		for i, p := range v.Ints {
			var err error
			switch {
			case a.Large() && p < 0:
				e.Fail(i/max(t.Items(), 1), "%d is out of the range of %s", uint64(p), t)
			case isNaT(p):
				out[i] = p
				continue
			}
			if out[i], err = convert(p); err != nil {
				e.Fail(i/max(t.Items(), 1), "%v", err)
			}
		}
		e.Release(v)
		return values.Vec{Ints: out, Owned: true}
	}}
}

// divideTimes returns the quotient of timedeltas of one step. A quotient with NaT is NaN.
func divideTimes(a, b *values.Node, t values.Type) func(e *values.Env) values.Vec {
	return func(e *values.Env) values.Vec {
		v, w := e.Fit(a, t), e.Fit(b, t)
		out := e.TakeFloats(e.Values(t))
		for i, p := range v.Ints {
			if out[i] = math.NaN(); !isNaT(p) && !isNaT(w.Ints[i]) {
				out[i] = float64(p) / float64(w.Ints[i])
			}
		}
		e.Release(v)
		e.Release(w)
		return values.Vec{Floats: out, Owned: true}
	}
}

// scaleTimes returns the product or the quotient of timedeltas and floats, rounded towards zero. A result that is not finite is NaT.
func scaleTimes(x *syntax.Expr, op string, a, b *values.Node, t values.Type) *values.Node {
	t.Step = a.Step
	return &values.Node{Type: t, Expr: x, Column: -1, Eval: func(e *values.Env) values.Vec {
		v, w := e.Fit(a, t), e.Fit(b, t)
		out := e.TakeInts(e.Values(t))
		for i, p := range v.Ints {
			r := float64(p) / w.Floats[i]
			if op == "*" {
				r = float64(p) * w.Floats[i]
			}
			switch {
			case isNaT(p) || !isFiniteFloat(r):
				out[i] = scalar.NaT
			case math.Abs(r) >= 0x1p63:
				e.Fail(i/max(t.Items(), 1), "the result of %s is out of the range of %s", op, t)
			default:
				out[i] = int64(r)
			}
		}
		e.Release(v)
		e.Release(w)
		return values.Vec{Ints: out, Owned: true}
	}}
}
