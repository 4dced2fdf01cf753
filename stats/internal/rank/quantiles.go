package rank

import (
	"context"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/stats/internal/feed"
)

// Of returns the quantiles of an array: one Quantiles, or one per field of records that has them.
func Of(ctx context.Context, src npy.Source, qs ...float64) ([]Quantiles, error) {
	if err := checkQuantiles(qs); err != nil {
		return nil, err
	}
	each := feed.Often(ctx, src)
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

// fewNumbers is the number of items below which all are sorted. Counters of keys take more memory and time than that for
// arrays as small.
const fewNumbers = 1 << 14

// heldNumbers is the largest number of elements to hold in memory. With more, all elements are read once more.
const heldNumbers = 2 << 20

// selections share their passes over the elements.
type selections []*selection

// firstPasses returns the first selections of a list that share their passes: selections of few numbers, up to
// heldNumbers in all, so that the passes do not grow with the fields of a short array. A selection of many numbers is
// alone.
func firstPasses(list selections, n int) selections {
	held := int64(0)
	for i, s := range list {
		s.few = n < fewNumbers && s.column.Each < fewNumbers/int64(max(n, 1))
		if held += max(1, int64(n)*s.column.Each); i > 0 && (!s.few || held > heldNumbers) {
			return list[:i]
		}
		if !s.few {
			return list[:1]
		}
	}
	return list
}

// run makes passes until all selections are done.
func (l selections) run(each feed.Passes) error {
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
