package group

import (
	"cmp"
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A Group groups rows with equal keys. Bools are true or false as keys.
type Group struct {
	By       []sortkey.Key // nil means one group of all rows
	Pivot    *sortkey.Key  // whose values become columns; nil for none
	Aggs     []Agg         // nil means the number of rows
	SkipNaN  bool          // leaves NaN and NaT out
	Memory   int64         // limits the groups, by the memory they take in bytes; 0 means the default
	Progress func(done, total int64)
}

// An Agg is a result for each group.
type Agg struct {
	Func  string // one of functionNames
	Field string // a field as in a key, or an expression; for a plain array of one dimension "" is the elements
	Name  string // of the field of the result
}

// countOfRows is the result if none is wanted.
var countOfRows = Agg{Func: "count", Name: "count"}

// Of groups the rows of src. The result is an array of records with a field for each key, and a field for each result.
func (g Group) Of(ctx context.Context, src npy.Source) (*npy.Array, error) {
	if g.Pivot != nil {
		return g.pivoted(ctx, src)
	}
	x, src, err := g.builder(ctx, src)
	if err != nil {
		return nil, err
	}
	return x.build(ctx, src)
}

// builder returns the builder of the records, and the source with the columns that it needs.
func (g Group) builder(ctx context.Context, src npy.Source) (*builder, npy.Source, error) {
	x, err := newBuilder(ctx, src, g.texts())
	if err != nil {
		return nil, nil, err
	}
	x.by, x.memory, x.progress = g.By, g.Memory, g.Progress
	for _, k := range g.By {
		if err := x.key(k); err != nil {
			return nil, nil, err
		}
	}
	aggs := g.Aggs
	if len(aggs) == 0 {
		aggs = []Agg{countOfRows}
	}
	for _, a := range aggs {
		if err := x.agg(a, g.SkipNaN); err != nil {
			return nil, nil, err
		}
	}
	return x, x.columns.src, nil
}

// texts returns the fields and expressions of all keys and results.
func (g Group) texts() []string {
	var texts []string
	for _, k := range g.By {
		texts = append(texts, k.Field)
	}
	for _, a := range g.Aggs {
		texts = append(texts, a.Field)
	}
	return texts
}

// newBuilder returns a builder without keys and results.
func newBuilder(ctx context.Context, src npy.Source, texts []string) (*builder, error) {
	if _, _, err := rowsource.Shape(src); err != nil {
		return nil, err
	}
	c, err := newColumns(ctx, src, texts)
	if err != nil {
		return nil, err
	}
	x := &builder{columns: c}
	x.rows, x.size, err = rowsource.Shape(c.src)
	return x, err
}

// key adds a field that has a key.
func (x *builder) key(k sortkey.Key) error {
	at, err := x.columns.find(k.Field)
	if err != nil {
		return err
	}
	x.keyAt(cmp.Or(k.As, k.Field, "x"), at)
	return nil
}

// agg adds a field that has a result.
func (x *builder) agg(a Agg, skip bool) error {
	if a.Func == "count" && a.Field == "" {
		x.result(a.Name, column{}, func() aggregate { return &counts{} })
		return nil
	}
	if x.columns.src.DType().IsStruct() && a.Field == "" {
		return diag.Errorf("query", "%s needs the name of a field: %s:FIELD", a.Func, a.Func)
	}
	at, err := x.columns.find(a.Field)
	if err != nil {
		return err
	}
	one, err := newAggregate(a.Func, at.Place, skip)
	if err != nil {
		return err
	}
	x.result(a.Name, at, one)
	return nil
}
