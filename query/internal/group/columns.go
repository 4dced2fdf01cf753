package group

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/compute"
	"github.com/npygo/npy/query/internal/expression"
	"github.com/npygo/npy/query/internal/sortkey"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// Keys and results are of fields, which are read where they are in the rows, or of expressions. The values of an expression are
// computed for a chunk of rows at a time, into a column beside the rows.

// A column is where the items of a key or a result are.
type column struct {
	fields.Place     // within a row of the source, or of the values
	input        int // 0 for the rows of the source, and 1 for the first expression
}

// columns finds the columns of a source.
type columns struct {
	src      npy.Source
	computed []*expression.Value
	texts    []string // of the expressions
	dtypes   []dtype.Type
}

// newColumns returns the columns of the fields and expressions of some texts. Expressions of several rows at once, such as cumsum(x),
// become fields of src.
func newColumns(ctx context.Context, src npy.Source, texts []string) (*columns, error) {
	set := sequencesOf(src, texts)
	if set == nil {
		return &columns{src: src}, nil
	}
	src, err := compute.Columns{Set: set}.Of(ctx, src)
	return &columns{src: src}, err
}

// sequencesOf returns the expressions of several rows at once among some texts.
func sequencesOf(src npy.Source, texts []string) []compute.Assignment {
	var set []compute.Assignment
	for _, text := range texts {
		if _, err := sortkey.PlaceOf(src.DType(), src.Shape(), text); err == nil {
			continue
		}
		if x, err := syntax.Parse(text); err == nil && ofSeveralRows(x) {
			set = append(set, compute.Assignment{Name: text, Expr: text})
		}
	}
	return set
}

// ofSeveralRows reports whether the values of an expression depend on the place of the row.
func ofSeveralRows(x *syntax.Expr) bool {
	if x.Kind == syntax.Call && expression.IsSequence(x.Text) || x.Kind == syntax.Name && x.Text == "row" {
		return true
	}
	for _, arg := range x.Args {
		if ofSeveralRows(arg) {
			return true
		}
	}
	return false
}

// find returns the column of a field, or of an expression.
func (c *columns) find(text string) (column, error) {
	t, shape := c.src.DType(), c.src.Shape()
	at, err := sortkey.PlaceOf(t, shape, text)
	if err == nil {
		return column{at, 0}, nil
	}
	for i, known := range c.texts {
		if known == text {
			return column{fields.Place{DType: c.dtypes[i]}, i + 1}, nil
		}
	}
	x, wrong := syntax.Parse(text)
	switch {
	case text == "" || wrong == nil && isName(x):
		return column{}, err
	case wrong != nil:
		return column{}, wrong
	}
	v, err := expression.CompileValue(text, x, t, shape[1:], nil)
	if err != nil {
		return column{}, err
	}
	item := v.Type.DType()
	if len(v.Type.Shape) > 0 {
		if item, err = dtype.Subarray(item, v.Type.Shape...); err != nil {
			return column{}, err
		}
	}
	c.computed, c.texts, c.dtypes = append(c.computed, v), append(c.texts, text), append(c.dtypes, item)
	return column{fields.Place{DType: item}, len(c.computed)}, nil
}

// isName reports whether an expression is a name or a number and nothing else, which is meant to be a field or a column.
func isName(x *syntax.Expr) bool {
	switch x.Kind {
	case syntax.Name, syntax.Number, syntax.String:
		return !x.Parens
	case syntax.Field, syntax.Unary:
		return isName(x.Args[0])
	}
	return false
}

// compute computes the columns of n rows, whose numbers begin with first.
func (s *chunkState) compute(ctx context.Context, computed []*expression.Value, data []byte, first, n int) error {
	if s.envs == nil {
		for _, v := range computed {
			s.envs = append(s.envs, v.NewEnv())
		}
		s.columns = make([][]byte, len(computed))
	}
	b := values.Batch{First: int64(first), N: n, Raw: data}
	for i, v := range computed {
		s.columns[i] = bulk.Reuse(s.columns[i], n*v.Type.DType().ItemSize()*v.Type.Items())
		if err := v.Store(ctx, s.envs[i], b, s.columns[i]); err != nil {
			return err
		}
	}
	return nil
}

// input returns the rows or the column of a number, and the bytes of each of n items.
func (s *chunkState) input(number int, rows []byte, size, n int) ([]byte, int) {
	if number == 0 {
		return rows, size
	}
	data := s.columns[number-1]
	return data, len(data) / n
}
