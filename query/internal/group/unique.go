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
	t, shape := src.DType(), src.Shape()
	if err := rowsource.CheckOrder(t); err != nil {
		return nil, err
	}
	x := builder{by: u.By, most: u.Max, memory: u.Memory, progress: u.Progress}
	switch {
	case u.By != nil:
		var err error
		if x.rows, x.size, err = rowsource.Shape(src); err != nil {
			return nil, err
		}
		for _, k := range u.By {
			at, err := sortkey.PlaceOf(t, shape, k.Field)
			if err != nil {
				return nil, err
			}
			x.key(k.Field, at)
		}
	default:
		n, ok := bounded.Count(shape, t.ItemSize())
		if !ok {
			return nil, diag.Errorf("query", "an array of shape %s is too large", format.ShapeString(shape))
		}
		x.rows, x.size = n, t.ItemSize()
		if !t.IsStruct() {
			x.key("value", fields.Place{DType: t})
			break
		}
		for _, f := range t.Fields() {
			x.key(f.Name, fields.Place{DType: t}.In(f))
		}
	}
	if x.by == nil {
		x.by = make([]sortkey.Key, len(x.places))
	}
	x.result(x.countName(), func() aggregate { return &counts{} })
	out, err := x.build(ctx, src)
	if err != nil || !u.ByCount {
		return out, err
	}
	return order.Sort{By: []sortkey.Key{{Field: x.countName(), Descending: true}}}.Array(ctx, out)
}

// countName returns a name for the counts that no key has.
func (x *builder) countName() string {
	name := "count"
	for taken := true; taken; {
		taken = false
		for _, f := range x.fields[:len(x.places)] {
			if f.Name == name {
				name, taken = name+"_", true
			}
		}
	}
	return name
}
