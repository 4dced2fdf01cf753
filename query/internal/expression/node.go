package expression

import (
	"slices"

	"github.com/npygo/npy/query/internal/syntax"
)

// A node is an expression that has been checked.
type node struct {
	typ
	x        *syntax.Expr
	constant any              // the value of a constant: bool, *big.Int, float64, complex128, string, []byte, or none
	isConst  bool             // it has no type until it meets one
	column   int              // the number of a column, or -1
	eval     func(e *Env) vec // the values of the rows of e
}

// each returns a node of type t that computes a value of every value of a.
func each(x *syntax.Expr, a *node, t typ, do func(v, out *vec)) *node {
	return &node{typ: t, x: x, column: -1, eval: func(e *Env) vec {
		v := a.eval(e)
		out := e.newVec(t)
		do(&v, &out)
		e.release(v)
		return out
	}}
}

// negate returns the opposite of a condition.
func negate(x *syntax.Expr, a *node) *node {
	return each(x, a, a.typ, func(v, out *vec) {
		for i, b := range v.mask {
			out.mask[i] = b ^ 1
		}
	})
}

// boolsOf returns the type of the results of a test of each value of a.
func boolsOf(a *node) typ {
	t := boolType
	t.shape = a.shape
	return t
}

// sameShape returns the shape of the values of a pair. A node with one value per row fits every other.
func sameShape(a, b *node) ([]int, bool) {
	switch {
	case len(a.shape) == 0:
		return b.shape, true
	case len(b.shape) == 0, slices.Equal(a.shape, b.shape):
		return a.shape, true
	}
	return nil, false
}

// as returns numbers as numbers of another class: int64, float64 or complex128. Times stay as they are.
func (a *node) as(to typ) *node {
	if a.class == to.class || a.isInteger() && to.isInteger() || a.isTime() {
		return a
	}
	to.shape = a.shape
	return &node{typ: to, x: a.x, column: -1, eval: func(e *Env) vec { return e.as(a.eval(e), a.typ, to) }}
}

// testPairs returns the evaluation of a condition on each pair of values of a and b. t is the type of the results.
func testPairs(a, b *node, t typ, do func(x, y *vec, out []uint8)) func(e *Env) vec {
	return func(e *Env) vec {
		x, y := e.fit(a, t), e.fit(b, t)
		out := e.takeMask(e.values(t))
		do(&x, &y, out)
		e.release(x)
		e.release(y)
		return vec{mask: out, owned: true}
	}
}

// fit evaluates a node, with as many values for each row as t has.
func (e *Env) fit(x *node, t typ) vec { return e.spread(x.eval(e), x.typ, t) }

// spread repeats each value of v if a row of from has one value, and a row of t several.
func (e *Env) spread(v vec, from, t typ) vec {
	k := t.items()
	if k == 1 || len(from.shape) > 0 {
		return v
	}
	defer e.release(v)
	switch {
	case v.mask != nil:
		return vec{mask: repeat(e.takeMask(len(v.mask)*k), v.mask, k), owned: true}
	case v.ints != nil:
		return vec{ints: repeat(e.takeInts(len(v.ints)*k), v.ints, k), owned: true}
	case v.floats != nil:
		return vec{floats: repeat(e.takeFloats(len(v.floats)*k), v.floats, k), owned: true}
	case v.complexes != nil:
		return vec{complexes: repeat(e.takeComplexes(len(v.complexes)*k), v.complexes, k), owned: true}
	}
	return vec{texts: repeat(e.takeTexts(len(v.texts)*k), v.texts, k), owned: true}
}

func repeat[T any](dst, src []T, k int) []T {
	for i, x := range src {
		for j := i * k; j < (i+1)*k; j++ {
			dst[j] = x
		}
	}
	return dst
}

// as converts numbers to another class.
func (e *Env) as(v vec, from, to typ) vec {
	if from.class == to.class || from.isInteger() && to.isInteger() || from.isTime() {
		return v
	}
	defer e.release(v)
	switch to.class {
	case intValue, uintValue:
		out := e.takeInts(len(v.mask))
		for i, x := range v.mask {
			out[i] = int64(x)
		}
		return vec{ints: out, owned: true}
	case floatValue:
		return vec{floats: e.floatsOf(v, from), owned: true}
	}
	if from.class != floatValue {
		v = vec{floats: e.floatsOf(v, from), owned: true}
		defer e.release(v)
	}
	out := e.takeComplexes(len(v.floats))
	for i, x := range v.floats {
		out[i] = complex(x, 0)
	}
	return vec{complexes: out, owned: true}
}

// floatsOf converts bools or integers to new floats.
func (e *Env) floatsOf(v vec, from typ) []float64 {
	if from.class == boolValue {
		out := e.takeFloats(len(v.mask))
		for i, x := range v.mask {
			out[i] = float64(x)
		}
		return out
	}
	out := e.takeFloats(len(v.ints))
	if from.wide() {
		for i, x := range v.ints {
			out[i] = float64(uint64(x))
		}
		return out
	}
	for i, x := range v.ints {
		out[i] = float64(x)
	}
	return out
}
