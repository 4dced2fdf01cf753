package group

import (
	"context"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/order"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A builder makes records of groups.
type builder struct {
	by       []sortkey.Key // the order of the records
	columns  *columns
	keys     []column
	fields   []dtype.Field // of the records: the keys, then the results
	results  []result
	rows     int // of the source
	size     int // bytes of a row
	most     int // groups; 0 for as many as fit in memory
	memory   int64
	progress func(done, total int64)
}

// A result is a field of the records that has an aggregate.
type result struct {
	input int // of its values
	make  func() aggregate
}

// keyAt adds a field that has a key.
func (x *builder) keyAt(name string, at column) {
	x.keys = append(x.keys, at)
	x.fields = append(x.fields, dtype.Field{Name: name, DType: at.DType})
}

// result adds a field that has a result.
func (x *builder) result(name string, at column, make func() aggregate) {
	x.results = append(x.results, result{at.input, make})
	x.fields = append(x.fields, dtype.Field{Name: name, DType: make().dtype()})
}

// build groups the rows of src and sorts the groups.
func (x *builder) build(ctx context.Context, src npy.Source) (*npy.Array, error) {
	g, err := x.grouping()
	if err != nil {
		return nil, err
	}
	t, err := g.run(ctx, src)
	if err != nil {
		return nil, err
	}
	return x.records(ctx, t)
}

// grouping returns the grouping by the keys.
func (x *builder) grouping() (*grouping, error) {
	g := &grouping{keys: x.keys, row: x.size, rows: x.rows, computed: x.columns.computed, makeAggs: x.aggregates, memory: x.memory, progress: x.progress}
	for _, r := range x.results {
		g.inputs = append(g.inputs, r.input)
	}
	for _, k := range x.keys {
		if err := g.addKey(k); err != nil {
			return nil, err
		}
	}
	return g, x.limit(g)
}

// aggregates returns new results, without groups.
func (x *builder) aggregates() []aggregate {
	all := make([]aggregate, len(x.results))
	for i, r := range x.results {
		all[i] = r.make()
	}
	return all
}

// limit sets the limit of the number of groups: Max, or as many as fit in memory beside the values held for medians.
func (x *builder) limit(g *grouping) error {
	g.keyBytes = 8 + 8*g.words + g.size
	if x.most != 0 {
		g.most, g.limit = x.most, "Max"
		return nil
	}
	ofRows, aggs := int64(0), x.aggregates()
	for _, a := range aggs {
		if a, ok := a.(interface{ bytesOfRow() int }); ok {
			ofRows += int64(x.rows) * int64(a.bytesOfRow())
		}
	}
	memory := order.Available(x.memory)
	if ofRows > memory {
		return diag.Wrap("query", bounded.Over("Memory", memory, ofRows, "a median or quantile holds the values of all rows, which take %d bytes of memory", ofRows))
	}
	g.room, g.limit = memory-ofRows, "Memory"
	g.limitTo(aggs)
	return nil
}

// records makes the records of groups, in the order of their keys.
func (x *builder) records(ctx context.Context, t *table) (*npy.Array, error) {
	end := 0
	for i := range x.fields {
		x.fields[i].Offset = end
		end += x.fields[i].DType.ItemSize()
	}
	record, err := dtype.Struct(-1, x.fields...)
	if err != nil {
		return nil, diag.Wrap("query", err)
	}
	keys := len(x.keys)
	data := bulk.Make(t.n * end)
	for i := range t.n {
		row := data[i*end : (i+1)*end]
		copy(row, t.items[i*t.size:(i+1)*t.size])
		for j, a := range t.aggs {
			f := x.fields[keys+j]
			if err := a.put(row[f.Offset:f.Offset+f.DType.ItemSize()], i); err != nil {
				return nil, fmt.Errorf("%w (%s)", err, f.Name)
			}
		}
	}
	out, err := npy.FromBytes(record, data, t.n)
	if err != nil || t.n == 0 || len(x.by) == 0 {
		return out, err
	}
	plan := sortkey.New(end)
	for i, k := range x.by {
		if err := plan.Add(fields.Place{DType: x.fields[i].DType, Offset: x.fields[i].Offset}, k.Descending); err != nil {
			return nil, err
		}
	}
	sorted := bulk.Make(len(data))
	if err := order.Rows(ctx, plan, sorted, data, t.n); err != nil {
		return nil, err
	}
	return npy.FromBytes(record, sorted, t.n)
}
