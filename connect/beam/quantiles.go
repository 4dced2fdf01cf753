package npyio

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/stats"
)

func init() {
	beam.RegisterType(reflect.TypeFor[QuantileState]())
	register.DoFn5x1[context.Context, *sdf.LockRTracker, span, QuantileState, func(QuantileState), error](&quantileFn{})
	register.Combiner1[QuantileState](&mergeQuantilesFn{})
	register.Function1x2(nextPass)
	register.Emitter1[QuantileState]()
}

// A QuantileState is the quantiles of a [Dataset], or what is known of them, as an element of a PCollection.
type QuantileState struct {
	State []byte // of a stats.QuantileAccumulator
}

// Quantiles returns the quantiles: one stats.Quantiles, or one for each field of records that has them.
func (x QuantileState) Quantiles() ([]stats.Quantiles, error) {
	var acc stats.QuantileAccumulator
	if err := acc.UnmarshalBinary(x.State); err != nil {
		return nil, err
	}
	return acc.Result()
}

// Quantiles computes quantiles of a Dataset, each q between 0 and 1. The result is a PCollection of one
// [QuantileState]. Quantiles are exact, however the work was divided: they equal numpy.nanquantile with
// method='linear', and stats.QuantilesOf of the whole array.
//
// The files are read in up to four passes, and seven for more than 16 quantiles; often two or three suffice. Workers send up
// to 300 KB for each field and each 64 MiB that they read. A dtype without quantiles is an error that wraps
// [errors.ErrUnsupported].
func Quantiles(s beam.Scope, d Dataset, qs ...float64) (beam.PCollection, error) {
	s = s.Scope("npyio.Quantiles")
	acc, err := stats.NewQuantiles(d.dtype(), qs...)
	if err != nil {
		return beam.PCollection{}, err
	}
	state, err := acc.MarshalBinary()
	if err != nil {
		return beam.PCollection{}, err
	}
	fn := &quantileFn{blockwise{Data: d, Grid: grid{d.Shape[0], d.rowsOf(mostStatsBytes)}}}
	known := beam.Create(s, QuantileState{state})
	for range acc.Passes() {
		counted := spread(s, fn.Grid, func(spans beam.PCollection) beam.PCollection { return beam.ParDo(s, fn, spans, one(known)) })
		known = beam.ParDo(s, nextPass, beam.Combine(s, &mergeQuantilesFn{}, counted))
	}
	return known, nil
}

// A quantileFn counts the elements of spans of blocks in one pass.
type quantileFn struct{ blockwise }

// ProcessElement emits the counts of the blocks that it can claim. It reads nothing after the last pass.
func (fn *quantileFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, _ span, known QuantileState, emit func(QuantileState)) error {
	var acc stats.QuantileAccumulator
	if err := acc.UnmarshalBinary(known.State); err != nil {
		return err
	}
	if acc.Passes() == 0 {
		rt.TryClaim(rt.GetRestriction().(offsetrange.Restriction).End) // all is done
		emit(known)
		return nil
	}
	err := fn.each(ctx, rt, func(src npy.Source, _ int) error {
		return fn.array.pieces(ctx, src, func(piece *npy.Array) error {
			data, _ := piece.ViewBytes() // pieces are in C order
			acc.Add(data)
			return nil
		})
	})
	if err != nil {
		return err
	}
	state, err := acc.MarshalBinary()
	emit(QuantileState{state})
	return err
}

// A mergeQuantilesFn merges the counts of one pass.
type mergeQuantilesFn struct{}

// MergeAccumulators returns the counts of the elements of both.
func (*mergeQuantilesFn) MergeAccumulators(a, b QuantileState) (QuantileState, error) {
	if state, ok := either(a.State, b.State); ok {
		return QuantileState{state}, nil
	}
	state, err := mergeStates(a.State, b.State, (*stats.QuantileAccumulator).Merge)
	return QuantileState{state}, err
}

// nextPass ends a pass.
func nextPass(x QuantileState) (QuantileState, error) {
	var acc stats.QuantileAccumulator
	err := acc.UnmarshalBinary(x.State)
	if err == nil {
		_, err = acc.Next()
	}
	if err != nil {
		return x, err
	}
	x.State, err = acc.MarshalBinary()
	return x, err
}
