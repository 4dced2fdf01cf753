package stats

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/elem"
)

// Quantiles holds the quantiles of an array, or of one field of an array of records.
type Quantiles struct {
	Field  string // as in [Stats]
	Values []Value
}

// QuantilesOf returns the quantiles of an array of real numbers, bools or times, each q between 0 and 1. It returns one
// Quantiles, or one per field of records that has them. The result is that of numpy.nanquantile with method='linear': NaN
// and NaT are left out, and between two elements the result is interpolated. A quantile of floats is a float, of times a
// time. A quantile of integers is an integer where it is an element, and else a float, rounded once. Without elements it is
// NaN for floats and an invalid Value for all else. A dtype without quantiles is an error that wraps
// [errors.ErrUnsupported].
//
// The result is exact. QuantilesOf takes some 100 MB of memory and reads src twice, or up to four times if many numbers
// are nearly equal, for each field. A Source that can be read only once is held in memory.
func QuantilesOf(ctx context.Context, src npy.Source, qs ...float64) ([]Quantiles, error) {
	for _, q := range qs {
		if !(q >= 0 && q <= 1) {
			return nil, fmt.Errorf("stats: quantile %v is not between 0 and 1", q)
		}
	}
	each := passesOf(ctx, src)
	var all []Quantiles
	for _, c := range columnsOf(src.DType()) {
		k, ok := keyingOf(c.DType)
		if !ok || c.items == 0 {
			continue
		}
		s := selection{column: c, keying: k, size: src.DType().ItemSize(), each: each, most: heldNumbers}
		find := quantilesOf
		if n := (format.Header{DType: src.DType(), Shape: src.Shape()}).Size(); n < fewNumbers && c.items < fewNumbers/int64(max(n, 1)) {
			find = quantilesOfFew
		}
		values, err := find(s, qs)
		if err != nil {
			return nil, err
		}
		all = append(all, Quantiles{c.Name, values})
	}
	if all == nil {
		return nil, fmt.Errorf("stats: quantiles need real numbers, bools or times, not dtype %s: %w", src.DType(), errors.ErrUnsupported)
	}
	return all, nil
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

// fewNumbers is the number of items below which all are sorted.
const fewNumbers = 1 << 14

// heldNumbers is the largest number of elements to hold in memory. With more, all elements are read once more.
const heldNumbers = 4 << 20

// quantilesOf computes the quantiles with as many passes as needed.
func quantilesOf(s selection, qs []float64) ([]Value, error) {
	out := make([]Value, len(qs))
	first, err := s.count([]group{{}}, s.bits, digitBits)
	if err != nil {
		return nil, err
	}
	n := int64(0)
	for _, k := range first[0] {
		n += k
	}
	if n == 0 {
		return s.noQuantiles(out), nil
	}
	places, ranks := make([]float64, len(qs)), []int64{}
	for i, q := range qs {
		places[i] = float64(n-1) * q
		low := int64(places[i])
		ranks = append(ranks, low, min(low+1, n-1))
	}
	slices.Sort(ranks)
	keys, err := s.find(first[0], slices.Compact(ranks))
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		low := int64(place)
		out[i] = s.quantile(keys[low], keys[min(low+1, n-1)], place-math.Floor(place))
	}
	return out, nil
}

// quantilesOfFew sorts all elements. Counters of keys take more memory and time than that for arrays as small.
func quantilesOfFew(s selection, qs []float64) ([]Value, error) {
	out := make([]Value, len(qs))
	held, err := s.hold([]group{{}}, s.bits)
	if err != nil {
		return nil, err
	}
	keys := held[0]
	if len(keys) == 0 {
		return s.noQuantiles(out), nil
	}
	slices.Sort(keys)
	for i, q := range qs {
		place := float64(len(keys)-1) * q
		low := int(place)
		out[i] = s.quantile(keys[low], keys[min(low+1, len(keys)-1)], place-math.Floor(place))
	}
	return out, nil
}

// quantile returns the quantile between two keys.
func (s *selection) quantile(a, b uint64, t float64) Value {
	if t == 0 || a == b {
		return s.value(a)
	}
	return s.between(a, b, t)
}

// noQuantiles sets the quantiles of no elements: NaN for floats.
func (s *selection) noQuantiles(out []Value) []Value {
	if elem.KindOf(s.column.DType) == dtype.KindFloat {
		for i := range out {
			out[i] = floatValue(math.NaN())
		}
	}
	return out
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
