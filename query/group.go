package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/order"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
)

// A Group makes one record of all rows with equal keys: their keys and results such as a count or a mean. A Group may be
// used by several goroutines.
//
// Keys compare as in [Sort]: -0 equals 0, and NaN and NaT are groups of their own, as in pandas with dropna=False. The
// result does not depend on the number of goroutines.
type Group struct {
	// By has the keys of a group. The records come in the order of the keys.
	By []Key

	// Aggs has the results. nil means Count.
	Aggs []Agg

	// SkipNaN leaves NaN and NaT out, as numpy.nanmean does. A group without other values has a count or a sum of 0,
	// and NaN or NaT for all else.
	SkipNaN bool

	// Memory limits the groups and the values of medians, by the memory they take in bytes. 0 means 256 MiB. The error for
	// more is a [npy.LimitError]. A median takes 32 bytes for each row.
	Memory int64

	// Progress is called from time to time, by one goroutine at a time, with the number of bytes read and their total.
	// nil means no calls.
	Progress func(done, total int64)
}

// An Agg is a result for each group.
type Agg struct {
	// Func is one of these:
	//
	//	count       the number of rows or, with a Field, of values other than NaN and NaT
	//	sum mean    exact for integers, bools and times; of floats in float64, with the digits of two for the terms
	//	min max     of every dtype that [Sort] orders; NaN if there is a NaN, as in NumPy
	//	std var     of the population, as numpy.std, in float64, and of integers and bools exact up to rounding
	//	median      as numpy.median, of numbers in float64; of an even number of times the middle of two, rounded down
	//	first last  the value of the first and the last row
	//
	// The sum of signed integers and bools is int64, of unsigned integers uint64, and it is an error if it does not fit.
	// The mean of datetime64 is rounded down, and of timedelta64 towards zero, as numpy.mean does.
	Func string

	// Field is the field or the column, as in [Key]. For a plain array of one dimension "" is the elements.
	Field string
}

// Name returns the name of the field of the result: count, or mean_mag.
func (a Agg) Name() string {
	if a.Field == "" {
		return a.Func
	}
	return a.Func + "_" + a.Field
}

// ParseAggs reads a list such as "mean:mag,count,min:depth".
func ParseAggs(text string) ([]Agg, error) {
	var aggs []Agg
	for one := range strings.SplitSeq(text, ",") {
		name, field, colon := strings.Cut(strings.TrimSpace(one), ":")
		if name == "" || colon && field == "" {
			return nil, fmt.Errorf("query: results %q: want FUNCTION:FIELD, separated by commas", text)
		}
		aggs = append(aggs, Agg{Func: name, Field: field})
	}
	return aggs, nil
}

// Of groups the rows of src. The result is an array of records with a field for each key, named as in By, and a field
// for each result, named by [Agg.Name].
func (g Group) Of(ctx context.Context, src npy.Source) (*npy.Array, error) {
	n, size, err := rowsource.Shape(src)
	if err != nil {
		return nil, err
	}
	if len(g.By) == 0 {
		return nil, errors.New("query: groups need at least one key")
	}
	t, shape := src.DType(), src.Shape()
	x := groupBuilder{Group: g, rows: n, size: size}
	for _, k := range g.By {
		at, err := sortkey.PlaceOf(t, shape, k.Field)
		if err != nil {
			return nil, err
		}
		x.key(k.Field, at)
	}
	aggs := g.Aggs
	if len(aggs) == 0 {
		aggs = []Agg{{Func: "count"}}
	}
	for _, a := range aggs {
		if a == (Agg{Func: "count"}) {
			x.result("count", func() aggregate { return &counts{} })
			continue
		}
		at, err := sortkey.PlaceOf(t, shape, a.Field)
		if err != nil {
			return nil, err
		}
		if t.IsStruct() && a.Field == "" {
			return nil, fmt.Errorf("query: %s needs the name of a field: %s:FIELD", a.Func, a.Func)
		}
		one, err := newAggregate(a.Func, at, g.SkipNaN)
		if err != nil {
			return nil, err
		}
		x.result(a.Name(), one)
	}
	return x.build(ctx, src)
}

// A groupBuilder makes records of groups.
type groupBuilder struct {
	Group
	rows, size int
	places     []fields.Place
	fields     []dtype.Field
	makers     []func() aggregate
	most       int // groups; 0 for as many as fit in Memory
}

func (x *groupBuilder) key(name string, at fields.Place) {
	x.places = append(x.places, at)
	x.fields = append(x.fields, dtype.Field{Name: cmp.Or(name, "x"), DType: at.DType})
}

func (x *groupBuilder) result(name string, make func() aggregate) {
	x.makers = append(x.makers, make)
	x.fields = append(x.fields, dtype.Field{Name: name, DType: make().dtype()})
}

// build groups the rows of src and sorts the groups.
func (x *groupBuilder) build(ctx context.Context, src npy.Source) (*npy.Array, error) {
	g := &grouping{plan: sortkey.NewTruth(x.size), places: x.places, rows: x.rows, memory: x.Memory, progress: x.Progress}
	for i := range x.places {
		if err := g.plan.Add(x.places[i], false); err != nil {
			return nil, err
		}
		g.size += x.places[i].DType.ItemSize()
	}
	g.makeAggs = func() []aggregate {
		all := make([]aggregate, len(x.makers))
		for i, make := range x.makers {
			all[i] = make()
		}
		return all
	}
	g.keyBytes = 8 + 8*g.plan.Len() + g.size
	ofRows, aggs := int64(0), g.makeAggs()
	for _, a := range aggs {
		if a, ok := a.(interface{ bytesOfRow() int }); ok {
			ofRows += int64(x.rows) * int64(a.bytesOfRow())
		}
	}
	if g.most, g.limit = x.most, "Max"; g.most == 0 {
		memory := order.Available(x.Memory)
		if ofRows > memory {
			return nil, bounded.Over("Memory", memory, ofRows, "query: a median holds the values of all rows, which take %d bytes of memory", ofRows)
		}
		g.room, g.limit = memory-ofRows, "Memory"
		g.limitTo(aggs)
	}
	equal := 1
	if x.size == 0 && x.rows > 0 { // all rows are equal
		equal, g.rows = x.rows, 1
	}
	t, err := g.run(ctx, src)
	if err != nil {
		return nil, err
	}
	for _, a := range t.aggs {
		if c, ok := a.(*counts); ok && equal > 1 {
			c.n[0] *= int64(equal)
		}
	}
	return x.records(ctx, t)
}

// records makes the records of groups, in the order of their keys.
func (x *groupBuilder) records(ctx context.Context, t *groupTable) (*npy.Array, error) {
	end := 0
	for i := range x.fields {
		x.fields[i].Offset = end
		end += x.fields[i].DType.ItemSize()
	}
	record, err := dtype.Struct(-1, x.fields...)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	keys := len(x.places)
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
	if err != nil || t.n == 0 {
		return out, err
	}
	plan := sortkey.New(end)
	for i, k := range x.By {
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
