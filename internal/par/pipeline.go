package par

import (
	"context"
	"sync/atomic"
)

// A Pipeline works on items on several goroutines and emits them in the order in which they were pushed, on the
// goroutine that pushes. It is for one goroutine at a time. Inside another Pipeline or Ahead it must not use their
// budget.
//
// The caller must end with Drain, or with Drop to give up: items in work may use the caller's memory.
type Pipeline[T any] struct {
	ctx   context.Context
	work  func(w int, item T) error
	emit  func(item T) error
	depth int
	idle  chan int     // the numbers of the free goroutines; nil if work runs on the caller's
	queue []pending[T] // oldest first
	stop  *atomic.Bool // of the items in the queue
}

type pending[T any] struct {
	item T
	task *Task
	err  error // the error of work on the caller's goroutine
}

// NewPipeline returns a Pipeline with at most workers goroutines besides the caller's. With 1 worker the work runs on
// the caller's goroutine. At most depth items are pushed and not yet emitted. The goroutines are numbered as in [Each].
func NewPipeline[T any](ctx context.Context, workers, depth int, work func(w int, item T) error, emit func(item T) error) *Pipeline[T] {
	p := &Pipeline[T]{ctx: ctx, work: work, emit: emit, depth: depth, stop: new(atomic.Bool)}
	if workers <= 1 {
		p.depth = 1
		return p
	}
	p.idle = make(chan int, workers)
	for w := range workers {
		p.idle <- w
	}
	return p
}

// Push starts the work for an item. If depth items are pending it first waits for the oldest item and emits it. After
// the error of any item, no item is pending.
func (p *Pipeline[T]) Push(item T) error {
	if p.full() {
		if err := p.emitOldest(); err != nil {
			p.Drop()
			return err
		}
	}
	p.start(item)
	return nil
}

func (p *Pipeline[T]) full() bool { return len(p.queue) >= p.depth }

func (p *Pipeline[T]) start(item T) {
	if p.idle == nil {
		p.queue = append(p.queue, pending[T]{item: item, err: p.do(0, item)})
		return
	}
	stop := p.stop
	p.queue = append(p.queue, pending[T]{item: item, task: Go(func() error {
		w := <-p.idle
		defer func() { p.idle <- w }()
		b := budgetOf(p.ctx)
		b.wait()
		defer b.give(1)
		if stop.Load() {
			return nil
		}
		return p.do(w, item)
	})})
}

func (p *Pipeline[T]) do(w int, item T) error {
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	return p.work(w, item)
}

// oldest waits for the oldest item and returns it.
func (p *Pipeline[T]) oldest() (T, error) {
	o := p.queue[0]
	p.queue = p.queue[1:]
	if o.task != nil {
		o.err = o.task.Wait()
	}
	return o.item, o.err
}

func (p *Pipeline[T]) emitOldest() error {
	item, err := p.oldest()
	if err != nil {
		return err
	}
	return p.emit(item)
}

// Drain emits all pending items. After an error no item is pending.
func (p *Pipeline[T]) Drain() error {
	defer p.Drop()
	for len(p.queue) > 0 {
		if err := p.emitOldest(); err != nil {
			return err
		}
	}
	return nil
}

// Drop waits for all pending items and emits none. The Pipeline can be used again.
func (p *Pipeline[T]) Drop() {
	if len(p.queue) == 0 {
		return
	}
	p.stop.Store(true)
	for _, o := range p.queue {
		if o.task != nil {
			<-o.task.done
		}
	}
	p.queue, p.stop = nil, new(atomic.Bool)
}
