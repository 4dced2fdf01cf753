package calc

import (
	"context"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/axes"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/scalar"
)

// The cells are the results of a reduction, while values are added to them. Goroutines add to different cells at the same time.
type cells interface {
	start(n, each int)                            // n cells, of each values
	one(s *scratch, cell, at int, data []byte)    // adds values to a cell that has at values before them
	rows(s *scratch, cell, at int, values matrix) // adds each column to a cell that has at values before them, the first to cell
	passes() int                                  // over all values
	next()                                        // ends a pass
	array(ctx context.Context, shape []int) (*npy.Array, error)
	width(each int) int // the bytes of a cell of each values
	empty() bool        // cells of no values have a result
}

// Divided are cells whose long sequences of values are added in parts.
type divided interface {
	part(cell int) cells        // with one cell, for more values of a cell
	merge(cell int, part cells) // adds the values of a part; parts come in their order
}

// A matrix is the items of values in rows and columns, at most 2048 columns.
type matrix struct {
	data       []byte
	rows, cols int
	stride     int // bytes from one row to the next
	item       int // bytes
}

// row returns the items of a row.
func (m matrix) row(r int) []byte { return m.data[r*m.stride:][:m.cols*m.item] }

// Values are added in slabs of slabBytes. A slab begins at the same value however the array is stored, so that rounding is always the
// same. Long sequences of values of one cell are cut into parts of partValues, and pieceValues of a part are read as numbers at a time.
const (
	slabBytes   = 8 << 20
	inMemory    = 7 // and as many more slabs of an array in memory are added at once
	partValues  = 64 << 10
	pieceValues = 4096
)

// addAll adds the values of an array to the cells, in all their passes.
func addAll(ctx context.Context, results cells, src npy.Source, along []bool) error {
	a := &adder{ctx: ctx, results: results, item: src.DType().ItemSize(), scratch: make([]scratch, par.Workers())}
	if a.size = (format.Header{DType: src.DType(), Shape: src.Shape()}).Size(); a.size > 0 {
		a.groups = axes.Of(src.Shape(), along)
		a.slab = max(slabBytes/a.item, 1)
		if unit := slabUnit(a.groups); unit > 0 && unit <= a.slab {
			a.slab -= a.slab % unit
			a.memory = inMemory
		}
	}
	for range results.passes() {
		if err := a.pass(src); err != nil {
			return err
		}
		results.next()
	}
	return nil
}

// slabUnit returns a number of values such that slabs of any multiple of it have the same results, or 0.
func slabUnit(gs axes.Groups) int {
	switch g := gs[0]; {
	case len(gs) == 1:
		return partValues
	case len(gs) > 2:
		return 0
	case g.Step > 0: // whole rows, each of one cell
		return g.Unit
	default:
		return g.Unit * sumRows * max(wideRow/g.Unit, 1)
	}
}

// An adder adds slabs to cells.
type adder struct {
	ctx     context.Context
	results cells
	groups  axes.Groups
	size    int // values
	item    int // bytes
	slab    int // values
	memory  int // how many more slabs of an array in memory are one
	from    int // the next value to add
	scratch []scratch
}

// pass adds all values.
func (a *adder) pass(src npy.Source) error {
	a.from = 0
	if array, ok := src.(*npy.Array); ok && array.IsC() {
		data, _ := array.ViewBytes()
		for len(data) > 0 {
			n := min(len(data), (1+a.memory)*a.slab*a.item)
			if err := a.add(data[:n]); err != nil {
				return err
			}
			data = data[n:]
		}
		return nil
	}
	feed := rowsource.NewFeed(a.ctx, src, slabBytes)
	defer feed.Stop()
	var buf []byte
	for a.from < a.size {
		buf = bulk.Reuse(buf, min(a.size-a.from, a.slab)*a.item)
		if err := feed.Read(a.ctx, buf); err != nil {
			return err
		}
		if err := a.add(buf); err != nil {
			return err
		}
	}
	return nil
}

// add adds a slab.
func (a *adder) add(data []byte) error {
	n := len(data) / a.item
	err := a.groups.Blocks(a.ctx, a.from, a.from+n, a.workers(len(data)), func(w int, b axes.Block) {
		first := (b.First - a.from) * a.item
		if b.Along {
			a.along(&a.scratch[w], b, data[first:first+b.Cols*a.item])
			return
		}
		m := matrix{data[first:], b.Rows, b.Cols, b.Stride * a.item, a.item}
		a.results.rows(&a.scratch[w], b.Result, b.Position, m)
	})
	a.from += n
	return err
}

func (a *adder) workers(bytes int) int {
	if bytes < par.SplitMin {
		return 1
	}
	return len(a.scratch)
}

// along adds values to one cell. Many of them are divided among goroutines, in parts that do not depend on their number.
func (a *adder) along(s *scratch, b axes.Block, data []byte) {
	whole, ok := a.results.(divided)
	part := partValues * a.item
	if !ok || len(data) <= part {
		a.results.one(s, b.Result, b.Position, data)
		return
	}
	scratch := make([]scratch, a.workers(len(data)))
	_ = par.Ordered(a.ctx, (len(data)+part-1)/part, len(scratch), func(w, i int) (cells, error) {
		one := whole.part(b.Result)
		one.one(&scratch[w], 0, b.Position+i*partValues, data[i*part:min((i+1)*part, len(data))])
		return one, nil
	}, func(one cells) { whole.merge(b.Result, one) })
}

// A scratch is the memory of one goroutine.
type scratch struct {
	buffers [8]codec.Buffer // of numbers that are read at the same time
	ints    []int64
	sums    []float64
	floats  []float64
}

// A reader gives items as float64 or int64.
type reader struct {
	t     dtype.Type
	reals codec.Reals
	ints  codec.Decoder[int64] // nil for 64 bits
}

// isCount and isReal report whether items are integers or bools, and whether they are floats. Named types are not computed with here.
func isCount(t dtype.Type) bool {
	k := t.Kind()
	return k == dtype.KindBool || k == dtype.KindInt || k == dtype.KindUint
}

func isReal(t dtype.Type) bool { return elem.KindOf(t) == dtype.KindFloat }

func newReader(t dtype.Type) reader {
	return reader{t, codec.RealsOf(t), codec.Real[int64](t)}
}

// integers returns integers and bools in 64 bits.
func (r *reader) integers(s *scratch, items []byte) []int64 {
	if r.t.ItemSize() == 8 {
		return codec.View[int64](&s.buffers[0], items, !r.t.IsNative())
	}
	out := codec.Grow(&s.ints, len(items)/r.t.ItemSize())
	_ = r.ints(out, items) // there are no integers that it cannot read
	return out
}

// pieces calls do for the items of some thousand values, whose numbers fit the cache.
func (r *reader) pieces(data []byte, do func(items []byte)) {
	for size := pieceValues * r.t.ItemSize(); len(data) > 0; {
		n := min(size, len(data))
		do(data[:n])
		data = data[n:]
	}
}

// floatResult returns the dtype of a mean of values of t.
func floatResult(t dtype.Type) dtype.Type {
	if isReal(t) && t.Kind() == dtype.KindFloat && t.ItemSize() < 8 && t.ItemSize() > 1 {
		return t.WithByteOrder(dtype.NativeEndian)
	}
	if isReal(t) && t.Kind() == dtype.KindVoid || t.ItemSize() == 1 && isReal(t) {
		return dtype.Float32
	}
	return dtype.Float64
}

// floatArray returns floats as an array of dtype t.
func floatArray(t dtype.Type, xs []float64, shape []int) (*npy.Array, error) {
	size := t.ItemSize()
	data := bulk.MakeFill[byte](len(xs) * size)
	for i, x := range xs {
		bits := math.Float64bits(x)
		switch size {
		case 2:
			bits = uint64(scalar.Float16FromFloat64(x).Bits)
		case 4:
			bits = uint64(math.Float32bits(float32(x)))
		}
		bulk.PutUint(data[i*size:(i+1)*size], bits, t.ByteOrder() == dtype.BigEndian)
	}
	return npy.FromBytes(t, data, shape...)
}

func intArray(t dtype.Type, xs []int64, shape []int) (*npy.Array, error) {
	size := t.ItemSize()
	data := bulk.MakeFill[byte](len(xs) * size)
	for i, x := range xs {
		bulk.PutUint(data[i*size:(i+1)*size], uint64(x), t.ByteOrder() == dtype.BigEndian)
	}
	return npy.FromBytes(t, data, shape...)
}
