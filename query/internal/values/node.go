package values

import (
	"slices"

	"github.com/npygo/npy/query/internal/syntax"
)

// A Node is an expression that has been checked.
type Node struct {
	Type
	Expr     *syntax.Expr
	Constant any              // the value of a constant: bool, *big.Int, float64, complex128, string, []byte, or none
	IsConst  bool             // it has no type until it meets one
	Column   int              // the number of a column, or -1
	Eval     func(e *Env) Vec // the values of the rows of e
}

// ColumnOf returns the node of the column col, which has number id.
func ColumnOf(x *syntax.Expr, col Column, id int) *Node {
	t, load := col.Type(), loader(col.DType)
	return &Node{Type: t, Expr: x, Column: id, Eval: func(e *Env) Vec { return e.columnValues(id, t, load) }}
}

// Each returns a node of type t that computes a value of every value of a.
func Each(x *syntax.Expr, a *Node, t Type, do func(v, out *Vec)) *Node {
	return &Node{Type: t, Expr: x, Column: -1, Eval: func(e *Env) Vec {
		v := a.Eval(e)
		out := e.NewVec(t)
		do(&v, &out)
		e.Release(v)
		return out
	}}
}

// Negate returns the opposite of a condition.
func Negate(x *syntax.Expr, a *Node) *Node {
	return Each(x, a, a.Type, func(v, out *Vec) {
		for i, b := range v.Mask {
			out.Mask[i] = b ^ 1
		}
	})
}

// BoolsOf returns the type of the results of a test of each value of a.
func BoolsOf(a *Node) Type {
	t := BoolType
	t.Shape = a.Shape
	return t
}

// SameShape returns the shape of the values of a pair. A node with one value per row fits every other.
func SameShape(a, b *Node) ([]int, bool) {
	switch {
	case len(a.Shape) == 0:
		return b.Shape, true
	case len(b.Shape) == 0, slices.Equal(a.Shape, b.Shape):
		return a.Shape, true
	}
	return nil, false
}

// As returns numbers as numbers of another class: int64, float64 or complex128. Times stay as they are.
func (a *Node) As(to Type) *Node {
	if a.Class == to.Class || a.IsInteger() && to.IsInteger() || a.IsTime() {
		return a
	}
	to.Shape = a.Shape
	return &Node{Type: to, Expr: a.Expr, Column: -1, Eval: func(e *Env) Vec { return e.As(a.Eval(e), a.Type, to) }}
}

// TestPairs returns the evaluation of a condition on each pair of values of a and b. t is the type of the results.
func TestPairs(a, b *Node, t Type, do func(x, y *Vec, out []uint8)) func(e *Env) Vec {
	return func(e *Env) Vec {
		x, y := e.Fit(a, t), e.Fit(b, t)
		out := e.TakeMask(e.Values(t))
		do(&x, &y, out)
		e.Release(x)
		e.Release(y)
		return Vec{Mask: out, Owned: true}
	}
}

// Fit evaluates a node, with as many values for each row as t has.
func (e *Env) Fit(x *Node, t Type) Vec { return e.spread(x.Eval(e), x.Type, t) }

// spread repeats each value of v if a row of from has one value, and a row of t several.
func (e *Env) spread(v Vec, from, t Type) Vec {
	k := t.Items()
	if k == 1 || len(from.Shape) > 0 {
		return v
	}
	defer e.Release(v)
	switch {
	case v.Mask != nil:
		return Vec{Mask: repeat(e.TakeMask(len(v.Mask)*k), v.Mask, k), Owned: true}
	case v.Ints != nil:
		return Vec{Ints: repeat(e.TakeInts(len(v.Ints)*k), v.Ints, k), Owned: true}
	case v.Floats != nil:
		return Vec{Floats: repeat(e.TakeFloats(len(v.Floats)*k), v.Floats, k), Owned: true}
	case v.Complexes != nil:
		return Vec{Complexes: repeat(e.TakeComplexes(len(v.Complexes)*k), v.Complexes, k), Owned: true}
	}
	return Vec{Texts: repeat(e.TakeTexts(len(v.Texts)*k), v.Texts, k), Owned: true}
}

func repeat[T any](dst, src []T, k int) []T {
	for i, x := range src {
		for j := i * k; j < (i+1)*k; j++ {
			dst[j] = x
		}
	}
	return dst
}

// As converts numbers to another class.
func (e *Env) As(v Vec, from, to Type) Vec {
	if from.Class == to.Class || from.IsInteger() && to.IsInteger() || from.IsTime() {
		return v
	}
	defer e.Release(v)
	switch to.Class {
	case Int, Uint:
		out := e.TakeInts(len(v.Mask))
		for i, x := range v.Mask {
			out[i] = int64(x)
		}
		return Vec{Ints: out, Owned: true}
	case Float:
		return Vec{Floats: e.floatsOf(v, from), Owned: true}
	}
	if from.Class != Float {
		v = Vec{Floats: e.floatsOf(v, from), Owned: true}
		defer e.Release(v)
	}
	out := e.TakeComplexes(len(v.Floats))
	for i, x := range v.Floats {
		out[i] = complex(x, 0)
	}
	return Vec{Complexes: out, Owned: true}
}

// floatsOf converts bools or integers to new floats.
func (e *Env) floatsOf(v Vec, from Type) []float64 {
	if from.Class == Bool {
		out := e.TakeFloats(len(v.Mask))
		for i, x := range v.Mask {
			out[i] = float64(x)
		}
		return out
	}
	out := e.TakeFloats(len(v.Ints))
	if from.Wide() {
		for i, x := range v.Ints {
			out[i] = float64(uint64(x))
		}
		return out
	}
	for i, x := range v.Ints {
		out[i] = float64(x)
	}
	return out
}
