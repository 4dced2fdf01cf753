package par

import (
	"context"
	"sync"
	"sync/atomic"
)

// Split calls do for consecutive parts of the range 0 to n. Parts begin at multiples of unit. bytes is the amount of
// data moved: it decides the number of goroutines, and below 4 MB only the caller's goroutine works. Of several errors
// Split returns the error of the first part.
func Split(ctx context.Context, n, unit, bytes int, do func(low, high int) error) error {
	workers := min(Workers(), moving)
	if bytes < SplitMin || workers == 1 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return do(0, n)
	}
	return SplitAmong(ctx, workers, n, unit, do)
}

// SplitAmong is [Split] with a part for each of a number of workers.
func SplitAmong(ctx context.Context, workers, n, unit int, do func(low, high int) error) error {
	part := max(((n+workers-1)/workers+unit-1)/unit*unit, unit)
	return Each(ctx, workers, workers, func(_, i int) error { return do(min(i*part, n), min((i+1)*part, n)) })
}

// Each calls do for the items 0 to n-1, starting them in this order, on at most workers goroutines including the
// caller's. The goroutines are numbered: w is less than workers, and calls with the same w never overlap. Of several
// errors Each returns the error of the first item.
func Each(ctx context.Context, n, workers int, do func(w, i int) error) error {
	e := each{ctx: ctx, n: int64(n), do: do}
	b := budgetOf(ctx)
	tasks := make([]*Task, b.take(max(min(workers, n)-1, 0)))
	for i := range tasks {
		tasks[i] = Go(func() error {
			defer b.give(1)
			e.work(i + 1)
			return nil
		})
	}
	defer func() { // also after a panic on the caller's goroutine
		for _, t := range tasks {
			<-t.done
		}
	}()
	e.work(0)
	for _, t := range tasks {
		<-t.done
	}
	for _, t := range tasks {
		_ = t.Wait() // Wait repeats the panic of the task
	}
	return e.err
}

type each struct {
	ctx  context.Context
	n    int64
	do   func(w, i int) error
	next atomic.Int64

	mu     sync.Mutex
	err    error
	failed int64 // the item that err belongs to
}

// work takes items until none is left.
func (e *each) work(w int) {
	defer e.next.Store(e.n) // after a panic too, no further item is started
	for i := e.next.Add(1) - 1; i < e.n; i = e.next.Add(1) - 1 {
		err := e.ctx.Err()
		if err != nil {
			err = context.Cause(e.ctx)
		} else {
			err = e.do(w, int(i))
		}
		if err != nil {
			e.fail(i, err)
			return
		}
	}
}

func (e *each) fail(i int64, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil || i < e.failed {
		e.err, e.failed = err, i
	}
}
