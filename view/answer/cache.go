package answer

import (
	"container/list"
	"context"
	"sync"
)

// A cache keeps what took long to compute, within a budget. Several callers that want the same wait for one.
type cache struct {
	mu     sync.Mutex
	budget int64
	used   int64
	items  map[string]*item
	order  list.List // of *item, the one used last in front
}

type item struct {
	key   string
	ready chan struct{}
	value any
	size  int64
	at    *list.Element // nil until ready
}

func newCache(budget int64) *cache { return &cache{budget: budget, items: map[string]*item{}} }

// get returns the value of a key, computed if it is not there. If the one who computes it fails, another who waits tries.
func (c *cache) get(ctx context.Context, key string, compute func() (value any, size int64, err error)) (any, error) {
	for {
		c.mu.Lock()
		x, ok := c.items[key]
		if !ok {
			x = &item{key: key, ready: make(chan struct{})}
			c.items[key] = x
			c.mu.Unlock()
			return c.fill(x, compute)
		}
		if x.at != nil {
			c.order.MoveToFront(x.at)
			c.mu.Unlock()
			return x.value, nil
		}
		c.mu.Unlock()
		select {
		case <-x.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (c *cache) fill(x *item, compute func() (any, int64, error)) (value any, err error) {
	ok := false
	defer func() { // also after a panic
		c.mu.Lock()
		defer c.mu.Unlock()
		close(x.ready)
		if !ok || x.size > c.budget {
			delete(c.items, x.key)
			return
		}
		x.at = c.order.PushFront(x)
		for c.used += x.size; c.used > c.budget; {
			last := c.order.Remove(c.order.Back()).(*item)
			delete(c.items, last.key)
			c.used -= last.size
		}
	}()
	x.value, x.size, err = compute()
	ok = err == nil
	return x.value, err
}
