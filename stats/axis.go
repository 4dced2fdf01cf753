package stats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/source"
)

// maxEmpty limits the number of results for an array without elements.
const maxEmpty = 1 << 20

// An Axis is the summary of an array along one or more axes: arrays in C order with the shape of the array without them.
// Results that were not wanted are nil.
type Axis struct {
	Mean *npy.Array // float64; of times their dtype, rounded as in [Of]
	Std  *npy.Array // float64; nil for times
	Min  *npy.Array // the dtype of the elements for integers, bools and times; float64 for floats
	Max  *npy.Array // as Min
	Sum  *npy.Array // int64 or uint64 for integers and bools, or Python integers where sums fit neither; float64 for floats; nil for times
}

// Along says along which axes an array is summarised, and which results are wanted. Its zero value wants everything of
// all elements.
type Along struct {
	Axes                     []int // NumPy's axis=(0, 1), where a negative axis counts from the last; nil for all axes, one result
	Mean, Std, Min, Max, Sum bool  // the results wanted; none for all of them
}

// AxisOf summarises an array along one axis. It is [Along.Of] of that axis, where everything is wanted.
func AxisOf(ctx context.Context, src npy.Source, axis int) (Axis, error) {
	return Along{Axes: []int{axis}}.Of(ctx, src)
}

// Of summarises an array of real numbers, bools or times. The results equal numpy.nanmean, nanstd, nanmin, nanmax and
// nansum with axis=Axes. Results of integers are exact: the extremes and the sums have all their digits, the mean is
// rounded once. Floats have sums with the digits of two float64, of numbers of every magnitude, as in [Of]. If
// all elements of a result are NaN or NaT, the result is, too, and the sum is 0.
//
// Memory holds up to 16 MB of src. Each result takes 16 bytes for mean and sum together, 8 for each extreme, 24 for the
// standard deviation, 8 more if there are NaN or NaT, 48 more if numbers or their distances are above 1e132 or below 1e-120, and
// the result itself.
//
// A shape with many results and no elements, such as (10**18, 0), is an error that wraps [npy.ErrLimit]. A dtype that is
// not numeric is an error that wraps [errors.ErrUnsupported].
func (a Along) Of(ctx context.Context, src npy.Source) (Axis, error) {
	h := format.Header{DType: src.DType(), Shape: src.Shape()}
	src, h.FortranOrder = npy.StoredOrder(src)
	acc, err := a.New(h)
	if err != nil {
		return Axis{}, err
	}
	if err := acc.addAll(ctx, src); err != nil {
		return Axis{}, err
	}
	return acc.Result()
}

// addAll adds the elements of src.
func (acc *AxisAccumulator) addAll(ctx context.Context, src npy.Source) error {
	runs, err := source.Runs(ctx, src, source.RunOptions{Unit: acc.slab / acc.column.size, Memory: slabBytes})
	if err != nil {
		return err
	}
	if runs != nil {
		if err := source.CheckBytes(src, resultBytes*int64(acc.results)); err != nil { // which src may not have elements for
			return err
		}
		return addRuns(runs, acc.Add, acc.addCopies)
	}
	return eachBlock(ctx, src, slabBytes, acc.Add)
}

// An AxisAccumulator summarises data that arrives in pieces along axes. It holds the memory of [Along.Of], and up to 16 MB
// of data. It must not be used by several goroutines at once. Add itself uses several processors, until it returns.
type AxisAccumulator struct {
	h       format.Header
	shape   []int // of the results, in the order of the file: the last axis varies fastest
	groups  []axisGroup
	results int
	each    int64 // elements of a result
	column  column
	cells   cells  // of the results that have received data
	slab    int    // bytes
	tallied int    // elements
	rest    []byte // an incomplete slab
	have    int64  // bytes before rest
	size    int64  // bytes of the array
	want    int64  // bits of Along
	scratch []*scratch
}

// slabBytes is the size of a slab, the data that is processed at once. Slabs begin at fixed positions.
const slabBytes = 16 << 20

// NewAxis returns an AxisAccumulator along one axis of the array that h describes. It is [Along.New] of that axis, where
// everything is wanted.
func NewAxis(h format.Header, axis int) (*AxisAccumulator, error) {
	return Along{Axes: []int{axis}}.New(h)
}

// New returns an AxisAccumulator for the array that h describes. It returns the errors of [Along.Of].
func (a Along) New(h format.Header) (*AxisAccumulator, error) {
	if !(a.Mean || a.Std || a.Min || a.Max || a.Sum) {
		a.Mean, a.Std, a.Min, a.Max, a.Sum = true, true, true, true, true
	}
	to := cellsFor(h.DType, a)
	if to == nil {
		return nil, fmt.Errorf("stats: statistics along an axis need real numbers, bools or times, not dtype %s: %w", h.DType, errors.ErrUnsupported)
	}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	along, err := a.axes(len(h.Shape))
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(h.Shape)
	if h.FortranOrder {
		slices.Reverse(shape)
		slices.Reverse(along)
	}
	acc := &AxisAccumulator{h: h, groups: groupsOf(shape, along), shape: []int{}, each: 1, cells: to, size: h.NBytes(), want: a.bits()}
	for i, n := range shape {
		if along[i] {
			acc.each *= int64(n)
		} else {
			acc.shape = append(acc.shape, n)
		}
	}
	if acc.results, err = countCells(acc.shape, h.Size()); err != nil {
		return nil, err
	}
	if acc.tallied = talliedInts; elem.KindOf(h.DType) == dtype.KindFloat {
		acc.tallied = talliedFloats
	}
	size := h.DType.ItemSize()
	acc.slab = slabBytes / size * size
	acc.column = column{size: size, kernel: kernel{add: kernelFor(h.DType).add}}
	return acc, nil
}

// axes returns which of the axes of an array are summarised.
func (a Along) axes(ndim int) ([]bool, error) {
	along := make([]bool, ndim)
	for i := range along {
		along[i] = a.Axes == nil
	}
	for _, axis := range a.Axes {
		if axis < -ndim || axis >= ndim {
			return nil, fmt.Errorf("stats: axis %d is out of bounds for an array of %d dimensions", axis, ndim)
		}
		if axis = (axis + ndim) % ndim; along[axis] {
			return nil, fmt.Errorf("stats: axis %d is given twice: name each axis once", axis)
		}
		along[axis] = true
	}
	return along, nil
}

// countCells returns the number of results for a shape. An array without elements must not have many results.
func countCells(shape []int, size int) (int, error) {
	cells := int64(1)
	for _, n := range shape {
		if n == 0 {
			return 0, nil
		}
	}
	for _, n := range shape {
		var ok bool
		if cells, ok = mul(cells, int64(n)); !ok || cells > int64(max(size, maxEmpty)) {
			return 0, bounded.Over("", 0, 0, "stats: over %d results for %d elements", maxEmpty, size)
		}
	}
	return int(cells), nil
}

// Add adds bytes of the elements in file order, as [format.Header.FortranOrder] says. Pieces may begin and end
// anywhere. data is not retained. Bytes beyond the size that the header states are ignored.
func (acc *AxisAccumulator) Add(data []byte) {
	data = data[:min(int64(len(data)), acc.size-acc.have-int64(len(acc.rest)))]
	for len(data) > 0 {
		size := int(min(int64(acc.slab), acc.size-acc.have))
		if len(acc.rest) == 0 && len(data) >= size {
			acc.addSlab(data[:size])
			data = data[size:]
			continue
		}
		n := min(size-len(acc.rest), len(data))
		acc.rest = append(acc.rest, data[:n]...)
		data = data[n:]
		if len(acc.rest) == size {
			acc.addSlab(acc.rest)
			acc.rest = acc.rest[:0]
		}
	}
}

// addSlab adds the next slab. Each cell belongs to one goroutine, which adds to it in the order of the elements, so that
// the results do not depend on the number of goroutines.
func (acc *AxisAccumulator) addSlab(data []byte) {
	from := int(acc.have / int64(acc.column.size))
	to := from + len(data)/acc.column.size
	acc.have += int64(len(data))
	acc.cells.grow(reach(acc.groups, to), acc.results)
	workers := 1
	if len(data) >= par.SplitMin {
		workers = par.Workers()
	}
	for len(acc.scratch) < workers {
		acc.scratch = append(acc.scratch, new(scratch))
	}
	parts := clips(acc.groups, from, to, workers)
	_ = par.Each(context.Background(), len(parts), workers, func(w, i int) error {
		spans(acc.groups, parts[i], from, to, func(gs []axisGroup, start, cell, low, high int) {
			acc.addSpan(acc.scratch[w], gs, start, cell, low, high, data, from)
		})
		return nil
	})
}

// Consecutive elements of one result are worth a tally from this number on.
const (
	talliedFloats = 12
	talliedInts   = 64
)

// addSpan adds consecutive elements. data begins with the element first.
func (acc *AxisAccumulator) addSpan(s *scratch, gs []axisGroup, start, cell, low, high int, data []byte, first int) {
	size := acc.column.size
	if last := acc.groups[len(acc.groups)-1]; last.step == 0 && last.n >= acc.tallied {
		runs(gs, start, cell, low, high, func(cell, _, from, to int) {
			var t tally
			s.chunks(&t, acc.column, data[(from-first)*size:(to-first)*size], 0)
			acc.cells.tally(cell, &t)
		})
		return
	}
	for ; low < high; low += chunkItems {
		end := min(low+chunkItems, high)
		at := start + low
		xs := acc.cells.read(s, data[(at-first)*size:(start+end-first)*size])
		runs(gs, start, cell, low, end, func(cell, step, from, to int) {
			acc.cells.add(cell, step, xs.part(from-at, to-at))
		})
	}
}

// Result returns the summary of the data added. Missing bytes are an error that wraps [io.ErrUnexpectedEOF].
func (acc *AxisAccumulator) Result() (Axis, error) {
	if err := acc.complete(); err != nil {
		return Axis{}, err
	}
	x, err := acc.cells.axis(acc.shape, acc.each)
	if err != nil {
		return Axis{}, err
	}
	if acc.h.FortranOrder {
		for _, a := range []**npy.Array{&x.Mean, &x.Std, &x.Min, &x.Max, &x.Sum} {
			if *a != nil {
				*a = (*a).T().Contiguous()
			}
		}
	}
	return x, nil
}

// complete returns an error if bytes are missing. Else all cells exist.
func (acc *AxisAccumulator) complete() error {
	if have := acc.have + int64(len(acc.rest)); have < acc.size {
		return fmt.Errorf("stats: the data ends after %d of %d bytes: %w", have, acc.size, io.ErrUnexpectedEOF)
	}
	acc.cells.grow(acc.results, acc.results)
	return nil
}

// sums reports whether a result needs sums.
func (a Along) sums() bool { return a.Mean || a.Sum || a.Std }
