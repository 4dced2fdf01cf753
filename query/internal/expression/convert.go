package expression

import (
	"fmt"
	"math"

	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// dtypes are the functions that convert numbers, by the name of the dtype.
var dtypes = map[string]values.Type{
	"bool": values.BoolType, "int": values.Int64Type, "float": values.Float64Type, "complex": values.Complex128Type,
	"int8": {Class: values.Int, Size: 1}, "int16": {Class: values.Int, Size: 2}, "int32": {Class: values.Int, Size: 4}, "int64": values.Int64Type,
	"uint8": {Class: values.Uint, Size: 1}, "uint16": {Class: values.Uint, Size: 2}, "uint32": {Class: values.Uint, Size: 4}, "uint64": {Class: values.Uint, Size: 8},
	"float16": {Class: values.Float, Size: 2}, "float32": {Class: values.Float, Size: 4}, "float64": values.Float64Type,
	"complex64": {Class: values.Complex, Size: 8}, "complex128": values.Complex128Type,
}

// convertTo returns the function that converts to a dtype of numbers, as numpy.ndarray.astype. A float that no integer of the
// dtype equals but for its fraction is an error of the row, where NumPy's result depends on the machine.
func convertTo(t values.Type) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		a := c.variable(x, args[0])
		t := t
		t.Shape = a.Shape
		switch {
		case a.IsTime() && t.Class == values.Int && t.Size == 8:
			return values.Each(x, a, t, func(v, out *values.Vec) { copy(out.Ints, v.Ints) })
		case !a.IsNumber():
			c.fail(a.Expr, "%s is for numbers, not %s", x.Text, a.Type)
		case a.Class == values.Complex && t.Class < values.Complex && t.Class != values.Bool:
			c.fail(a.Expr, "%s would drop the imaginary part; write real(…) or abs(…)", x.Text)
		case t.Class == values.Bool:
			return truth(a)
		case t.IsInteger() && a.Class == values.Float:
			return floatsToInts(x, a, t)
		case t.IsInteger():
			whole := a.As(t)
			return values.Each(x, whole, t, func(v, out *values.Vec) {
				for i, n := range v.Ints {
					out.Ints[i] = wrap(t, n)
				}
			})
		case t.Class == values.Complex:
			all := a.As(t)
			return values.Each(x, all, t, func(v, out *values.Vec) {
				for i, z := range v.Complexes {
					if out.Complexes[i] = z; t.Size == 8 {
						out.Complexes[i] = complex128(complex64(z))
					}
				}
			})
		}
		return c.numberOf(a, t)
	}
}

// floatText returns a float as NumPy writes it.
func floatText(f float64) string {
	switch {
	case f != f:
		return "nan"
	case math.IsInf(f, 0):
		return map[bool]string{true: "inf", false: "-inf"}[f > 0]
	}
	return fmt.Sprint(f)
}

// floatsToInts returns floats as integers, rounded towards zero.
func floatsToInts(x *syntax.Expr, a *values.Node, t values.Type) *values.Node {
	low, high := -math.Ldexp(1, 8*t.Size-1), math.Ldexp(1, 8*t.Size-1)
	if t.Class == values.Uint {
		low, high = 0, 2*high
	}
	return &values.Node{Type: t, Expr: x, Column: -1, Eval: func(e *values.Env) values.Vec {
		v := a.Eval(e)
		out := e.TakeInts(len(v.Floats))
		for i, f := range v.Floats {
			if f = math.Trunc(f); !(f >= low && f < high) {
				e.Fail(i/max(t.Items(), 1), "%s is not a number of %s; where(condition, value, …) gives it another value first", floatText(f), t)
				f = 0
			}
			if f >= 1<<63 {
				out[i] = int64(uint64(f))
			} else {
				out[i] = int64(f)
			}
		}
		e.Release(v)
		return values.Vec{Ints: out, Owned: true}
	}}
}
