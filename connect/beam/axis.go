package npyio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/stats"
)

func init() {
	beam.RegisterType(reflect.TypeFor[AxisSummary]())
	register.DoFn4x1[context.Context, *sdf.LockRTracker, span, func(AxisSummary), error](&axisFn{})
	register.Combiner1[AxisSummary](&mergeAxesFn{})
	register.Emitter1[AxisSummary]()
}

// An AxisSummary is the statistics of a [Dataset] along axes, or of a part of it, as an element of a PCollection.
type AxisSummary struct {
	States  [][]byte // of stats.AxisAccumulators, the results of each following each other along their first axis
	Rows    []int    // the number of the first row of each
	Results int      // in all
}

// mostResults limits the results of StatsAxis: one worker merges all of them, with some 100 bytes for each.
const mostResults = 1 << 20

// Axis returns the results.
func (x AxisSummary) Axis() (stats.Axis, error) {
	order := make([]int, len(x.States))
	all := make([]*stats.AxisAccumulator, len(x.States))
	for i, state := range x.States {
		order[i], all[i] = i, new(stats.AxisAccumulator)
		if err := all[i].UnmarshalBinary(state); err != nil {
			return stats.Axis{}, err
		}
	}
	if len(all) == 0 || len(x.Rows) != len(all) {
		return stats.Axis{}, errors.New("npyio: statistics along an axis without a state for each piece")
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x.Rows[i], x.Rows[j]) })
	first := all[order[0]]
	if len(all) > 1 {
		var others []*stats.AxisAccumulator
		for _, i := range order[1:] {
			others = append(others, all[i])
		}
		if err := first.Append(others...); err != nil {
			return stats.Axis{}, err
		}
	}
	return first.Result()
}

// StatsAxis summarises a Dataset along some of its axes, or along all if none is given. An axis below 0 counts from the
// last. The result is a PCollection of one [AxisSummary], whose bits do not depend on how the work was divided. They
// equal the results of stats.Along for the whole array, except that the last digit of a standard deviation of floats
// can differ if the axes include the last, and so can results of floats that cancel nearly all of the 30 digits which
// sums have.
//
// A result is kept for each element of the array without the axes. More than 2**20 are an error that wraps [npy.ErrLimit], since one worker
// merges them: the axes of the array that are long have to be among those given. A dtype that is not numeric is an error that wraps
// [errors.ErrUnsupported].
func StatsAxis(s beam.Scope, d Dataset, axes ...int) (beam.PCollection, error) {
	s = s.Scope("npyio.StatsAxis")
	along := stats.Along{Axes: axes}
	if _, err := along.New(format.Header{DType: d.dtype(), Shape: d.Shape}); err != nil {
		return beam.PCollection{}, err
	}
	kept := func(i int) bool {
		return axes != nil && !slices.Contains(axes, i) && !slices.Contains(axes, i-len(d.Shape))
	}
	results := 1 // of a row, or of all
	for i, n := range d.Shape {
		if i > 0 && kept(i) {
			results = min(results, mostResults+1) * min(n, mostResults+1)
		}
	}
	merge := mergeAxesFn{kept(0)}
	if results > mostResults || merge.Kept && d.Where == "" && d.Shape[0] > mostResults/max(results, 1) { // a filter may leave few rows
		return beam.PCollection{}, errResults
	}
	each := d.rowsOf(min(mostStatsBytes, axisBytes))
	if !merge.Kept {
		each = max(each, leastRows) // so that merging results takes less time than adding elements
	}
	fn := &axisFn{blockwise{Data: d, Grid: grid{d.Shape[0], each}}, axes, merge, results}
	pieces := spread(s, fn.Grid, func(spans beam.PCollection) beam.PCollection { return beam.ParDo(s, fn, spans) })
	return beam.Combine(s, &merge, pieces), nil
}

// axisBytes limits the blocks of StatsAxis. An AxisAccumulator keeps a copy of one.
const axisBytes = 4 << 20

// leastRows is the least number of rows in a block of StatsAxis, if their results are merged.
const leastRows = 256

var errResults = fmt.Errorf("npyio: statistics along these axes have over %d results, which one worker merges; name the long axes too, or summarise pieces of the array: %w", mostResults, npy.ErrLimit)

// An axisFn summarises spans of blocks along axes.
type axisFn struct {
	blockwise
	Axes    []int
	Merge   mergeAxesFn
	Results int // of a row, or of all
}

// ProcessElement emits the summary of the blocks that it can claim.
func (fn *axisFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, _ span, emit func(AxisSummary)) error {
	all, err := fn.summarise(ctx, nil, 0)
	if err != nil {
		return err
	}
	err = fn.each(ctx, rt, func(src npy.Source, row int) error {
		x, err := fn.summarise(ctx, src, row)
		if err == nil {
			all, err = fn.Merge.MergeAccumulators(all, x)
		}
		return err
	})
	emit(all)
	return err
}

// summarise returns the summary of a block, or of no rows.
func (fn *axisFn) summarise(ctx context.Context, src npy.Source, row int) (x AxisSummary, err error) {
	shape := append([]int{0}, fn.Data.Shape[1:]...)
	if src != nil {
		shape[0] = src.Shape()[0]
	}
	acc, err := stats.Along{Axes: fn.Axes}.New(format.Header{DType: fn.Data.dtype(), Shape: shape})
	if err != nil {
		return x, err
	}
	if src != nil {
		err = fn.array.pieces(ctx, src, func(piece *npy.Array) error {
			data, _ := piece.ViewBytes() // pieces are in C order
			acc.Add(data)
			return nil
		})
	}
	if err != nil {
		return x, err
	}
	state, err := acc.MarshalBinary()
	x = AxisSummary{[][]byte{state}, []int{row}, fn.Results}
	if fn.Merge.Kept {
		x.Results *= shape[0]
	}
	return x, err
}

// A mergeAxesFn merges summaries along axes. The order does not matter.
type mergeAxesFn struct {
	Kept bool // the first axis is kept, so that each piece has results of its own
}

// MergeAccumulators returns the summary of the elements of both.
func (fn *mergeAxesFn) MergeAccumulators(a, b AxisSummary) (AxisSummary, error) {
	switch {
	case len(a.States) == 0: // Beam begins with a zero
		return b, nil
	case len(b.States) == 0:
		return a, nil
	case fn.Kept:
		x := AxisSummary{append(slices.Clip(a.States), b.States...), append(slices.Clip(a.Rows), b.Rows...), a.Results + b.Results}
		if x.Results > mostResults {
			return a, errResults
		}
		return x, nil
	}
	state, err := mergeStates(a.States[0], b.States[0], (*stats.AxisAccumulator).Merge)
	return AxisSummary{[][]byte{state}, []int{0}, a.Results}, err
}
