package compute

import (
	"context"
	"fmt"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/expression"
	"github.com/npygo/npy/query/internal/syntax"
)

// maxDepth is the most sequences that are computed from each other. Each of them may read the one before it twice.
const maxDepth = 6

// A plan is an array and the columns that are computed of it.
type plan struct {
	ctx      context.Context
	src      npy.Source
	fields   []dtype.Field // of the array, as parts of an element
	elements bool          // the array has no fields, and neither has the result
	columns  []*column
}

// A column is computed for each row: by an expression, or as the source of a sequence.
type column struct {
	name   string // "" for a part of another column
	item   dtype.Type
	shape  []int // of the values of a row
	value  *expression.Value
	source npy.Source
	number int // in the plan
	depth  int // of sequences that are computed from each other
}

// size returns the bytes of a row.
func (c *column) size() int {
	n := c.item.ItemSize()
	for _, m := range c.shape {
		n *= m
	}
	return n
}

// dtype returns the dtype of a field with the values.
func (c *column) dtype() (dtype.Type, error) {
	if len(c.shape) == 0 {
		return c.item, nil
	}
	return dtype.Subarray(c.item, c.shape...)
}

func newPlan(ctx context.Context, src npy.Source, fields []dtype.Field) *plan {
	return &plan{ctx: ctx, src: src, fields: fields}
}

// assign adds the column of an assignment.
func (p *plan) assign(ctx context.Context, a Assignment, x *syntax.Expr) (err error) {
	defer syntax.Recover(&err)
	s := &sequencer{plan: p, text: a.Expr}
	_, err = p.compile(a.Name, a.Expr, s.rewrite(x))
	return err
}

// compile adds the column of an expression without sequences.
func (p *plan) compile(name, text string, x *syntax.Expr) (*column, error) {
	given := make([]expression.Given, len(p.columns))
	for i, c := range p.columns {
		given[i] = expression.Given{Name: c.name, DType: c.item, Shape: c.shape}
		if c.name == "" {
			given[i].Name = c.hidden()
		}
	}
	v, err := expression.CompileValue(text, x, p.src.DType(), nil, given)
	if err != nil {
		return nil, err
	}
	out := &column{name: name, value: v, item: v.Type.DType(), shape: v.Type.Shape}
	for i, c := range p.columns {
		if v.IsGiven(i) {
			out.depth = max(out.depth, c.depth)
		}
	}
	if p.elements && len(out.shape) > 0 {
		return nil, syntax.ErrorAt(text, x.Pos, x.End-x.Pos, "each element has %d values; give the result another name than x", v.Type.Items())
	}
	return p.add(out), nil
}

// add gives a column its number.
func (p *plan) add(c *column) *column {
	c.number = len(p.columns)
	p.columns = append(p.columns, c)
	return c
}

// hidden returns the name of a column that no expression can contain.
func (c *column) hidden() string { return fmt.Sprintf("\x00%d", c.number) }

// sequence adds the column of a source.
func (p *plan) sequence(src npy.Source, from *column) *column {
	c := &column{item: src.DType(), source: src}
	if from != nil {
		c.depth = from.depth + 1
	}
	if c.depth > maxDepth {
		syntax.Fail(diag.Wrap("query", bounded.Over("", maxDepth, c.depth, "more than %d of cumsum, diff, shift and rank of each other", maxDepth)))
	}
	return p.add(c)
}

// A result is a field of the result: of the array, or a column.
type result struct {
	name   string
	field  dtype.Field // of the array
	column *column     // nil for a field of the array
}

// results returns all fields of the result: those of the array in their order, each replaced by the last column of its name, and
// then the other columns.
func (p *plan) results() []result {
	var all []result
	for _, f := range p.fields {
		all = append(all, result{name: f.Name, field: f})
	}
	for _, c := range p.columns {
		if c.name == "" {
			continue
		}
		if i := slices.IndexFunc(all, func(r result) bool { return r.name == c.name }); i >= 0 {
			all[i] = result{name: c.name, column: c}
		} else {
			all = append(all, result{name: c.name, column: c})
		}
	}
	return all
}
