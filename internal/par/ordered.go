package par

import (
	"context"
	"errors"
	"sync"
)

// window is the number of results per goroutine that may wait to be merged.
const window = 16

// Ordered is [Each] for items with results. It calls merge with the results in the order of the items, one call at a
// time, on any of the goroutines. At most 16 results per goroutine wait for earlier items. After an error some results
// are not merged.
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
	err := Each(ctx, n, workers, func(w, i int) error { return o.item(w, i, do) })
	if err == errEnded { // an item that began last is before the one that failed
		return o.err
	}
	return err
}

// An ordered merges results in order. The goroutine of the next item never waits for a slot, so one goroutine can
// always proceed.
type ordered[T any] struct {
	merge func(T)

	mu    sync.Mutex
	moved sync.Cond   // next or ended has changed
	next  int         // the next item to merge
	early []result[T] // results from item next on, each at its number modulo the length
	ended bool        // an item has failed
	err   error       // of the item that failed first
}

type result[T any] struct {
	value T
	ready bool
}

// errEnded is the error of items that begin after another has failed. The error of the failed item is the one returned.
var errEnded = errors.New("another item has failed")

func (o *ordered[T]) item(w, i int, do func(w, i int) (T, error)) error {
	if !o.waitSlot(i) {
		return errEnded
	}
	merged := false
	var err error
	defer func() {
		if !merged {
			o.end(err)
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

// waitSlot waits until the result of item i can be stored. It returns false if merging has ended.
func (o *ordered[T]) waitSlot(i int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i >= o.next+len(o.early) && !o.ended {
		o.moved.Wait()
	}
	return !o.ended
}

// end ends merging. err is nil after a panic.
func (o *ordered[T]) end(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	if o.err == nil {
		o.err = err
	}
	o.moved.Broadcast()
}

// put stores the result of item i and merges all results that are next in order.
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
