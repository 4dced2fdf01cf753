package along

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/axes"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/stats/internal/feed"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/tally"
)

// An Accumulator summarises data that arrives in pieces along axes. It holds the cells, and up to 16 MB of data.
type Accumulator struct {
	h       format.Header
	shape   []int // of the results, in the order of the file: the last axis varies fastest
	groups  axes.Groups
	results int
	each    int64 // elements of a result
	column  tally.Column
	cells   cells // of the results that have received data
	slab    int   // bytes
	tallied int   // elements
	slabs   feed.Cutter
	have    int64 // bytes of whole slabs
	size    int64 // bytes of the array
	want    int64 // bits of Along
	scratch []*items.Scratch
}

// slabBytes is the size of a slab, the data that is processed at once. Slabs begin at fixed positions.
const slabBytes = 16 << 20

// maxEmpty limits the number of results for an array without elements.
const maxEmpty = 1 << 20

// New returns an Accumulator for the array that h describes.
func (a Along) New(h format.Header) (Accumulator, error) {
	if !(a.Mean || a.Std || a.Min || a.Max || a.Sum) {
		a.Mean, a.Std, a.Min, a.Max, a.Sum = true, true, true, true, true
	}
	to := cellsFor(h.DType, a)
	if to == nil {
		return Accumulator{}, diag.Errorf("stats", "statistics along an axis need real numbers, bools or times, not dtype %s: %w", h.DType, errors.ErrUnsupported)
	}
	if err := h.Validate(); err != nil {
		return Accumulator{}, err
	}
	along, err := a.axes(len(h.Shape))
	if err != nil {
		return Accumulator{}, err
	}
	shape := slices.Clone(h.Shape)
	if h.FortranOrder {
		slices.Reverse(shape)
		slices.Reverse(along)
	}
	acc := Accumulator{h: h, groups: axes.Of(shape, along), shape: []int{}, each: 1, cells: to, size: h.NBytes(), want: a.bits()}
	for i, n := range shape {
		if along[i] {
			acc.each *= int64(n)
		} else {
			acc.shape = append(acc.shape, n)
		}
	}
	if acc.results, err = countCells(acc.shape, h.Size()); err != nil {
		return Accumulator{}, err
	}
	if acc.tallied = talliedInts; elem.KindOf(h.DType) == dtype.KindFloat {
		acc.tallied = talliedFloats
	}
	size := h.DType.ItemSize()
	acc.slab = slabBytes / size * size
	acc.column = tally.WithoutPositions(h.DType)
	return acc, nil
}

// cellsFor returns the cells for elements of t, or nil if they have no statistics along an axis.
func cellsFor(t dtype.Type, want Along) cells {
	switch elem.KindOf(t) {
	case dtype.KindFloat:
		return newFloatCells(want, codec.FloatsOf(t, t.ItemSize()))
	case dtype.KindBool, dtype.KindInt, dtype.KindUint, dtype.KindDatetime, dtype.KindTimedelta:
		return newIntCells(t, want)
	}
	return nil
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
		if cells, ok = items.Mul(cells, int64(n)); !ok || cells > int64(max(size, maxEmpty)) {
			return 0, diag.Wrap("stats", bounded.Over("", 0, 0, "over %d results for %d elements", maxEmpty, size))
		}
	}
	return int(cells), nil
}

// Add adds bytes of the elements in file order. Pieces may begin and end anywhere. data is not retained. Bytes beyond the size that
// the header states are ignored.
func (acc *Accumulator) Add(data []byte) {
	begun := acc.have + int64(len(acc.slabs.Rest()))
	data = data[:min(int64(len(data)), acc.size-begun)]
	if acc.size == 0 {
		return
	}
	last := acc.size % int64(acc.slab) // the bytes of a last slab that is shorter
	whole := min(int64(len(data)), max(acc.size-last-begun, 0))
	acc.slabs.Cut(data[:whole], acc.slab, acc.addSlabs)
	acc.slabs.Cut(data[whole:], int(last), acc.addSlabs)
}

// addSlabs adds the next slabs.
func (acc *Accumulator) addSlabs(data []byte) {
	for slab := range slices.Chunk(data, acc.slab) {
		acc.addSlab(slab)
	}
}

// addSlab adds the next slab. Each cell belongs to one goroutine, which adds to it in the order of the elements, so that
// the results do not depend on the number of goroutines.
func (acc *Accumulator) addSlab(data []byte) {
	from := int(acc.have / int64(acc.column.Size))
	to := from + len(data)/acc.column.Size
	acc.have += int64(len(data))
	acc.cells.grow(acc.groups.Reach(to), acc.results)
	workers := 1
	if len(data) >= par.SplitMin {
		workers = par.Workers()
	}
	for len(acc.scratch) < workers {
		acc.scratch = append(acc.scratch, new(items.Scratch))
	}
	_ = acc.groups.Each(context.Background(), from, to, workers, func(w int, gs axes.Groups, start, cell, low, high int) {
		acc.addSpan(acc.scratch[w], gs, start, cell, low, high, data, from)
	})
}

// Consecutive elements of one result are worth a tally from this number on.
const (
	talliedFloats = 12
	talliedInts   = 64
)

// addSpan adds consecutive elements. data begins with the element first.
func (acc *Accumulator) addSpan(s *items.Scratch, gs axes.Groups, start, cell, low, high int, data []byte, first int) {
	size := acc.column.Size
	if last := acc.groups[len(acc.groups)-1]; last.Step == 0 && last.N >= acc.tallied {
		gs.Runs(start, cell, low, high, func(cell, _, from, to int) {
			var t tally.Tally
			acc.column.Add(s, &t, data[(from-first)*size:(to-first)*size], 0)
			acc.cells.tally(cell, &t)
		})
		return
	}
	for ; low < high; low += items.Chunk {
		end := min(low+items.Chunk, high)
		at := start + low
		xs := acc.cells.read(s, data[(at-first)*size:(start+end-first)*size])
		gs.Runs(start, cell, low, end, func(cell, step, from, to int) {
			acc.cells.add(cell, step, xs.part(from-at, to-at))
		})
	}
}

// Result returns the summary of the data added. Missing bytes are an error that wraps [io.ErrUnexpectedEOF].
func (acc *Accumulator) Result() (Axis, error) {
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
func (acc *Accumulator) complete() error {
	if have := acc.have + int64(len(acc.slabs.Rest())); have < acc.size {
		return diag.Errorf("stats", "the data ends after %d of %d bytes: %w", have, acc.size, io.ErrUnexpectedEOF)
	}
	acc.cells.grow(acc.results, acc.results)
	return nil
}
