package group

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/order"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A Unique finds the distinct values of an array and how often each occurs.
type Unique struct {
	By       []sortkey.Key // whose combinations are counted; nil means the elements of a plain array, and whole records
	ByCount  bool          // the most frequent values first
	Max      int           // values; 0 means as many as fit in Memory
	Memory   int64         // limits the values, by the memory they take in bytes; 0 means the default
	Progress func(done, total int64)
}

// Of returns the distinct values of src as records: the fields of By, or the fields of src, or a field called value, and
// then a field called count.
func (u Unique) Of(ctx context.Context, src npy.Source) (*npy.Array, error) {
	x, err := u.builder(ctx, src)
	if err != nil {
		return nil, err
	}
	x.most, x.memory, x.progress = u.Max, u.Memory, u.Progress
	x.result(x.countName(), column{}, func() aggregate { return &counts{} })
	out, err := x.build(ctx, x.columns.src)
	if err != nil || !u.ByCount {
		return out, err
	}
	return order.Sort{By: []sortkey.Key{{Field: x.countName(), Descending: true}}}.Array(ctx, out)
}

// builder returns a builder with the keys.
func (u Unique) builder(ctx context.Context, src npy.Source) (*builder, error) {
	if u.By == nil {
		return ofElements(src)
	}
	x, err := newBuilder(ctx, src, Group{By: u.By}.texts())
	if err != nil {
		return nil, err
	}
	x.by = u.By
	for _, k := range u.By {
		if err := x.key(k); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// ofElements returns a builder whose keys are the fields of each element of an array of any dimensions, or the element.
func ofElements(src npy.Source) (*builder, error) {
	t, shape := src.DType(), src.Shape()
	if err := rowsource.CheckOrder(t); err != nil {
		return nil, err
	}
	n, ok := bounded.Count(shape, t.ItemSize())
	if !ok {
		return nil, diag.Errorf("query", "an array of shape %s is too large", format.ShapeString(shape))
	}
	x := &builder{columns: &columns{src: src}, rows: n, size: t.ItemSize()}
	if !t.IsStruct() {
		x.keyAt("value", column{Place: fields.Place{DType: t}})
	} else {
		for _, f := range t.Fields() {
			x.keyAt(f.Name, column{Place: fields.Place{DType: t}.In(f)})
		}
	}
	x.by = make([]sortkey.Key, len(x.keys))
	return x, nil
}

// countName returns a name for the counts that no key has.
func (x *builder) countName() string {
	name := "count"
	for taken := true; taken; {
		taken = false
		for _, f := range x.fields[:len(x.keys)] {
			if f.Name == name {
				name, taken = name+"_", true
			}
		}
	}
	return name
}
