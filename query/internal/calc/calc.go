package calc

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/expression"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// An Array is an array with the name that an expression has for it.
type Array struct {
	Name string
	npy.Source
}

// A calculator gives an expression its value. It ends by a panic with an error.
type calculator struct {
	ctx    context.Context
	text   string
	arrays []Array // those of the caller, and the results of parts of the expression
	known  int     // of the caller
}

// Of returns the value of an expression. A wrong expression is a [*syntax.Error].
func Of(ctx context.Context, text string, arrays []Array) (src npy.Source, err error) {
	x, err := syntax.Parse(text)
	if err != nil {
		return nil, err
	}
	c := &calculator{ctx: ctx, text: text, known: len(arrays)}
	for _, a := range arrays {
		t := a.DType()
		if t.HasObject() {
			return nil, diag.Errorf("query", "%s: dtype %s: %w: nothing is computed from Python objects", a.Name, t, npy.ErrObjects)
		}
		if a.Source, err = npy.Rereadable(ctx, a.Source); err != nil {
			return nil, err
		}
		c.arrays = append(c.arrays, a)
	}
	defer syntax.Recover(&err)
	return c.elementwise(c.rewrite(x)), nil
}

func (c *calculator) fail(x *syntax.Expr, format string, args ...any) {
	syntax.Fail(syntax.ErrorAt(c.text, x.Pos, x.End-x.Pos, format, args...))
}

// must returns a source, or fails at a part of the expression.
func (c *calculator) must(x *syntax.Expr, src npy.Source, err error) npy.Source {
	var located *syntax.Error
	switch {
	case err == nil:
	case errors.As(err, &located), errors.Is(err, npy.ErrLimit), c.ctx.Err() != nil:
		syntax.Fail(err)
	default:
		c.fail(x, "%s", diag.Fault(err, ""))
	}
	return src
}

// rewrite returns x with a name for each part that is not computed element by element.
func (c *calculator) rewrite(x *syntax.Expr) *syntax.Expr {
	switch x.Kind {
	case syntax.Name:
		c.checkName(x)
		return x
	case syntax.Field:
		return c.attribute(x)
	case syntax.Index:
		return c.part(x)
	}
	out := *x
	out.Args = make([]*syntax.Expr, len(x.Args))
	for i, arg := range x.Args {
		if out.Args[i] = arg; !isKeyword(x, i) {
			out.Args[i] = c.rewrite(arg)
		}
	}
	switch {
	case x.Kind == syntax.Binary && x.Text == "@":
		a, b := c.elementwise(out.Args[0]), c.elementwise(out.Args[1])
		src, err := product(c.ctx, a, b)
		return c.named(x, c.must(x, src, err))
	case x.Kind == syntax.Call && reductions[reductionName(x.Text)] != nil && c.reduces(&out):
		return c.reduce(&out)
	}
	return &out
}

// isKeyword reports whether argument i of a call has a name.
func isKeyword(x *syntax.Expr, i int) bool { return i < len(x.Keys) && x.Keys[i] != "" }

// checkName fails for a name that is neither an array nor a constant.
func (c *calculator) checkName(x *syntax.Expr) {
	if slices.ContainsFunc(c.arrays, func(a Array) bool { return a.Name == x.Text }) || expression.IsConstant(x.Text) {
		return
	}
	var known []string
	for _, a := range c.arrays[:c.known] {
		known = append(known, a.Name)
	}
	err := syntax.ErrorAt(c.text, x.Pos, x.End-x.Pos, "no array %q; the arrays are %s", x.Text, strings.Join(known, ", "))
	err.Name, err.Known = x.Text, known
	syntax.Fail(err)
}

// attribute returns x.T, a field of an array, or a function in the form of an attribute, such as z.real.
func (c *calculator) attribute(x *syntax.Expr) *syntax.Expr {
	object := x.Args[0]
	if object.Kind == syntax.Name && isModule(object.Text) {
		return x
	}
	out := *x
	out.Args = []*syntax.Expr{c.rewrite(object)}
	if a := c.arrayOf(out.Args[0]); a != nil && a.DType().IsStruct() && x.Text != "T" {
		src, err := a.Select(npy.Named(x.Text))
		return c.named(x, c.must(x, src, err))
	}
	if x.Text == "T" {
		return c.named(x, npy.Transposed(c.elementwise(out.Args[0])))
	}
	return &out
}

// part returns part of an array.
func (c *calculator) part(x *syntax.Expr) *syntax.Expr {
	index, err := npy.ParseIndex(x.Text)
	if err != nil {
		c.must(x, nil, err)
	}
	src, err := c.elementwise(c.rewrite(x.Args[0])).Select(index...)
	return c.named(x, c.must(x, src, err))
}

// named returns the name of a new array in the place of x.
func (c *calculator) named(x *syntax.Expr, src npy.Source) *syntax.Expr {
	name := fmt.Sprintf("\x00%d", len(c.arrays))
	c.arrays = append(c.arrays, Array{name, src})
	return &syntax.Expr{Kind: syntax.Name, Text: name, Parens: true, Pos: x.Pos, End: x.End}
}

// arrayOf returns the array that an expression names, or nil.
func (c *calculator) arrayOf(x *syntax.Expr) npy.Source {
	if x.Kind != syntax.Name {
		return nil
	}
	for _, a := range c.arrays {
		if a.Name == x.Text {
			return a.Source
		}
	}
	return nil
}

// elementwise returns the value of an expression of arrays without reductions.
func (c *calculator) elementwise(x *syntax.Expr) npy.Source {
	if a := c.arrayOf(x); a != nil {
		return a
	}
	given := make([]expression.Given, len(c.arrays))
	for i, a := range c.arrays {
		given[i] = expression.Given{Name: a.Name, DType: a.DType()}
	}
	v, err := expression.CompileValue(c.text, x, emptyRow, nil, given)
	if err != nil {
		syntax.Fail(err)
	}
	e := &elements{value: v, given: make([]int, len(c.arrays)), n: len(c.arrays)}
	var sources []npy.Source
	var shapes [][]int
	for i, a := range c.arrays {
		if e.given[i] = -1; v.IsGiven(i) {
			e.given[i] = len(sources)
			sources = append(sources, a.Source)
			shapes = append(shapes, a.Shape())
		}
	}
	if len(sources) == 0 { // a constant
		one, err := npy.New(dtype.Bool)
		if err != nil {
			syntax.Fail(err)
		}
		sources = []npy.Source{one}
		e.given = make([]int, len(c.arrays))
	}
	shape, ok := commonShape(shapes)
	if !ok {
		c.shapesDiffer(x, sources)
	}
	if err := checkSize(shape, shapes); err != nil {
		syntax.Fail(err)
	}
	for i := range sources {
		src, err := broadcast(c.ctx, sources[i], shape)
		sources[i] = c.must(x, src, err)
	}
	out, err := npy.Computed(v.Type.DType(), e.compute, sources...)
	return c.must(x, out, err)
}

// shapesDiffer fails for arrays that cannot be broadcast together: at the smallest part of the expression that has two of them.
func (c *calculator) shapesDiffer(x *syntax.Expr, _ []npy.Source) {
	for _, arg := range x.Args {
		if _, ok := commonShape(c.shapesIn(arg)); !ok {
			c.shapesDiffer(arg, nil)
		}
	}
	var texts []string
	for _, shape := range c.shapesIn(x) {
		if text := format.ShapeString(shape); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	c.fail(x, "shapes %s cannot be broadcast together; axes are compared from the last, and must be equal or 1", strings.Join(texts, " and "))
}

// shapesIn returns the shapes of the arrays that an expression names.
func (c *calculator) shapesIn(x *syntax.Expr) [][]int {
	if a := c.arrayOf(x); a != nil {
		return [][]int{a.Shape()}
	}
	var shapes [][]int
	for _, arg := range x.Args {
		shapes = append(shapes, c.shapesIn(arg)...)
	}
	return shapes
}

// emptyRow is the dtype of rows without fields. The names in an expression are arrays.
var emptyRow = func() dtype.Type {
	t, err := dtype.Struct(0)
	if err != nil {
		panic(err)
	}
	return t
}()

// elements compute an expression element by element.
type elements struct {
	value *expression.Value
	given []int // of each array: its place among the sources, or -1
	n     int
	free  sync.Pool
}

// compute is the [npy.ComputeFunc].
func (e *elements) compute(ctx context.Context, dst []byte, src [][]byte, n int) error {
	if n == 0 {
		return nil
	}
	env, _ := e.free.Get().(*values.Env)
	if env == nil {
		env = e.value.NewEnv()
	}
	defer e.free.Put(env)
	b := values.Batch{N: n, Given: make([][]byte, e.n)}
	for i, at := range e.given {
		if at >= 0 {
			b.Given[i] = src[at]
		}
	}
	err := e.value.Store(ctx, env, b, dst)
	var row *values.RowError
	if errors.As(err, &row) {
		return &codec.ElementError{Index: int(row.Row), Err: errors.New(row.Msg)}
	}
	return err
}

// integer returns the integer of a constant argument.
func (c *calculator) integer(x *syntax.Expr) int {
	n, sign := x, 1
	if x.Kind == syntax.Unary && x.Text == "-" {
		n, sign = x.Args[0], -1
	}
	i, ok := n.Value.(*big.Int)
	if n.Kind != syntax.Number || !ok || i.BitLen() > 30 {
		c.fail(x, "want an integer here")
	}
	return sign * int(i.Int64())
}

// Names returns the names of arrays in an expression, in their order.
func Names(text string) ([]string, error) {
	x, err := syntax.Parse(text)
	if err != nil {
		return nil, err
	}
	var names []string
	var walk func(x *syntax.Expr)
	walk = func(x *syntax.Expr) {
		switch {
		case x.Kind == syntax.Field && x.Args[0].Kind == syntax.Name && isModule(x.Args[0].Text):
			return
		case x.Kind == syntax.Name && !slices.Contains(names, x.Text) && (x.Parens || !expression.IsConstant(x.Text)):
			names = append(names, x.Text)
		}
		for _, arg := range x.Args {
			walk(arg)
		}
	}
	walk(x)
	return names, nil
}

// isModule reports whether a name is a module of functions and constants: np.pi.
func isModule(name string) bool { return name == "np" || name == "numpy" || name == "math" }
