package npyio

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/record"
)

// RegisterRecord makes T known to workers. Call it in an init function for each T of [ReadRecords].
func RegisterRecord[T any]() {
	beam.RegisterType(reflect.TypeFor[T]())
	register.DoFn4x1[context.Context, *sdf.LockRTracker, span, func(T), error](&recordFn[T]{})
	register.Emitter1[T]()
}

// ReadRecords returns the elements of a Dataset as a PCollection of structs of Go, as package record reads them. Fields of T must be of
// types that Beam has in schemas. Each record is an element that the runner moves: to read much and keep little,
// [Dataset.Filter] before.
func ReadRecords[T any](s beam.Scope, d Dataset) (beam.PCollection, error) {
	s = s.Scope("npyio.ReadRecords")
	if _, err := record.Compile[T](d.dtype()); err != nil {
		return beam.PCollection{}, err
	}
	fn := &recordFn[T]{blockwise{Data: d, Grid: grid{d.Shape[0], d.rowsOf(blockBytes)}}}
	return spread(s, fn.Grid, func(spans beam.PCollection) beam.PCollection { return beam.ParDo(s, fn, spans) }), nil
}

// A recordFn emits records.
type recordFn[T any] struct{ blockwise }

// ProcessElement emits the records of a span.
func (fn *recordFn[T]) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, _ span, emit func(T)) error {
	return fn.each(ctx, rt, func(src npy.Source, _ int) error {
		a, err := src.ReadAll(ctx)
		if err == nil {
			a, err = fn.array.cast(a)
		}
		if err != nil {
			return err
		}
		records, err := record.ToSlice[T](a)
		for _, r := range records {
			emit(r)
		}
		return err
	})
}
