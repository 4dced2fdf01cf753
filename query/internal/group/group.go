package group

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A Group groups rows with equal keys. Bools are true or false as keys.
type Group struct {
	By       []sortkey.Key
	Aggs     []Agg // nil means the number of rows
	SkipNaN  bool  // leaves NaN and NaT out
	Memory   int64 // limits the groups, by the memory they take in bytes; 0 means the default
	Progress func(done, total int64)
}

// An Agg is a result for each group.
type Agg struct {
	Func  string // one of aggNames
	Field string // as in a key; for a plain array of one dimension "" is the elements
	Name  string // of the field of the result
}

// Of groups the rows of src. The result is an array of records with a field for each key, and a field for each result.
func (g Group) Of(ctx context.Context, src npy.Source) (*npy.Array, error) {
	n, size, err := rowsource.Shape(src)
	if err != nil {
		return nil, err
	}
	if len(g.By) == 0 {
		return nil, diag.New("query", "groups need at least one key")
	}
	t, shape := src.DType(), src.Shape()
	x := builder{by: g.By, rows: n, size: size, memory: g.Memory, progress: g.Progress}
	for _, k := range g.By {
		at, err := sortkey.PlaceOf(t, shape, k.Field)
		if err != nil {
			return nil, err
		}
		x.key(k.Field, at)
	}
	aggs := g.Aggs
	if len(aggs) == 0 {
		aggs = []Agg{{Func: "count", Name: "count"}}
	}
	for _, a := range aggs {
		if a.Func == "count" && a.Field == "" {
			x.result(a.Name, func() aggregate { return &counts{} })
			continue
		}
		at, err := sortkey.PlaceOf(t, shape, a.Field)
		if err != nil {
			return nil, err
		}
		if t.IsStruct() && a.Field == "" {
			return nil, diag.Errorf("query", "%s needs the name of a field: %s:FIELD", a.Func, a.Func)
		}
		one, err := newAggregate(a.Func, at, g.SkipNaN)
		if err != nil {
			return nil, err
		}
		x.result(a.Name, one)
	}
	return x.build(ctx, src)
}
