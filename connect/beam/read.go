package npyio

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/parts"
)

func init() {
	beam.RegisterType(reflect.TypeFor[span]())
	beam.RegisterType(reflect.TypeFor[Block]())
	register.DoFn4x1[context.Context, *sdf.LockRTracker, span, func(Block), error](&readFn{})
	register.Emitter1[Block]()
}

// A Block is some rows of a [Dataset] that follow each other, as an element of a PCollection.
type Block struct {
	Row   int    // the number of the first row
	DType string // as dtype.Type.Descr writes it
	Shape []int
	Data  []byte // the elements in C order
}

// Array returns the rows as an array, which shares the memory of Data.
func (b Block) Array() (*npy.Array, error) {
	t, err := dtype.Parse(b.DType)
	if err != nil {
		return nil, err
	}
	return npy.FromBytes(t, b.Data, b.Shape...)
}

// Read returns the rows of a Dataset as a PCollection of [Block], each of about 1 MiB or one row. Their order is undefined.
// Runners may split the work at every block.
func Read(s beam.Scope, d Dataset) beam.PCollection {
	s = s.Scope("npyio.Read")
	return spread(s, d.blocks(), func(spans beam.PCollection) beam.PCollection {
		return beam.ParDo(s, &readFn{blockwise{Data: d}}, spans)
	})
}

// branches is the number of transforms that work on a Dataset at the same time. A local runner runs each of them serially,
// and up to eight side by side. Distributed runners split each further.
const branches = 8

// spread divides n blocks evenly among branches, which work gives each its transform.
func spread(s beam.Scope, n int64, work func(spans beam.PCollection) beam.PCollection) beam.PCollection {
	whole := offsetrange.Restriction{End: n}
	var results []beam.PCollection
	for _, part := range whole.EvenSplits(max(min(n, branches), 1)) {
		results = append(results, work(beam.Create(s, span{part.Start, part.End})))
	}
	return beam.Flatten(s, results...)
}

// blockwise is what splittable DoFns over the blocks of a Dataset have in common. The restriction of a span counts blocks.
type blockwise struct {
	Data  Dataset
	array *parts.Array
}

// Setup opens the array.
func (fn *blockwise) Setup() (err error) {
	fn.array, err = fn.Data.open()
	return err
}

// Teardown closes the files.
func (fn *blockwise) Teardown() error {
	if fn.array == nil {
		return nil
	}
	return fn.array.Close()
}

// CreateInitialRestriction returns all blocks of a span.
func (fn *blockwise) CreateInitialRestriction(r span) offsetrange.Restriction {
	return offsetrange.Restriction(r)
}

// splitBlocks is the number of blocks in the pieces that a runner gets at first, to share them among its workers.
const splitBlocks = 64

// SplitRestriction cuts a restriction into pieces.
func (fn *blockwise) SplitRestriction(_ span, rest offsetrange.Restriction) []offsetrange.Restriction {
	return rest.SizedSplits(splitBlocks)
}

// RestrictionSize returns the size of a restriction in bytes.
func (fn *blockwise) RestrictionSize(_ span, rest offsetrange.Restriction) float64 {
	return rest.Size() * float64(fn.Data.blockRows()) * float64(fn.Data.rowBytes())
}

// CreateTracker returns the tracker of a restriction.
func (fn *blockwise) CreateTracker(rest offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(rest))
}

// each calls do with the rows of each block of the restriction that can be claimed.
func (fn *blockwise) each(rt *sdf.LockRTracker, do func(src npy.Source, row int) error) error {
	for i := rt.GetRestriction().(offsetrange.Restriction).Start; rt.TryClaim(i); i++ {
		start, end := fn.Data.rows(i)
		src, err := fn.array.Select(npy.Span(start, end))
		if err == nil {
			err = do(src, start)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A readFn emits the blocks of a Dataset.
type readFn struct{ blockwise }

// ProcessElement emits the blocks of a span.
func (fn *readFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, _ span, emit func(Block)) error {
	return fn.each(rt, func(src npy.Source, row int) error {
		a, err := src.ReadAll(ctx)
		if err != nil {
			return err
		}
		emit(Block{Row: row, DType: fn.Data.DType, Shape: a.Shape(), Data: a.Bytes()})
		return nil
	})
}
