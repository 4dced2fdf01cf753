package remote

import "slices"

// A plan is a range that was announced with [File.WillRead]. It is read ahead of its reader, several requests at a time, as
// far as the memory of the cache permits.
type plan struct {
	start, end int64
	from       int64 // the start that was announced
	at         int64 // the end of the bytes that were read
	next       int64 // the start of the bytes that nobody has asked for yet
	piece      int64 // bytes of a request
	used       int64 // the time on the clock
}

const (
	mostPlans  = 8
	leastPiece = 256 << 10 // bytes of a request for a part of a planned range
	mostPiece  = 2 << 20
	behind     = blockSize // bytes that are kept behind the reader, for others who read beside it
	abandoned  = 1000      // calls of others after which a plan without a reader is dropped
)

// WillRead says that the n bytes at an offset will soon be read, one after another or nearly so. The file asks for them before
// ReadAt does, with up to Options.Concurrent requests at a time, and holds at most three quarters of Options.Cache of them.
// Bytes that are then not read have been fetched in vain. The functions of this module that read all of a range call WillRead
// by themselves. It returns at once, and does nothing for servers without ranges.
func (f *File) WillRead(offset, n int64) {
	if f.forward != nil || offset < 0 || n <= 0 || offset >= f.pin.size {
		return
	}
	f.cache.plan(offset, offset+min(n, f.pin.size-offset))
}

// window returns the number of bytes that may be held for readers to come.
func (c *cache) window() int64 { return c.limit / 4 * 3 }

// plan begins to read a range ahead.
func (c *cache) plan(start, end int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	for _, p := range c.plans {
		if p.at <= start && start <= p.end { // more of a range that is being read
			if p.used = c.tick(); end > p.end {
				p.end = end
				c.fill(p)
			}
			return
		}
	}
	if len(c.plans) == mostPlans {
		c.plans = slices.Delete(c.plans, 0, 1)
	}
	p := &plan{start: start, from: start, end: end, at: start, next: start, piece: c.piece(end - start), used: c.tick()}
	c.plans = append(c.plans, p)
	c.fill(p)
}

// An endedPlan is the last plan whose end was read. Others may still read what is before it.
type endedPlan struct{ start, end, used int64 }

// endsPlan reports whether reads that began at a time belong to the plan that has ended: they stop where it does.
func (c *cache) endsPlan(off, began int64) bool {
	return c.ended.start <= off && off < c.ended.end && began <= c.ended.used
}

// planned reports whether a plan has the byte at an offset.
func (c *cache) planned(off int64) bool { return c.planOf(off) != nil }

func (c *cache) planOf(off int64) *plan {
	for _, p := range c.plans {
		if p.start <= off && off < p.end {
			return p
		}
	}
	return nil
}

// skip says that a reader asks for the bytes from low to high by itself.
func (c *cache) skip(low, high int64) {
	if p := c.planOf(low); p != nil && p.next <= high {
		p.next = max(p.next, high)
		c.fill(p)
	}
}

// passed says that a reader has all bytes before off.
func (c *cache) passed(off int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.planOf(off - 1)
	if p == nil {
		return
	}
	for i := c.at(p.start); i < len(c.spans) && c.spans[i].end() <= off-behind && c.spans[i].ready(); {
		p.start = c.spans[i].end() // nobody needs it again
		c.drop(i)
	}
	p.at, p.used = max(p.at, off), c.tick()
	if p.at == p.end {
		c.ended = endedPlan{p.from, p.end, c.tick()}
		c.plans = slices.DeleteFunc(c.plans, func(x *plan) bool { return x == p })
		return
	}
	c.fill(p)
}

// fill starts requests until the window of the plan is full.
func (c *cache) fill(p *plan) {
	for {
		slot := c.freeSlot(c.f.c.o.Concurrent)
		if slot < 0 {
			return
		}
		s := c.following(p)
		if s == nil {
			return
		}
		c.start(slot, s, func() *span { return c.following(p) })
	}
}

// following returns the next span of a plan, in work, or nil if nothing is left or the window is full.
func (c *cache) following(p *plan) *span {
	c.plans = slices.DeleteFunc(c.plans, func(x *plan) bool { return x.used < c.clock-abandoned })
	if c.closed || !slices.Contains(c.plans, p) {
		return nil
	}
	high := min(p.end, p.at+c.window()/int64(len(c.plans)))
	for p.next < high {
		i := c.at(p.next)
		if i < len(c.spans) && c.spans[i].off <= p.next {
			p.next = c.spans[i].end()
			continue
		}
		low := p.next
		p.next = min(low+p.piece, p.end)
		if i < len(c.spans) {
			p.next = min(p.next, c.spans[i].off)
		}
		return c.insert(i, low, p.next-low)
	}
	return nil
}
