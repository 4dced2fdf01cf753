package compute

import (
	"context"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/syntax"
)

// maxAssignments is the most assignments of a computation.
const maxAssignments = 1000

// An Assignment computes a column from an expression.
type Assignment struct{ Name, Expr string }

// Columns says which columns the result has.
type Columns struct {
	Set        []Assignment // in their order; an expression may name the columns before it
	Keep, Drop []string     // names of columns of the result; Keep is nil for all
}

// Of returns the array with computed columns. A wrong expression is a [*syntax.Error].
func (c Columns) Of(ctx context.Context, src npy.Source) (npy.Source, error) {
	if len(c.Set) > maxAssignments {
		return nil, diag.Wrap("query", bounded.Over("", maxAssignments, len(c.Set), "more than %d computed columns", maxAssignments))
	}
	if t := src.DType(); t.HasObject() {
		return nil, diag.Errorf("query", "dtype %s: %w: nothing is computed from Python objects", t, npy.ErrObjects)
	}
	p, err := c.start(ctx, src)
	if err != nil {
		return nil, err
	}
	for _, a := range c.Set {
		if a.Name == "" {
			return nil, diag.New("query", "a computed column needs a name")
		}
		x, err := syntax.Parse(a.Expr)
		if err != nil {
			return nil, err
		}
		if err := p.assign(ctx, a, x); err != nil {
			return nil, err
		}
	}
	if p.elements {
		last := p.columns[len(p.columns)-1]
		return p.readColumn(last)
	}
	return c.table(p)
}

// start returns the plan of an array without computed columns.
func (c Columns) start(ctx context.Context, src npy.Source) (*plan, error) {
	t, shape := src.DType(), src.Shape()
	switch {
	case t.IsStruct():
		return newPlan(ctx, src, t.Fields()), nil
	case c.onlyElements():
		p := newPlan(ctx, src, nil)
		p.elements = true
		return p, nil
	case len(shape) == 0:
		return nil, diag.New("query", "an array without dimensions has no columns; x = … computes its element")
	case len(shape) == 1 && !t.IsSubarray():
		return newPlan(ctx, src, []dtype.Field{{Name: "x", DType: t}}), nil
	}
	rows, err := rowsource.Records(ctx, src)
	if err != nil {
		return nil, err
	}
	return newPlan(ctx, rows, rows.DType().Fields()), nil
}

// onlyElements reports whether the elements of an array without fields are replaced, and the result has no fields.
func (c Columns) onlyElements() bool {
	return len(c.Set) > 0 && c.Keep == nil && c.Drop == nil && !slices.ContainsFunc(c.Set, func(a Assignment) bool { return a.Name != "x" })
}

// table returns the chosen columns of a plan as records.
func (c Columns) table(p *plan) (npy.Source, error) {
	all := p.results()
	known := make([]string, len(all))
	for i, f := range all {
		known[i] = f.name
	}
	find := func(name string) (int, error) {
		i := slices.Index(known, name)
		if i < 0 {
			return i, diag.Errorf("query", "no field %q; the fields are %s", name, strings.Join(known[:min(len(known), 20)], ", "))
		}
		return i, nil
	}
	dropped := make([]bool, len(all))
	for _, name := range c.Drop {
		i, err := find(name)
		if err != nil {
			return nil, err
		}
		dropped[i] = true
	}
	names := c.Keep
	if names == nil {
		names = known
	}
	var chosen []result
	for _, name := range names {
		i, err := find(name)
		if err != nil {
			return nil, err
		}
		if !dropped[i] {
			chosen = append(chosen, all[i])
		}
	}
	if len(chosen) == 0 {
		return nil, diag.New("query", "no field is left")
	}
	return p.table(chosen)
}
