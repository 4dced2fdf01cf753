package npyio

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/npygo/npy"
)

func init() { beam.RegisterType(reflect.TypeFor[span]()) }

// A span is a range of the blocks of a [grid]. It is all that travels to the workers that read a Dataset.
type span struct{ Start, End int64 }

// branches is the number of transforms that work on a Dataset side by side. Prism runs each of them serially, and eight at
// the same time. Distributed runners split each further.
const branches = 8

// spread divides the blocks of a grid evenly among branches.
func spread(s beam.Scope, g grid, work func(spans beam.PCollection) beam.PCollection) beam.PCollection {
	whole := offsetrange.Restriction{End: g.blocks()}
	var results []beam.PCollection
	for _, part := range whole.EvenSplits(max(min(whole.End, branches), 1)) {
		results = append(results, work(beam.Create(s, span(part))))
	}
	return beam.Flatten(s, results...)
}

// blockwise is what splittable DoFns over the blocks of a Dataset have in common. A restriction counts blocks.
type blockwise struct {
	Data  Dataset
	Grid  grid
	array *opened
}

// bytesRead counts the bytes of the elements that were dealt with. [Watch] shows them.
var bytesRead = beam.NewCounter(counterNamespace, counterName)

// Setup opens the array.
func (fn *blockwise) Setup() (err error) {
	fn.array, err = fn.Data.open()
	return err
}

// Teardown closes the files.
func (fn *blockwise) Teardown() error { return fn.array.close() }

// CreateInitialRestriction returns all blocks of a span.
func (fn *blockwise) CreateInitialRestriction(r span) offsetrange.Restriction {
	return offsetrange.Restriction(r)
}

// splitBytes is the size of the pieces that a runner gets at first, to share them among its workers.
const splitBytes = 64 << 20

// SplitRestriction cuts a restriction into pieces.
func (fn *blockwise) SplitRestriction(_ span, rest offsetrange.Restriction) []offsetrange.Restriction {
	return rest.SizedSplits(max(splitBytes/max(fn.blockSize(), 1), 1))
}

// RestrictionSize returns the size of a restriction in bytes.
func (fn *blockwise) RestrictionSize(_ span, rest offsetrange.Restriction) float64 {
	return rest.Size() * float64(fn.blockSize())
}

// blockSize returns the size of a block in bytes.
func (fn *blockwise) blockSize() int64 {
	_, row := fn.Data.rowSize()
	return int64(row) * int64(fn.Grid.Each)
}

// CreateTracker returns the tracker of a restriction.
func (fn *blockwise) CreateTracker(rest offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(rest))
}

// each calls do with the rows of each block of the restriction that can be claimed, and the number of the first row.
func (fn *blockwise) each(ctx context.Context, rt *sdf.LockRTracker, do func(src npy.Source, row int) error) error {
	_, size := fn.Data.rowSize()
	for i := rt.GetRestriction().(offsetrange.Restriction).Start; rt.TryClaim(i); i++ {
		start, end := fn.Grid.at(i)
		err := inTurn(ctx, 0, func(int64) error {
			src, err := fn.array.rows(ctx, start, end)
			if err == nil {
				err = do(src, start)
			}
			return err
		})
		if err != nil {
			return err
		}
		bytesRead.Inc(ctx, int64(end-start)*int64(size))
	}
	return nil
}
