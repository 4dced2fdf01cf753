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
			return nil, diag.Errorf("query", "results %q: want FUNCTION:FIELD, separated by commas", text)
		}
		aggs = append(aggs, Agg{Func: name, Field: field})
	}
	return aggs, nil
}

// Of groups the rows of src. The result is an array of records with a field for each key, named as in By, and a field
// for each result, named by [Agg.Name].
func (g Group) Of(ctx context.Context, src npy.Source) (*npy.Array, error) {
	inner := group.Group{By: sortKeys(g.By), SkipNaN: g.SkipNaN, Memory: g.Memory, Progress: g.Progress}
	for _, a := range g.Aggs {
		inner.Aggs = append(inner.Aggs, group.Agg{Func: a.Func, Field: a.Field, Name: a.Name()})
	}
	return inner.Of(ctx, src)
}
