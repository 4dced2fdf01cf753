package stats

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/par"
)

// maxHollow is how many results there may be without an element behind any of them.
const maxHollow = 1 << 20

// Axis summarises an array of real numbers or bools along one axis, which may be negative to count from the last:
// what numpy.nanmean, nanstd, nanmin and nanmax return with axis=axis, as arrays of float64. Integers are rounded to
// float64 first. Where there is nothing but NaN the result is NaN.
//
// An array that is neither in C nor in Fortran order is copied. Shapes such as (10**18, 0), that would make
// many results of nothing, are refused with an error that wraps [npy.ErrLimit], and dtypes that are not numbers with
// one that wraps [errors.ErrUnsupported].
func Axis(a *npy.Array, axis int) (mean, std, lowest, highest *npy.Array, err error) {
	h := format.Header{DType: a.DType(), Shape: a.Shape(), FortranOrder: a.IsFortran()}
	acc, err := NewAxis(h, axis)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if h.FortranOrder {
		a = a.T()
	}
	data, _ := a.Contiguous().ViewBytes() // it is in C order
	acc.Add(data)
	return acc.Result()
}

// AxisOfFile is [Axis] for a[index...] of a file of any size. Its memory holds the results and a few blocks.
func AxisOfFile(f *npy.File, axis int, index ...npy.Index) (mean, std, lowest, highest *npy.Array, err error) {
	part, err := npy.PartOf(f.Header(), index...)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	h := format.Header{DType: part.DType(), Shape: part.Shape(), FortranOrder: len(index) == 0 && f.Header().FortranOrder}
	acc, err := NewAxis(h, axis)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if len(index) == 0 {
		err = eachPiece(f.Data(), h.NBytes(), pieceBytes, acc.Add)
	} else {
		err = eachBlock(f, index, acc.Add)
	}
	if err != nil {
		return nil, nil, nil, nil, err
	}
	return acc.Result()
}

// An AxisAccumulator summarises along an axis what comes in pieces. It holds a cell of some 100 bytes for each result,
// and a block of the array. It is not for several goroutines at once; Add uses all processors until it returns.
type AxisAccumulator struct {
	h       format.Header
	axis    int // in the order of the file: the last runs fastest
	shape   []int
	results int
	leaf    leaf
	slabs   slabs
	cells   []cell // of the results that something has come for
	rest    []byte // the start of a slab
	have    int64  // bytes before that
}

// A cell is what is known of the elements behind one result.
type cell struct {
	m        moments
	nans     int64
	min, max float64
}

// NewAxis returns an AxisAccumulator for the array that h describes. The errors are those of [Axis].
func NewAxis(h format.Header, axis int) (*AxisAccumulator, error) {
	add, err := axisKernel(h.DType)
	if err != nil {
		return nil, err
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
	l := leaf{size: h.DType.ItemSize(), add: add}
	return &AxisAccumulator{h: h, axis: axis, shape: shape, results: cells, leaf: l, slabs: newSlabs(shape, axis, l.size, slabBytes)}, nil
}

// countCells returns the number of results of a shape, which must not be many if there are no elements.
func countCells(shape []int, size int) (int, error) {
	cells := int64(1)
	for _, n := range shape {
		if n == 0 {
			return 0, nil
		}
	}
	for _, n := range shape {
		var ok bool
		if cells, ok = mul(cells, int64(n)); !ok || cells > int64(max(size, maxHollow)) {
			return 0, fmt.Errorf("stats: over %d results for %d elements: %w", maxHollow, size, npy.ErrLimit)
		}
	}
	return int(cells), nil
}

// Add adds bytes of the elements, in the order of the file, that is of [format.Header.FortranOrder]. Pieces may begin
// and end anywhere. Nothing is kept of data, and what is more than the header says is ignored.
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

// addSlab adds the next slab. Each cell belongs to one goroutine, so that the sums are the same for any number of them.
func (acc *AxisAccumulator) addSlab(data []byte) {
	s := acc.slabs.at(acc.have)
	acc.have += int64(len(data))
	rows := data
	if s.width > 1 {
		a, _ := npy.FromBytes(acc.h.DType, data, s.outer, s.rows, s.width) // that is its size
		a, _ = a.Transpose(0, 2, 1)
		rows, _ = a.Contiguous().ViewBytes()
	}
	acc.grow(s.cell + s.outer*s.width)
	row := s.rows * acc.leaf.size
	_ = par.Split(context.Background(), s.outer*s.width, 1, len(data), func(low, high int) error {
		var scratch scratch
		for i := low; i < high; i++ {
			var t tally
			scratch.chunks(&t, acc.leaf, rows[i*row:(i+1)*row])
			acc.cells[s.cell+i].add(&t)
		}
		return nil
	})
}

// grow makes room for n cells. The header alone is no reason to.
func (acc *AxisAccumulator) grow(n int) {
	if n > len(acc.cells) {
		acc.cells = append(acc.cells, make([]cell, n-len(acc.cells))...)
	}
}

// add merges a tally of real numbers.
func (c *cell) add(t *tally) {
	if t.count > t.nans {
		lo, hi := t.fmin, t.fmax
		if c.m.count() > 0 {
			lo, hi = min(lo, c.min), max(hi, c.max)
		}
		c.min, c.max = lo, hi
	}
	c.m.merge(&t.re)
	c.nans += t.nans
}

// Result returns the arrays that [Axis] does, in C order, of what was added: bytes that are missing are an error that
// wraps [io.ErrUnexpectedEOF].
func (acc *AxisAccumulator) Result() (mean, std, lowest, highest *npy.Array, err error) {
	if have := acc.have + int64(len(acc.rest)); have < acc.h.NBytes() {
		return nil, nil, nil, nil, fmt.Errorf("stats: the data ends after %d of %d bytes: %w", have, acc.h.NBytes(), io.ErrUnexpectedEOF)
	}
	acc.grow(acc.results)
	shape := slices.Delete(slices.Clone(acc.shape), acc.axis, acc.axis+1)
	var out [4]*npy.Array
	for i, value := range []func(cell) float64{
		func(c cell) float64 { return c.m.mean() },
		func(c cell) float64 { return math.Sqrt(c.m.variance()) },
		func(c cell) float64 { return c.min },
		func(c cell) float64 { return c.max },
	} {
		xs := make([]float64, len(acc.cells))
		for k, c := range acc.cells {
			if xs[k] = math.NaN(); c.m.count() > 0 {
				xs[k] = value(c)
			}
		}
		if out[i], err = npy.FromSlice(xs, shape...); err != nil {
			return nil, nil, nil, nil, err
		}
		if acc.h.FortranOrder {
			out[i] = out[i].T().Contiguous()
		}
	}
	return out[0], out[1], out[2], out[3], nil
}

// axisKernel returns a kernel that adds the items of t as floats.
func axisKernel(t dtype.Type) (kernel, error) {
	read, err := realsOf(t)
	if err != nil {
		return nil, fmt.Errorf("stats: dtype %s along an axis, which only real numbers and bools are summarised along: %w", t, err)
	}
	return func(s *scratch, t *tally, items []byte) { t.addFloats(s, read(s, items)) }, nil
}
