package stats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/par"
)

// maxEmpty limits the number of results for an array without elements.
const maxEmpty = 1 << 20

// An Axis is the summary of an array along one axis: arrays in C order with the shape of the array without that axis.
type Axis struct {
	Mean *npy.Array // float64; of times their dtype, rounded as in [Of]
	Std  *npy.Array // float64; nil for times
	Min  *npy.Array // the dtype of the elements for integers, bools and times; float64 for floats
	Max  *npy.Array // as Min
	Sum  *npy.Array // int64 or uint64 for integers and bools, or Python integers where sums fit neither; float64 for floats; nil for times
}

// AxisOf summarises an array of real numbers, bools or times along one axis. A negative axis counts from the last. The
// results are those of numpy.nanmean, nanstd, nanmin, nanmax and nansum with axis=axis. Those of integers are exact: the
// extremes and the sums have all their digits, the mean is rounded once. If all elements of a result are NaN or NaT, the
// result is, too, and the sum is 0. Memory holds the results and a few blocks of src.
//
// A shape with many results and no elements, such as (10**18, 0), is an error that wraps [npy.ErrLimit]. A dtype that is
// not numeric is an error that wraps [errors.ErrUnsupported].
func AxisOf(ctx context.Context, src npy.Source, axis int) (Axis, error) {
	h := format.Header{DType: src.DType(), Shape: src.Shape()}
	src, h.FortranOrder = npy.StoredOrder(src)
	acc, err := NewAxis(h, axis)
	if err != nil {
		return Axis{}, err
	}
	if err := eachBlock(ctx, src, acc.Add); err != nil {
		return Axis{}, err
	}
	return acc.Result()
}

// An AxisAccumulator summarises data that arrives in pieces along an axis. It holds a cell of some 100 bytes per result,
// and a block of the array. It must not be used by several goroutines at once. Add itself uses all processors, until it
// returns.
type AxisAccumulator struct {
	h       format.Header
	axis    int // in the order of the file: the last axis varies fastest
	shape   []int
	results int
	column  column
	slabs   slabs
	cells   cells  // of the results that have received data
	rest    []byte // an incomplete slab
	have    int64  // bytes before rest
}

// NewAxis returns an AxisAccumulator for the array that h describes. The errors are those of [AxisOf].
func NewAxis(h format.Header, axis int) (*AxisAccumulator, error) {
	to := cellsFor(h.DType)
	if to == nil {
		return nil, fmt.Errorf("stats: statistics along an axis need real numbers, bools or times, not dtype %s: %w", h.DType, errors.ErrUnsupported)
	}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	ndim := len(h.Shape)
	if axis < -ndim || axis >= ndim {
		return nil, fmt.Errorf("stats: axis %d is out of bounds for an array of %d dimensions", axis, ndim)
	}
	axis = (axis + ndim) % ndim
	shape := slices.Clone(h.Shape)
	if h.FortranOrder {
		slices.Reverse(shape)
		axis = ndim - 1 - axis
	}
	cells, err := countCells(slices.Delete(slices.Clone(shape), axis, axis+1), h.Size())
	if err != nil {
		return nil, err
	}
	c := column{size: h.DType.ItemSize(), kernel: kernel{add: kernelFor(h.DType).add}}
	return &AxisAccumulator{h: h, axis: axis, shape: shape, results: cells, column: c, cells: to, slabs: newSlabs(shape, axis, c.size, slabBytes)}, nil
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

// Add adds bytes of the elements in file order, which is that of [format.Header.FortranOrder]. Pieces may begin and end
// anywhere. data is not retained. Bytes beyond the size that the header states are ignored.
func (acc *AxisAccumulator) Add(data []byte) {
	data = data[:min(int64(len(data)), acc.h.NBytes()-acc.have-int64(len(acc.rest)))]
	for len(data) > 0 {
		size := acc.slabs.at(acc.have).bytes()
		if len(acc.rest) == 0 && len(data) >= size {
			acc.addSlab(data[:size])
			data = data[size:]
			continue
		}
		n := min(size-len(acc.rest), len(data))
		acc.rest = append(acc.rest, data[:n]...)
		data = data[n:]
		if len(acc.rest) == size {
			slab := acc.rest
			acc.rest = acc.rest[:0]
			acc.addSlab(slab)
		}
	}
}

// addSlab adds the next slab. Each cell belongs to one goroutine, so the sums do not depend on the number of goroutines.
func (acc *AxisAccumulator) addSlab(data []byte) {
	s := acc.slabs.at(acc.have)
	acc.have += int64(len(data))
	rows := data
	if s.width > 1 {
		a, _ := npy.FromBytes(acc.h.DType, data, s.outer, s.rows, s.width) // the slab has exactly this size
		a, _ = a.Transpose(0, 2, 1)
		rows, _ = a.Contiguous().ViewBytes()
	}
	acc.grow(s.cell + s.outer*s.width)
	row := s.rows * acc.column.size
	_ = par.Split(context.Background(), s.outer*s.width, 1, len(data), func(low, high int) error {
		var scratch scratch
		for i := low; i < high; i++ {
			var t tally
			scratch.chunks(&t, acc.column, rows[i*row:(i+1)*row], 0)
			acc.cells.add(s.cell+i, &t)
		}
		return nil
	})
}

// grow extends cells to n. It is called as data arrives, so a header alone allocates nothing.
func (acc *AxisAccumulator) grow(n int) {
	if n > acc.cells.len() {
		acc.cells.grow(n)
	}
}

// Result returns the summary of the data added. Missing bytes are an error that wraps [io.ErrUnexpectedEOF].
func (acc *AxisAccumulator) Result() (Axis, error) {
	if have := acc.have + int64(len(acc.rest)); have < acc.h.NBytes() {
		return Axis{}, fmt.Errorf("stats: the data ends after %d of %d bytes: %w", have, acc.h.NBytes(), io.ErrUnexpectedEOF)
	}
	acc.grow(acc.results)
	shape := slices.Delete(slices.Clone(acc.shape), acc.axis, acc.axis+1)
	x, err := acc.cells.axis(shape)
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
