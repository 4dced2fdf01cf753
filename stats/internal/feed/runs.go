package feed

import (
	"context"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/source"
)

// Runs adds runs: data by add, n equal elements by copies.
func Runs(runs iter.Seq2[source.Run, error], add func(data []byte), copies func(value []byte, n int)) error {
	for run, err := range runs {
		switch {
		case err != nil:
			return err
		case run.Data != nil:
			add(run.Data)
		default:
			copies(run.Value, run.Count)
		}
	}
	return nil
}

// eachRun calls add for all elements of src: for data once, for one element the number of times that it is there.
func eachRun(ctx context.Context, src npy.Source, add func(data []byte, times int64)) error {
	runs, err := source.Runs(ctx, src, source.RunOptions{Memory: Memory})
	if err != nil {
		return err
	}
	once := func(data []byte) { add(data, 1) }
	if runs == nil {
		return Blocks(ctx, src, Memory, once)
	}
	return Runs(runs, once, func(value []byte, n int) { add(value, int64(n)) })
}
