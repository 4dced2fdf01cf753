package along

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/source"
	"github.com/npygo/npy/stats/internal/feed"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/tally"
)

// Of summarises an array, wherever it is stored.
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
func (acc *Accumulator) addAll(ctx context.Context, src npy.Source) error {
	runs, err := source.Runs(ctx, src, source.RunOptions{Unit: acc.slab / acc.column.Size, Memory: slabBytes})
	if err != nil {
		return err
	}
	if runs != nil {
		if err := source.CheckBytes(src, resultBytes*int64(acc.results)); err != nil { // which src may not have elements for
			return err
		}
		return feed.Runs(runs, acc.Add, acc.addCopies)
	}
	return feed.Blocks(ctx, src, slabBytes, acc.Add)
}

// resultBytes is about the memory of a result along axes.
const resultBytes = 100

// addCopies adds n equal elements, which begin where a slab does.
func (acc *Accumulator) addCopies(value []byte, n int) {
	from := int(acc.have / int64(acc.column.Size))
	acc.have += int64(n) * int64(acc.column.Size)
	acc.cells.grow(acc.groups.Reach(from+n), acc.results)
	var s items.Scratch
	var one, many tally.Tally
	acc.column.Add(&s, &one, value, 0)
	last := int64(0) // many has so many
	acc.groups.Copies(0, from, from+n, 1, func(cell, step, cells int, n int64) {
		if n != last {
			many, last = one.Repeated(n), n
		}
		for range cells {
			t := many
			acc.cells.tally(cell, &t)
			cell += step
		}
	})
}
