package query

import (
	"context"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/group"
)

// A Group makes one record of all rows with equal keys: their keys and results such as a count or a mean. A Group may be
// used by several goroutines.
//
// Keys compare as in [Sort]: -0 equals 0, and NaN and NaT are groups of their own, as in pandas with dropna=False. The
// result does not depend on the number of goroutines.
type Group struct {
	// By has the keys of a group, which may be expressions. The records come in the order of the keys. Without keys, all rows are
	// one group.
	By []Key

	// Aggs has the results. nil means Count.
	Aggs []Agg

	// Pivot has the key whose values become columns. A record is then all groups with equal keys in By, and a result has a column for
	// each value, in their order: the text of the value is its name, after the name of the result and _ if there are several. Where
	// there are no rows, counts are 0, texts empty, argmin and argmax -1, and all else is NaN or NaT: integers become float64
	// then. More than 1000 columns are an error that wraps [npy.ErrLimit]. nil means no columns of values.
	Pivot *Key

	// SkipNaN leaves NaN and NaT out, as numpy.nanmean does. A group without other values has a count or a sum of 0,
	// and NaN or NaT for all else.
	SkipNaN bool

	// Memory limits the groups and the values of quantiles, by the memory they take in bytes. 0 means 256 MiB. The error for
	// more is a [npy.LimitError]. A median or a quantile takes 32 bytes for each row, and nunique some 40 bytes for each value.
	Memory int64

	// Progress is called from time to time, by one goroutine at a time, with the number of bytes read and their total.
	// nil means no calls.
	Progress func(done, total int64)
}

// An Agg is a result for each group.
type Agg struct {
	// Func is one of these:
	//
	//	count          the number of rows or, with a Field, of values other than NaN and NaT
	//	nunique        the number of distinct values other than NaN and NaT
	//	sum mean       exact for integers, bools and times; of floats in float64, with the digits of two for the terms
	//	min max        of every dtype that [Sort] orders; NaN if there is a NaN, as in NumPy
	//	argmin argmax  the number of the first row with the min or max; -1 if there is no value
	//	std var        of the population, as numpy.std, in float64, and of integers and bools exact up to rounding
	//	median         as numpy.median, of numbers in float64; of an even number of times the middle of two, rounded down
	//	q0.9           a quantile, from q0 to q1, interpolated as numpy.quantile does
	//	first last     the value of the first and the last row
	//
	// The sum of signed integers and bools is int64, of unsigned integers uint64, and it is an error if it does not fit.
	// The mean of datetime64 is rounded down, and of timedelta64 towards zero, as numpy.mean does.
	Func string

	// Field is the field, the column or the expression, as in [Key]. For a plain array of one dimension "" is the elements.
	Field string

	// As is the name of the result. "" means Func_Field.
	As string
}

// Name returns the name of the field of the result: count, or mean_mag.
func (a Agg) Name() string {
	switch {
	case a.As != "":
		return a.As
	case a.Field == "":
		return a.Func
	}
	return a.Func + "_" + a.Field
}

// ParseAggs reads a list such as "mean:mag,count,speed = max:hypot(vx, vy)". A Field may be an expression, and NAME = sets As.
func ParseAggs(text string) ([]Agg, error) {
	var aggs []Agg
	for _, one := range splitList(text, ',') {
		as, one := cutAs(one)
		name, field, colon := strings.Cut(one, ":")
		name, field = strings.TrimSpace(name), unquoted(strings.TrimSpace(field))
		if name == "" || colon && field == "" {
			return nil, diag.Errorf("query", "results %q: want FUNCTION:FIELD, separated by commas", text)
		}
		aggs = append(aggs, Agg{Func: name, Field: field, As: as})
	}
	return aggs, nil
}

// Of groups the rows of src. The result is an array of records with a field for each key, named as in By, and a field for each result,
// named by [Agg.Name].
//
// Expressions are computed as the rows are read, with functions of several rows as in [Compute]. An expression that is not valid, or
// does not fit the dtypes, is an [*Error].
func (g Group) Of(ctx context.Context, src npy.Source) (*npy.Array, error) {
	inner := group.Group{By: sortKeys(g.By), SkipNaN: g.SkipNaN, Memory: g.Memory, Progress: g.Progress}
	if g.Pivot != nil {
		inner.Pivot = &sortKeys([]Key{*g.Pivot})[0]
	}
	for _, a := range g.Aggs {
		inner.Aggs = append(inner.Aggs, group.Agg{Func: a.Func, Field: a.Field, Name: a.Name()})
	}
	out, err := inner.Of(ctx, src)
	return out, exported(err)
}
