package answer

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/npygo/npy/internal/par"
)

// A cache keeps results that took long to compute, within a budget. Several callers that want the same value wait for
// one computation. It goes on while any of them waits, and for a grace period after the last has left: a page that
// moves drops its question and asks the next one, which needs the same value.
type cache struct {
	mu      sync.Mutex
	budget  int64
	used    int64
	grace   time.Duration
	items   map[string]*item
	order   list.List     // of *item, the one used last in front
	slots   chan struct{} // of computations at a time
	running map[*item]bool
	closed  bool
}

type item struct {
	key   string
	value any
	size  int64
	at    *list.Element // nil until ready

	part    atomic.Uint64 // that is done, in millionths
	task    *par.Task
	ready   chan struct{} // closed when there is a value or an error
	ended   chan struct{} // closed when the hold has ended too
	waiters int
	leaves  int // how often the last one that waited has left
	cancel  context.CancelCauseFunc
}

const (
	cacheSlots = 2 // each computation has buffers and up to 75 MB of sums
	cacheGrace = 3 * time.Second
)

var errLeft = errors.New("no question waits for the answer")

func newCache(budget int64) *cache {
	return &cache{budget: budget, grace: cacheGrace, items: map[string]*item{}, running: map[*item]bool{}, slots: make(chan struct{}, cacheSlots)}
}

// get returns the value of a key, computed if it is not in the cache. hold keeps the files that compute reads open
// until the function that it returns is called: compute may go on after get has returned the error of ctx. compute must
// not call get.
func (c *cache) get(ctx context.Context, key string, hold func() func(), compute func(ctx context.Context) (value any, size int64, err error)) (any, error) {
	c.mu.Lock()
	x, ok := c.items[key]
	switch {
	case !ok && c.closed:
		c.mu.Unlock()
		return nil, errLeft
	case !ok:
		x = c.start(ctx, key, hold, compute)
	case x.at != nil:
		c.order.MoveToFront(x.at)
		c.mu.Unlock()
		return x.value, nil
	}
	x.waiters++
	c.mu.Unlock()
	select {
	case <-x.ready:
		return x.value, x.task.Wait() // which repeats a panic
	case <-ctx.Done():
		c.leave(x)
		return nil, context.Cause(ctx)
	}
}

// peek returns the value of a key if it is in the cache.
func (c *cache) peek(key string) (value any, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x, ok := c.items[key]
	if !ok || x.at == nil {
		return nil, false
	}
	c.order.MoveToFront(x.at)
	return x.value, true
}

// start starts a computation. c is locked.
func (c *cache) start(ctx context.Context, key string, hold func() func(), compute func(ctx context.Context) (any, int64, error)) *item {
	x := &item{key: key, ready: make(chan struct{}), ended: make(chan struct{})}
	ctx, x.cancel = context.WithCancelCause(context.WithValue(context.WithoutCancel(ctx), itemKey{}, x))
	c.items[key], c.running[x] = x, true
	release := hold()
	x.task = par.Go(func() error {
		defer func() {
			release()
			c.mu.Lock()
			delete(c.running, x)
			c.mu.Unlock()
			close(x.ended)
		}()
		return c.fill(ctx, x, compute)
	})
	return x
}

// leave is the end of one that waits. After the last the computation ends too, unless another comes soon.
func (c *cache) leave(x *item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.waiters--; x.waiters > 0 {
		return
	}
	x.leaves++
	left := x.leaves
	par.Go(func() error {
		timer := time.NewTimer(c.grace)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-x.ready:
			return nil
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if x.waiters == 0 && x.leaves == left && x.at == nil {
			c.drop(x)
			x.cancel(errLeft)
		}
		return nil
	})
}

// drop removes an item that is not in the order, unless another has taken its place. c is locked.
func (c *cache) drop(x *item) {
	if c.items[x.key] == x {
		delete(c.items, x.key)
	}
}

func (c *cache) fill(ctx context.Context, x *item, compute func(ctx context.Context) (any, int64, error)) (err error) {
	ok := false
	defer func() { // also after a panic
		c.mu.Lock()
		defer c.mu.Unlock()
		x.cancel(nil)
		close(x.ready)
		if !ok || x.size > c.budget || c.items[x.key] != x {
			c.drop(x)
			return
		}
		x.at = c.order.PushFront(x)
		for c.used += x.size; c.used > c.budget; {
			last := c.order.Remove(c.order.Back()).(*item)
			delete(c.items, last.key)
			c.used -= last.size
		}
	}()
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	x.value, x.size, err = compute(ctx)
	ok = err == nil
	return err
}

// close ends all computations, waits for their end and forgets all values.
func (c *cache) close() {
	c.mu.Lock()
	c.closed = true
	var running []*item
	for x := range c.running {
		x.cancel(errLeft)
		running = append(running, x)
	}
	c.mu.Unlock()
	for _, x := range running {
		<-x.ended
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.items)
	c.order.Init()
	c.used = 0
}
