package query

import (
	"bytes"
	"context"
	"iter"

	"github.com/npygo/npy"
)

// rowRuns returns the rows of src in runs, of which some are one row many times, or nil if src does not know enough rows that are
// equal. A row has size bytes, of one or more elements. Value has those of one row, and Count the number of rows.
func rowRuns(ctx context.Context, src npy.Source, size int) (iter.Seq2[npy.Run, error], error) {
	item := src.DType().ItemSize()
	if size == 0 || item == 0 {
		return nil, nil
	}
	unit := size / item
	runs, err := npy.RunsOf(ctx, src, npy.RunOptions{Unit: unit})
	if runs == nil || unit == 1 {
		return runs, err
	}
	return func(yield func(npy.Run, error) bool) {
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
