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
// Quantiles, or one per field of records that has them. The result equals numpy.nanquantile with method='linear': NaN
// and NaT are left out, and between two elements the result is interpolated. A quantile of floats is a float, of times a
// time. A quantile of integers is an integer where it is an element, and else a float, rounded once. Without elements it is
// NaN for floats and an invalid Value for all else. A dtype without quantiles is an error that wraps
// [errors.ErrUnsupported].
//
// The result is exact. QuantilesOf takes some 100 MB of memory and reads src twice, or up to four times if many numbers
// are nearly equal, for each field; fields of few numbers are read together. A Source that can be read only once is held in memory.
func QuantilesOf(ctx context.Context, src npy.Source, qs ...float64) ([]Quantiles, error) {
	if err := checkQuantiles(qs); err != nil {
		return nil, err
	}
	each := passesOf(ctx, src)
	var all []Quantiles
	n := (format.Header{DType: src.DType(), Shape: src.Shape()}).Size()
	for list := quantileColumns(src.DType()); len(list) > 0; {
		together := firstPasses(selectionsOf(list[:min(len(list), columnsMax)], src.DType().ItemSize(), qs, heldNumbers), n)
		if err := together.run(each); err != nil {
			return nil, err
		}
		for _, s := range together {
			all = append(all, s.quantiles())
		}
		list = list[len(together):]
	}
	if all == nil {
		return nil, noQuantiles(src.DType())
	}
	return all, nil
}

// selections share their passes over the elements.
type selections []*selection

// firstPasses returns the first selections of a list that share their passes: selections of few numbers, up to
// heldNumbers in all, so that the passes do not grow with the fields of a short array. A selection of many numbers is
// alone.
func firstPasses(list selections, n int) selections {
	held := int64(0)
	for i, s := range list {
		s.few = n < fewNumbers && s.column.items < fewNumbers/int64(max(n, 1))
		if held += max(1, int64(n)*s.column.items); i > 0 && (!s.few || held > heldNumbers) {
			return list[:i]
		}
		if !s.few {
			return list[:1]
		}
	}
	return list
}

// run makes passes until all selections are done.
func (l selections) run(each passes) error {
	for slices.ContainsFunc(l, func(s *selection) bool { return !s.done() }) {
		err := each(func(data []byte, times int64) {
			for _, s := range l {
				s.add(data, times)
			}
		})
		for _, s := range l {
			if err == nil && !s.done() {
				err = s.next()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noQuantiles returns the error for a dtype without quantiles.
func noQuantiles(t dtype.Type) error {
	return fmt.Errorf("stats: quantiles need real numbers, bools or times, not dtype %s: %w", t, errors.ErrUnsupported)
}

func checkQuantiles(qs []float64) error {
	for _, q := range qs {
		if !(q >= 0 && q <= 1) {
			return fmt.Errorf("stats: quantile %v is not between 0 and 1", q)
		}
	}
	return nil
}

// columnsMax is the largest number of columns that share their passes: each takes about a KB.
const columnsMax = 1 << 15

// quantileColumns returns the columns of t that have quantiles.
func quantileColumns(t dtype.Type) []column {
	return slices.DeleteFunc(columnsOf(t), func(c column) bool {
		_, ok := keyingOf(c.DType)
		return !ok || c.items == 0
	})
}

// selectionsOf returns the selections of columns of elements of some bytes.
func selectionsOf(columns []column, size int, qs []float64, most int64) []*selection {
	all := make([]*selection, len(columns))
	for i, c := range columns {
		k, _ := keyingOf(c.DType)
		all[i] = newSelection(c, k, size, qs, most)
	}
	return all
}

// passes iterates over all elements, a piece at a time, with the number of times that the elements of the piece are there. Each
// call is one pass.
type passes func(add func(data []byte, times int64)) error

// passesOf returns the passes of src, in stored order.
func passesOf(ctx context.Context, src npy.Source) passes {
	var again npy.Source
	return func(add func(data []byte, times int64)) (err error) {
		if again == nil {
			if again, err = npy.Rereadable(ctx, src); err != nil {
				return err
			}
			again, _ = npy.StoredOrder(again)
		}
		return eachRun(ctx, again, add)
	}
}

// fewNumbers is the number of items below which all are sorted. Counters of keys take more memory and time than that for
// arrays as small.
const fewNumbers = 1 << 14

// heldNumbers is the largest number of elements to hold in memory. With more, all elements are read once more.
const heldNumbers = 2 << 20

// quantiles returns the quantiles, when the selection is done.
func (s *selection) quantiles() Quantiles {
	out := Quantiles{s.column.Name, make([]Value, len(s.qs))}
	for i, q := range s.qs {
		if s.n > 0 {
			rank, share := s.place(q)
			out.Values[i] = s.quantile(s.key(rank), s.key(min(rank+1, s.n-1)), share)
		} else if elem.KindOf(s.column.DType) == dtype.KindFloat {
			out.Values[i] = Float(math.NaN())
		}
	}
	return out
}

// quantile returns the quantile between two keys.
func (s *selection) quantile(a, b uint64, t float64) Value {
	if t == 0 || a == b {
		return s.value(a)
	}
	return s.between(a, b, t)
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
