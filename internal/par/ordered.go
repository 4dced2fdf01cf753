package par

import (
	"context"
	"errors"
	"sync"
)

// window is how many results of each goroutine may wait to be merged.
const window = 16

// Ordered is [Each] for items with results. It calls merge with them in the order of the items, one at a time, on any of
// the goroutines. At most 16 results for each goroutine wait for those before them. After an error some are not merged.
func Ordered[T any](ctx context.Context, n, workers int, do func(w, i int) (T, error), merge func(T)) error {
	if workers <= 1 || n <= 1 {
		return Each(ctx, n, 1, func(w, i int) error {
			v, err := do(w, i)
			if err == nil {
				merge(v)
			}
			return err
		})
	}
	o := &ordered[T]{merge: merge, early: make([]result[T], min(window*workers, n))}
	o.moved.L = &o.mu
	return Each(ctx, n, workers, func(w, i int) error { return o.item(w, i, do) })
}

// An ordered merges results. The goroutine of the next item never waits for room, so there is always one that goes on.
type ordered[T any] struct {
	merge func(T)

	mu    sync.Mutex
	moved sync.Cond   // next or ended has changed
	next  int         // the item to be merged
	early []result[T] // of the items from next on, each at its number modulo the length
	ended bool        // one of the items has failed
}

type result[T any] struct {
	value T
	ready bool
}

// errEnded is the error of items after one that has failed, whose error counts.
var errEnded = errors.New("an item before it has failed")

func (o *ordered[T]) item(w, i int, do func(w, i int) (T, error)) error {
	if !o.room(i) {
		return errEnded
	}
	merged := false
	defer func() {
		if !merged {
			o.end()
		}
	}()
	v, err := do(w, i)
	if err != nil {
		return err
	}
	o.put(i, v)
	merged = true
	return nil
}

// room waits until the result of item i can be kept. It reports false if nothing is merged any more.
func (o *ordered[T]) room(i int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i >= o.next+len(o.early) && !o.ended {
		o.moved.Wait()
	}
	return !o.ended
}

func (o *ordered[T]) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	o.moved.Broadcast()
}

// put keeps the result of item i, and merges all that have their turn.
func (o *ordered[T]) put(i int, v T) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.early[i%len(o.early)] = result[T]{v, true}
	if i != o.next {
		return
	}
	for r := &o.early[i%len(o.early)]; r.ready; r = &o.early[o.next%len(o.early)] {
		v := r.value
		*r = result[T]{}
		o.merge(v)
		o.next++
	}
	o.moved.Broadcast()
}
