package group

import (
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/sortkey"
)

// aggNames are the functions of an Agg.
var aggNames = []string{"count", "sum", "mean", "min", "max", "std", "var", "median", "first", "last"}

// newAggregate returns the function that makes an aggregate for one chunk.
func newAggregate(what string, at fields.Place, skip bool) (func() aggregate, error) {
	t := at.DType
	switch what {
	case "first", "last", "min", "max":
		c, err := newExtremes(what, at, skip)
		return func() aggregate { d := *c; return &d }, err
	case "count":
		return func() aggregate { return &counts{at: at, missing: sortkey.MissingOf(t)} }, nil
	case "median":
		make := newMedians(at, skip)
		if make == nil {
			return nil, diag.Errorf("query", "median needs real numbers or times, not dtype %s", t)
		}
		return make, nil
	case "sum", "mean", "std", "var":
	default:
		return nil, diag.Errorf("query", "no function %q, want one of %q", what, aggNames)
	}
	kind := elem.KindOf(t)
	plain := !t.IsStruct() && !t.IsSubarray()
	exact := kind == dtype.KindInt || kind == dtype.KindUint || kind == dtype.KindBool
	if !isDeviation(what) {
		exact = exact || kind == dtype.KindTimedelta || kind == dtype.KindDatetime && what == "mean"
	}
	if plain && exact {
		return func() aggregate { return newIntMoments(at, what, skip) }, nil
	}
	var read codec.Reals
	if plain {
		read = codec.RealsOf(t)
	}
	if read == nil || !slices.Contains(aggNames, what) {
		return nil, diag.Errorf("query", "%s needs real numbers, not dtype %s", what, t)
	}
	return func() aggregate { return newFloats(what, at, skip, read) }, nil
}
