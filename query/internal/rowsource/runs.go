package rowsource

import (
	"bytes"
	"context"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/source"
)

// Runs returns the rows of src in runs, or nil if src does not know enough equal rows. A run may be one row many times: Value has
// the bytes of the row, and Count the number of rows. A row has size bytes, of one or more elements.
func Runs(ctx context.Context, src npy.Source, size int) (iter.Seq2[source.Run, error], error) {
	item := src.DType().ItemSize()
	if size == 0 || item == 0 {
		return nil, nil
	}
	unit := size / item
	runs, err := source.Runs(ctx, src, source.RunOptions{Unit: unit})
	if runs == nil || unit == 1 {
		return runs, err
	}
	return func(yield func(source.Run, error) bool) {
		for run, err := range runs {
			if run.Count /= unit; run.Value != nil {
				run.Value = bytes.Repeat(run.Value, unit)
			}
			if !yield(run, err) {
				return
			}
		}
	}, nil
}

// AllRuns is Runs for a caller that takes the blocks of every other src in the same way, as whole rows.
func AllRuns(ctx context.Context, src npy.Source, size int) (iter.Seq2[source.Run, error], error) {
	runs, err := Runs(ctx, src, size)
	if runs != nil || err != nil {
		return runs, err
	}
	return func(yield func(source.Run, error) bool) {
		var cut []byte // of a row that comes in several blocks
		for block, err := range src.Blocks(ctx, 0) {
			if err != nil {
				yield(source.Run{}, err)
				return
			}
			data, _ := block.ViewBytes() // blocks are in C order
			if size > 0 && (len(cut) > 0 || len(data)%size > 0) {
				cut = append(cut, data...)
				if len(cut)%size > 0 {
					continue
				}
				data, cut = cut, nil
			}
			if !yield(source.Run{Data: data, Count: len(data) / max(size, 1)}, nil) {
				return
			}
		}
	}, nil
}
