package feed

import (
	"context"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/stats/internal/items"
)

// Passes iterates over all elements, a piece at a time, with the number of times that the elements of the piece are there. Each
// call is one pass.
type Passes func(add func(data []byte, times int64)) error

// Once returns the only pass over src, in stored order.
func Once(ctx context.Context, src npy.Source) Passes {
	src, _ = npy.StoredOrder(src)
	return func(add func(data []byte, times int64)) error { return eachRun(ctx, src, add) }
}

// Often returns the passes over src, in stored order. A Source that can be read only once is held in memory.
func Often(ctx context.Context, src npy.Source) Passes {
	var again npy.Source
	return func(add func(data []byte, times int64)) (err error) {
		if again == nil {
			if again, err = npy.Rereadable(ctx, src); err != nil {
				return err
			}
			again, _ = npy.StoredOrder(again)
		}
		return eachRun(ctx, again, add)
	}
}

// On processes the elements of a pass, of some bytes each, on several goroutines. start makes the part of a goroutine; work adds
// items that are there so many times; end takes the parts one at a time.
func On[P any](each Passes, size int, start func() P, work func(s *items.Scratch, part P, data []byte, times int64), end func(P)) error {
	var mu sync.Mutex
	return each(func(data []byte, times int64) {
		_ = par.Split(context.Background(), len(data)/size, items.Chunk, len(data), func(low, high int) error {
			var memory items.Scratch
			part := start()
			for ; low < high; low += items.Chunk {
				work(&memory, part, data[low*size:min(low+items.Chunk, high)*size], times)
			}
			mu.Lock()
			defer mu.Unlock()
			end(part)
			return nil
		})
	})
}
