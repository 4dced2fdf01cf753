package npyio

import (
	"context"
	"errors"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/stats"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Counts]())
	register.DoFn4x1[context.Context, *sdf.LockRTracker, span, func([]byte), error](&extentFn{})
	register.DoFn5x1[context.Context, *sdf.LockRTracker, span, []byte, func(Counts), error](&countFn{})
	register.Combiner1[[]byte](&mergeExtentsFn{})
	register.Combiner1[Counts](&addFn{})
	register.Emitter1[Counts]()
}

// Bins are the bins of a histogram, as numpy.histogram takes them.
type Bins struct {
	N         int       // bins of equal width
	Low, High float64   // the range of N bins; both 0 for the range of all finite numbers
	Edges     []float64 // of the bins, in order, in place of all else
}

// Counts are the numbers of a [Dataset] in bins, or of a part of it, as an element of a PCollection.
type Counts struct {
	DType  string    // as dtype.Type.Descr writes it
	Extent []byte    // a stats.Extent, if the bins divide it
	N      int       // bins of Extent
	Edges  []float64 // of the bins, if there is no Extent
	Counts []int64
}

// Histogram returns the edges of the bins and the counts.
func (x Counts) Histogram() (stats.Histogram, error) {
	h, err := x.empty()
	if err == nil && len(h.Counts) != len(x.Counts) {
		err = errors.New("npyio: the counts of a histogram do not fit its bins")
	}
	if err == nil {
		h.Counts = x.Counts
	}
	return h, err
}

// empty returns the histogram of no elements.
func (x Counts) empty() (stats.Histogram, error) {
	t, err := dtype.Parse(x.DType)
	if err != nil {
		return stats.Histogram{}, err
	}
	none, err := npy.FromBytes(t, nil, 0)
	if err != nil {
		return stats.Histogram{}, err
	}
	return x.count(context.Background(), none)
}

// count returns the histogram of some elements.
func (x Counts) count(ctx context.Context, src npy.Source) (stats.Histogram, error) {
	if len(x.Extent) == 0 {
		return stats.HistogramIn(ctx, src, x.Edges)
	}
	var e stats.Extent
	if err := e.UnmarshalBinary(x.Extent); err != nil {
		return stats.Histogram{}, err
	}
	return e.Histogram(ctx, src, x.N)
}

// Histogram counts the elements of a Dataset in bins. The result is a PCollection of one [Counts]. It equals
// stats.HistogramOf of the whole array, and numpy.histogram where there are no NaN and infinities, which are left out.
// Without a range and edges the files are read twice: first for the smallest and the largest number. Times have no
// other bins than these. Workers send 8 bytes for each bin and each 64 MiB that they read. Records are an error that
// wraps [errors.ErrUnsupported].
func Histogram(s beam.Scope, d Dataset, bins Bins) (beam.PCollection, error) {
	s = s.Scope("npyio.Histogram")
	t := d.dtype()
	none, err := npy.FromBytes(t, nil, 0)
	if err != nil {
		return beam.PCollection{}, err
	}
	x := Counts{DType: t.Descr(), N: bins.N, Edges: bins.Edges}
	g := grid{d.Shape[0], d.rowsOf(mostStatsBytes)}
	var extent beam.PCollection
	switch {
	case bins.Edges == nil && bins.Low == 0 && bins.High == 0:
		e, err := stats.ExtentOf(context.Background(), none)
		if err == nil {
			_, err = e.Histogram(context.Background(), none, bins.N)
		}
		if err != nil {
			return beam.PCollection{}, err
		}
		ranges := &extentFn{blockwise{Data: d, Grid: g}}
		extent = beam.Combine(s, &mergeExtentsFn{}, spread(s, g, func(spans beam.PCollection) beam.PCollection {
			return beam.ParDo(s, ranges, spans)
		}))
	case bins.Edges == nil:
		if x.Edges, err = stats.BinEdges(bins.Low, bins.High, bins.N); err != nil {
			return beam.PCollection{}, err
		}
		fallthrough
	default:
		if _, err := x.empty(); err != nil {
			return beam.PCollection{}, err
		}
		extent = beam.Create(s, []byte{})
	}
	count := &countFn{blockwise{Data: d, Grid: g}, x}
	return beam.Combine(s, &addFn{}, spread(s, g, func(spans beam.PCollection) beam.PCollection {
		return beam.ParDo(s, count, spans, one(extent))
	})), nil
}

// An extentFn finds the extent of spans of blocks.
type extentFn struct{ blockwise }

// ProcessElement emits the extent of the blocks that it can claim.
func (fn *extentFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, _ span, emit func([]byte)) error {
	none, err := npy.FromBytes(fn.Data.dtype(), nil, 0)
	if err != nil {
		return err
	}
	all, err := stats.ExtentOf(ctx, none)
	if err != nil {
		return err
	}
	err = fn.each(ctx, rt, func(src npy.Source, _ int) error {
		return fn.array.pieces(ctx, src, func(piece *npy.Array) error {
			e, err := stats.ExtentOf(ctx, piece)
			if err == nil {
				err = all.Merge(e)
			}
			return err
		})
	})
	if err != nil {
		return err
	}
	state, err := all.MarshalBinary()
	emit(state)
	return err
}

// A mergeExtentsFn merges extents.
type mergeExtentsFn struct{}

// MergeAccumulators returns the extent of the elements of both.
func (*mergeExtentsFn) MergeAccumulators(a, b []byte) ([]byte, error) {
	if state, ok := either(a, b); ok {
		return state, nil
	}
	return mergeStates(a, b, func(x, y *stats.Extent) error { return x.Merge(*y) })
}

// A countFn counts the elements of spans of blocks.
type countFn struct {
	blockwise
	Bins Counts
}

// ProcessElement emits the counts of the blocks that it can claim.
func (fn *countFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, _ span, extent []byte, emit func(Counts)) error {
	x := fn.Bins
	x.Extent = extent
	all, err := x.empty()
	if err != nil {
		return err
	}
	err = fn.each(ctx, rt, func(src npy.Source, _ int) error {
		return fn.array.pieces(ctx, src, func(piece *npy.Array) error {
			h, err := x.count(ctx, piece)
			if err == nil {
				err = all.Merge(h)
			}
			return err
		})
	})
	x.Counts = all.Counts
	emit(x)
	return err
}

// An addFn adds counts.
type addFn struct{}

// MergeAccumulators returns the counts of the elements of both.
func (*addFn) MergeAccumulators(a, b Counts) (Counts, error) {
	switch {
	case a.DType == "": // Beam begins with a zero
		return b, nil
	case b.DType == "":
		return a, nil
	}
	x, err := a.Histogram()
	if err != nil {
		return a, err
	}
	y, err := b.Histogram()
	if err == nil {
		err = x.Merge(y)
	}
	a.Counts = x.Counts
	return a, err
}
