package query

import (
	"slices"

	"github.com/npygo/npy/scalar"
)

// extreme returns the function min or max: of its arguments, or of the values of each row.
func extreme(op string) func(c *checker, x *expr, args []*node) *node {
	return func(c *checker, x *expr, args []*node) *node {
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
