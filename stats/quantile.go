package stats

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// QuantilesOf returns the quantiles of an array of real numbers or bools, each q between 0 and 1. The result is that of
// numpy.nanquantile for the array as float64. It is NaN if there are no numbers other than NaN. Between two numbers the
// result is interpolated, as by method='linear'. Records and dtypes that are not real numbers are an error that wraps
// [errors.ErrUnsupported].
//
// The result is exact. QuantilesOf takes some 100 MB of memory and reads src twice, or up to four times if many numbers
// are nearly equal. A Source that can be read only once is held in memory.
func QuantilesOf(ctx context.Context, src npy.Source, qs ...float64) ([]float64, error) {
	return quantilesOf(src.DType(), qs, passesOf(ctx, src))
}

// passes iterates over all elements, a piece at a time. Each call is one pass.
type passes func(add func(data []byte)) error

// passesOf returns the passes of src, in stored order.
func passesOf(ctx context.Context, src npy.Source) passes {
	var again npy.Source
	return func(add func(data []byte)) (err error) {
		if again == nil {
			if again, err = npy.Rereadable(ctx, src); err != nil {
				return err
			}
			again, _ = npy.StoredOrder(again)
		}
		return eachBlock(ctx, again, add)
	}
}

// heldNumbers is the largest number of elements to hold in memory. With more, all elements are read once more.
const heldNumbers = 4 << 20

// quantilesOf computes the quantiles with as many passes as needed.
func quantilesOf(t dtype.Type, qs []float64, each passes) ([]float64, error) {
	for _, q := range qs {
		if !(q >= 0 && q <= 1) {
			return nil, fmt.Errorf("stats: quantile %v is not between 0 and 1", q)
		}
	}
	read, err := realsOf(t)
	if err != nil {
		return nil, fmt.Errorf("stats: quantiles need real numbers or bools, not dtype %s: %w", t, errors.ErrUnsupported)
	}
	s := selection{size: t.ItemSize(), reals: read, each: each, most: heldNumbers}
	first, err := s.count([]group{{}}, 64, digitBits)
	if err != nil {
		return nil, err
	}
	n := int64(0)
	for _, k := range first[0] {
		n += k
	}
	out := make([]float64, len(qs))
	places, ranks := make([]float64, len(qs)), []int64{}
	for i, q := range qs {
		if out[i] = math.NaN(); n > 0 {
			places[i] = float64(n-1) * q
			low := int64(places[i])
			ranks = append(ranks, low, min(low+1, n-1))
		}
	}
	slices.Sort(ranks)
	values, err := s.find(first[0], slices.Compact(ranks))
	if err != nil || n == 0 {
		return out, err
	}
	for i, place := range places {
		low := int64(place)
		out[i] = between(values[low], values[min(low+1, n-1)], place-math.Floor(place))
	}
	return out, nil
}

// between is NumPy's _lerp, exact at both ends.
func between(a, b, t float64) float64 {
	switch {
	case t == 0 || a == b:
		return a
	case t >= 0.5:
		return b - float64((b-a)*(1-t))
	}
	return a + float64((b-a)*t)
}
