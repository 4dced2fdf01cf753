package group

import (
	"strconv"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/query/internal/sortkey"
)

// functionNames are the functions of an Agg.
var functionNames = []string{"count", "nunique", "sum", "mean", "min", "max", "argmin", "argmax", "std", "var", "median", "q0.9", "first", "last"}

// newAggregate returns the function that makes an aggregate for one chunk.
func newAggregate(what string, at fields.Place, skip bool) (func() aggregate, error) {
	t := at.DType
	switch what {
	case "first", "last", "min", "max", "argmin", "argmax":
		c, err := newExtremes(what, at, skip)
		return func() aggregate { d := *c; return &d }, err
	case "count":
		return func() aggregate { return &counts{at: at, missing: sortkey.MissingOf(t)} }, nil
	case "nunique":
		return newDistinct(at)
	case "sum", "mean", "std", "var":
		return newMoments(what, at, skip)
	}
	q, ok := quantileOf(what)
	if !ok {
		return nil, diag.Errorf("query", "no function %q, want one of %q", what, functionNames)
	}
	make := newQuantiles(q, at, skip)
	if make == nil {
		return nil, diag.Errorf("query", "%s needs real numbers or times, not dtype %s", what, t)
	}
	return make, nil
}

// quantileOf returns the quantile of the name of a function: q0.9, or median.
func quantileOf(what string) (q float64, ok bool) {
	if what == "median" {
		return median, true
	}
	digits, ok := strings.CutPrefix(what, "q")
	if !ok || strings.Trim(digits, "0123456789.") != "" {
		return 0, false
	}
	q, err := strconv.ParseFloat(digits, 64)
	return q, err == nil && q >= 0 && q <= 1
}

// newMoments returns the function that makes an aggregate of sums and deviations for one chunk.
func newMoments(what string, at fields.Place, skip bool) (func() aggregate, error) {
	t := at.DType
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
	if read == nil {
		return nil, diag.Errorf("query", "%s needs real numbers, not dtype %s", what, t)
	}
	return func() aggregate { return newFloats(what, at, skip, read) }, nil
}
