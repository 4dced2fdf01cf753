package npyio

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/stats"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Summary]())
	register.DoFn4x1[context.Context, *sdf.LockRTracker, span, func(Summary), error](&statsFn{})
	register.Combiner1[Summary](&mergeFn{})
	register.Emitter1[Summary]()
}

// A Summary is the statistics of a [Dataset], or of a part of it, as an element of a PCollection.
type Summary struct {
	State []byte // of a stats.Accumulator
	Shape []int  // of the Dataset; nil if it is filtered
}

// Stats returns the statistics: one, or one for each field of records. Positions of extremes are indices of the whole array;
// a filtered Dataset has none.
func (x Summary) Stats() ([]stats.Stats, error) {
	var acc stats.Accumulator
	if err := acc.UnmarshalBinary(x.State); err != nil {
		return nil, err
	}
	all, err := acc.Result()
	for i := range all {
		for _, at := range []*[]int{&all[i].ArgMin, &all[i].ArgMax} {
			switch {
			case x.Shape == nil:
				*at = nil
			case *at != nil:
				*at = append(unravel((*at)[0], x.Shape), (*at)[1:]...)
			}
		}
	}
	return all, err
}

// Stats summarises a Dataset. The result is a PCollection of one [Summary], whose bits do not depend on how the work was
// divided. Where a row and a block of the statistics have a small common multiple, as rows of up to 1,024 float64 have, they are the
// bits of stats.Of for the whole array. Workers send some hundred bytes for each 64 MiB that they read.
func Stats(s beam.Scope, d Dataset) beam.PCollection {
	s = s.Scope("npyio.Stats")
	fn := &statsFn{blockwise{Data: d, Grid: grid{d.Shape[0], d.statsRows()}}}
	pieces := spread(s, fn.Grid, func(spans beam.PCollection) beam.PCollection { return beam.ParDo(s, fn, spans) })
	return beam.Combine(s, &mergeFn{}, pieces)
}

// mostStatsBytes limits the blocks of Stats.
var mostStatsBytes = 32 << 20 // changed by tests

// statsRows returns the number of rows in the blocks of Stats: a whole number of the blocks of an Accumulator, if the block
// is not too large then.
func (d Dataset) statsRows() int {
	elements, size := d.rowSize()
	block := stats.BlockElements(d.dtype())
	each := block / gcd(block, max(elements, 1))
	if each > mostStatsBytes/max(size, 1) {
		return d.rowsOf(mostStatsBytes)
	}
	return d.rowsOf(mostStatsBytes) / each * each
}

// A statsFn summarises spans of blocks.
type statsFn struct{ blockwise }

// ProcessElement emits the summary of the blocks that it can claim.
func (fn *statsFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, _ span, emit func(Summary)) error {
	acc, err := stats.New(fn.Data.dtype())
	if err != nil {
		return err
	}
	elements, _ := fn.Data.rowSize()
	err = fn.each(ctx, rt, func(src npy.Source, row int) error {
		if err := acc.StartAt(int64(row) * int64(elements)); err != nil {
			return err
		}
		return fn.add(ctx, acc, src)
	})
	if err != nil {
		return err
	}
	x := Summary{Shape: fn.Data.Shape}
	if fn.Data.Where != "" {
		x.Shape = nil
	}
	x.State, err = acc.MarshalBinary()
	emit(x)
	return err
}

// add adds the elements of a block.
func (fn *statsFn) add(ctx context.Context, acc *stats.Accumulator, src npy.Source) error {
	return fn.array.pieces(ctx, src, func(piece *npy.Array) error {
		if data, _ := piece.ViewBytes(); len(data) > 0 { // pieces are in C order
			acc.Add(data)
		} else {
			acc.AddEmpty(int64(piece.Size()))
		}
		return nil
	})
}

// A mergeFn merges summaries. The order does not matter.
type mergeFn struct{}

// MergeAccumulators returns the summary of the elements of both.
func (*mergeFn) MergeAccumulators(a, b Summary) (Summary, error) {
	if a.State == nil || b.State == nil { // Beam begins with a zero
		return Summary{append(a.State, b.State...), append(a.Shape, b.Shape...)}, nil
	}
	state, err := mergeStates(a.State, b.State, (*stats.Accumulator).Merge)
	return Summary{state, a.Shape}, err
}
