package query

import (
	"context"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A Unique finds the distinct values of an array and how often each occurs, numpy.unique(return_counts=True). A Unique
// may be used by several goroutines.
//
// Values compare as in [Sort]: -0 equals 0, and NaN and NaT are one value each, in records as well, where NumPy counts
// every NaN by itself.
type Unique struct {
	// By has the fields or columns whose combinations are counted. nil means the elements of a plain array of any
	// dimensions, and whole records.
	By []Key

	// ByCount puts the most frequent values first, and of values that are as frequent the smaller one. Otherwise values
	// are in order.
	ByCount bool

	// Max limits the number of distinct values. 0 means as many as fit in Memory. The error for more is a
	// [npy.LimitError].
	Max int

	// Memory limits the distinct values, by the memory they take in bytes. 0 means 256 MiB.
	Memory int64

	// Progress is called from time to time, by one goroutine at a time, with the number of bytes read and their total.
	// nil means no calls.
	Progress func(done, total int64)
}

// Of returns the distinct values of src as records: the fields of By, or the fields of src, or a field called value, and
// then a field called count.
func (u Unique) Of(ctx context.Context, src npy.Source) (*npy.Array, error) {
	t, shape := src.DType(), src.Shape()
	if err := rowsource.CheckOrder(t); err != nil {
		return nil, err
	}
	x := groupBuilder{Group: Group{By: u.By, Memory: u.Memory, Progress: u.Progress}, most: u.Max}
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
			return nil, fmt.Errorf("query: an array of shape %s is too large", format.ShapeString(shape))
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
	if x.By == nil {
		x.By = make([]Key, len(x.places))
	}
	x.result(x.countName(), func() aggregate { return &counts{} })
	out, err := x.build(ctx, src)
	if err != nil || !u.ByCount {
		return out, err
	}
	return Sort{By: []Key{{Field: x.countName(), Descending: true}}}.Array(ctx, out)
}

// countName returns a name for the counts that no key has.
func (x *groupBuilder) countName() string {
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
