package par

import (
	"context"
	"sync/atomic"
)

// A Pipeline does work for items on several goroutines and then emits them in the order in which they came, on the
// goroutine that pushes them. It is for one goroutine at a time. Within another Pipeline or Ahead it must not use their
// budget.
//
// Whoever ends calls Drain, or Drop to give up: the items still in work may use the caller's memory.
type Pipeline[T any] struct {
	ctx   context.Context
	work  func(w int, item T) error
	emit  func(item T) error
	depth int
	idle  chan int     // the numbers of the goroutines that may begin; nil if the work is done at once
	queue []pending[T] // oldest first
	stop  *atomic.Bool // of the items in the queue
}

type pending[T any] struct {
	item T
	task *Task
	err  error // if there is no task
}

// NewPipeline returns a Pipeline for at most workers goroutines besides the caller's, or for 1 that of the caller alone.
// At most depth items have been pushed and not emitted. The goroutines are numbered as those of [Each] are.
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

// Push begins the work for an item. If depth items are on their way, it first waits for the oldest and emits it. After an
// error, of any item, none is on its way.
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

// Drain emits all items that are on their way. After an error none is.
func (p *Pipeline[T]) Drain() error {
	defer p.Drop()
	for len(p.queue) > 0 {
		if err := p.emitOldest(); err != nil {
			return err
		}
	}
	return nil
}

// Drop waits for the items that are on their way and emits none. The Pipeline can be used again.
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
