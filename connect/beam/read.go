package npyio

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Block]())
	register.DoFn4x1[context.Context, *sdf.LockRTracker, span, func(Block), error](&readFn{})
	register.Emitter1[Block]()
}

// A Block is some rows of a [Dataset] that follow each other, as an element of a PCollection.
type Block struct {
	Row   int    // the number of the first row; of a filtered Dataset, of the first row that was looked at
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

// blockBytes is the size of the blocks of Read, unless one row is larger.
const blockBytes = 1 << 20

// Read returns the rows of a Dataset as a PCollection of [Block], each of about 1 MiB or one row. Their order is undefined.
// Runners may split the work at every block.
func Read(s beam.Scope, d Dataset) beam.PCollection {
	s = s.Scope("npyio.Read")
	fn := &readFn{blockwise{Data: d, Grid: grid{d.Shape[0], d.rowsOf(blockBytes)}}}
	return spread(s, fn.Grid, func(spans beam.PCollection) beam.PCollection { return beam.ParDo(s, fn, spans) })
}

// A readFn emits the blocks of a Dataset.
type readFn struct{ blockwise }

// ProcessElement emits the blocks of a span.
func (fn *readFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, _ span, emit func(Block)) error {
	return fn.each(ctx, rt, func(src npy.Source, row int) error {
		a, err := src.ReadAll(ctx)
		if err == nil {
			a, err = fn.array.cast(a)
		}
		if err == nil && a.Shape()[0] > 0 {
			emit(Block{Row: row, DType: a.DType().Descr(), Shape: a.Shape(), Data: a.Bytes()})
		}
		return err
	})
}
