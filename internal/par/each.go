package par

import (
	"context"
	"sync"
	"sync/atomic"
)

// Split calls do for parts of 0 to n, which begin at multiples of unit, on as many goroutines as the bytes that are
// moved are worth: on that of the caller alone if they are less than 4 MB. Of several errors it returns that of the first
// part.
func Split(ctx context.Context, n, unit, bytes int, do func(low, high int) error) error {
	workers := min(Workers(), moving)
	if bytes < SplitMin || workers == 1 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return do(0, n)
	}
	part := (n/workers + unit) / unit * unit
	return Each(ctx, workers, workers, func(_, i int) error { return do(min(i*part, n), min((i+1)*part, n)) })
}

// Each calls do for the items i from 0 to n-1, begun in this order, on at most workers goroutines, that of the caller among
// them. They are numbered: w is below workers, and of calls with the same w one follows the other. Of several errors it
// returns that of the first item.
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
	defer func() { // also if the caller's own work panics
		for _, t := range tasks {
			<-t.done
		}
	}()
	e.work(0)
	for _, t := range tasks {
		<-t.done
	}
	for _, t := range tasks {
		_ = t.Wait() // for its panic
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
	failed int64 // the item that err is of
}

// work takes one item after the other until none is left.
func (e *each) work(w int) {
	defer e.next.Store(e.n) // so that none is left after a panic, too
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
