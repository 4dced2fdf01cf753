package order

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
)

// Along returns src sorted along an axis. A negative axis counts from the end. The array is held in memory, twice while it is sorted,
// with up to 24 bytes for each element of the lanes being sorted. More than a Memory that is set is an error.
func (s Sort) Along(ctx context.Context, src npy.Source, axis int) (*npy.Array, error) {
	if s.By != nil {
		return nil, diag.Errorf("query", "keys and an axis exclude each other; choose one")
	}
	shape := src.Shape()
	ndim := len(shape)
	if axis < -ndim || axis >= ndim {
		return nil, diag.Errorf("query", "axis %d is out of range for an array of %d dimensions", axis, ndim)
	}
	axis = (axis + ndim) % ndim
	if err := rowsource.CheckOrder(src.DType()); err != nil {
		return nil, err
	}
	h := format.Header{DType: src.DType(), Shape: shape}
	if need := 2*h.NBytes() + laneMemory(h, shape[axis]); s.Memory > 0 && need > s.Memory {
		return nil, diag.Wrap("query", bounded.Over("Memory", s.Memory, need, "sorting along an axis takes %d bytes of memory, over %d", need, s.Memory))
	}
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	axes := make([]int, ndim)
	for i := range axes {
		axes[i] = i
	}
	axes[axis], axes[ndim-1] = ndim-1, axis // its own inverse
	if a, err = a.Transpose(axes...); err != nil {
		return nil, err
	}
	lanes, err := npy.FromBytes(a.DType(), a.Bytes(), a.Shape()...)
	if err != nil {
		return nil, err
	}
	if err := s.sortLanes(ctx, lanes, shape[axis]); err != nil {
		return nil, err
	}
	return lanes.Transpose(axes...)
}

// laneWorkers returns the number of goroutines that sort count lanes of n elements: 1 if all of them share a lane.
func laneWorkers(count, n int) int {
	if workers := par.Workers(); count >= workers && n <= bigSort {
		return workers
	}
	return 1
}

// laneMemory returns the bytes for the lanes of n elements that are sorted at a time, and for their keys.
func laneMemory(h format.Header, n int) int64 {
	if h.NBytes() == 0 {
		return 0
	}
	count := h.Size() / n
	return int64(laneWorkers(count, n)) * (h.NBytes()/int64(count) + tableRow*int64(min(n, rowsMax)))
}

// sortLanes sorts the parts of n elements that follow each other.
func (s Sort) sortLanes(ctx context.Context, a *npy.Array, n int) error {
	empty, err := npy.New(a.DType(), 0) // n may be any number if a has no elements
	if err != nil {
		return err
	}
	p, err := sortkey.For(empty, nil, s.Descending)
	if err != nil || a.NBytes() == 0 {
		return err
	}
	if int64(n) > rowsMax {
		return tooManyRows(n)
	}
	data, _ := a.ViewBytes()
	bytes := n * p.Row
	count := len(data) / bytes
	workers := laneWorkers(count, n)
	tables, bufs := make([]*keyTable, workers), make([][]byte, workers)
	ctx = par.WithBudget(ctx)
	return par.Each(ctx, count, workers, func(w, i int) error {
		if tables[w] == nil {
			tables[w], bufs[w] = newKeyTable(n, true), bulk.Make(bytes)
		}
		lane := data[i*bytes : (i+1)*bytes]
		copy(bufs[w], lane)
		return newSorter(p).sorted(ctx, tables[w], bufs[w], bytes, func(rows []byte) error { copy(lane, rows); return nil })
	})
}
