package expression

import (
	"maps"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// find returns the column that an expression names.
func (c *checker) find(x *syntax.Expr) (values.Column, bool) {
	switch x.Kind {
	case syntax.Name:
		if col, ok := c.result(x.Text); ok {
			return col, true
		}
		if col, ok := c.rows.Field(x.Text); ok {
			return col, true
		}
		return c.rows, x.Text == "x" && !x.Parens
	case syntax.Field:
		object, ok := c.find(x.Args[0])
		if !ok {
			return object, false
		}
		col, ok := object.Field(x.Text)
		if !ok && object.DType.IsStruct() {
			c.noField(x, x.Text, object.DType)
		}
		return col, ok
	case syntax.Index:
		object, ok := c.find(x.Args[0])
		if !ok {
			if x.Args[0].Kind == syntax.Name {
				c.unknown(x.Args[0])
			}
			return object, false
		}
		col, name, err := object.Slice(x.Text)
		if name != "" {
			c.noField(x, name, object.DType)
		}
		if err != nil {
			c.fail(x, "%v", err)
		}
		return col, true
	}
	return values.Column{}, false
}

// result returns the column of the last result of a name.
func (c *checker) result(name string) (values.Column, bool) {
	for i, g := range slices.Backward(c.given) {
		if g.Name == name {
			col := values.RowColumn(g.DType, g.Shape)
			col.Given = i + 1
			return col, true
		}
	}
	return values.Column{}, false
}

// column returns the node of a column.
func (c *checker) column(x *syntax.Expr, col values.Column) *values.Node {
	t := col.Type()
	if col.DType.IsStruct() {
		c.fail(x, "it is a record; name one of its fields: %s", fieldList(col.DType))
	}
	if t.Class == values.Other {
		if col.DType.HasObject() {
			c.fail(x, "it holds Python objects, which cannot be in an expression")
		}
		c.fail(x, "dtype %s cannot be in an expression", t)
	}
	id := slices.IndexFunc(c.columns, col.Equal)
	if id < 0 {
		id = len(c.columns)
		c.columns = append(c.columns, col)
	}
	return values.ColumnOf(x, col, id)
}

// namedConstant returns the constant that a name stands for: pi, np.pi.
func namedConstant(x *syntax.Expr) (value any, ok bool) {
	switch x.Kind {
	case syntax.Name:
		value, ok = names[x.Text]
		return value, ok && !x.Parens
	case syntax.Field:
		if object := x.Args[0]; object.Kind == syntax.Name && slices.Contains([]string{"np", "numpy", "math"}, object.Text) {
			value, ok = names[x.Text]
		}
	}
	return value, ok
}

// rowNumber returns the node of the number of the row. It fails for every other name.
func (c *checker) rowNumber(x *syntax.Expr) *values.Node {
	if x.Kind == syntax.Index {
		c.fail(x.Args[0], "an index applies to a field or to x, not to a result")
	}
	if x.Text == "row" && !x.Parens {
		return &values.Node{Type: values.Int64Type, Expr: x, Column: -1, Eval: func(e *values.Env) values.Vec {
			out := e.TakeInts(e.N)
			for i := range out {
				out[i] = e.First + int64(i)
			}
			return values.Vec{Ints: out, Owned: true}
		}}
	}
	if functions()[x.Text] != nil {
		c.fail(x, "%s is a function; write %s(…)", x.Text, x.Text)
	}
	c.unknown(x)
	return nil
}

// unknown fails for a name that is not known.
func (c *checker) unknown(x *syntax.Expr) {
	t := c.rows.DType
	if t.IsStruct() {
		c.noField(x, x.Text, t)
	}
	c.failUnknown(x, x.Text, append(slices.Sorted(maps.Keys(functions())), "row", "x"),
		"unknown name %q; x is the value of a row, and row its number; put text in quotes", x.Text)
}

// noField fails for a name that is not a field of t.
func (c *checker) noField(x *syntax.Expr, name string, t dtype.Type) {
	if !t.IsStruct() {
		c.fail(x, "dtype %s has no field %q", t, name)
	}
	var known []string
	for _, f := range t.Fields() {
		known = append(known, f.Name)
	}
	for _, g := range c.given {
		known = append(known, g.Name)
	}
	c.failUnknown(x, name, known, "no field %q; the fields are %s", name, fieldList(t))
}

func (c *checker) failUnknown(x *syntax.Expr, name string, known []string, format string, args ...any) {
	err := syntax.ErrorAt(c.text, x.Pos, x.End-x.Pos, format, args...)
	err.Name, err.Known = name, known
	syntax.Fail(err)
}

// fieldList lists the fields of a struct, at most the first few.
func fieldList(t dtype.Type) string {
	const most = 12
	var list []string
	for _, f := range t.Fields() {
		if len(list) == most {
			list = append(list, "…")
			break
		}
		list = append(list, f.Name)
	}
	return strings.Join(list, ", ")
}
