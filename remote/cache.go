package remote

import (
	"context"
	"io/fs"
	"slices"
	"sort"
	"sync"

	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
)

// A cache has the spans of a file that were read or are being read. Spans do not overlap. A goroutine that needs bytes of
// a span in work waits for it, so that no byte is asked for twice at the same time.
type cache struct {
	f     *File
	limit int64

	mu     sync.Mutex
	spans  []*span // by offset
	bytes  int64   // of all spans
	clock  int64
	heads  [8]head
	plans  []*plan
	ended  endedPlan
	ahead  []ahead
	closed bool
}

// A span is a range of bytes of the file.
type span struct {
	off  int64
	data []byte        // as long as the span; its bytes are valid after done
	done chan struct{} // closed when data or err is valid
	err  error
	used int64 // the time on the clock
}

func (s *span) end() int64 { return s.off + int64(len(s.data)) }

func (s *span) ready() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// A head is the end of reads one after another.
type head struct {
	end   int64
	start int64
	runs  int   // reads that continued the one before
	read  int64 // the bytes of all reads
	began int64 // the time of the first on the clock
	used  int64 // the time of the last
}

// An ahead is a goroutine that reads spans before they are asked for.
type ahead struct {
	task *par.Task
	busy bool
}

const (
	smallRead = 16 << 10      // shorter reads are made longer: the next one is probably close
	wideRead  = 4 * blockSize // longer reads are made in pieces at the same time
	nearby    = blockSize     // how far reads of several goroutines may be out of order

	leastAhead = 3  // blocks, if the reads are short: four requests at a time take 0.55 s for 64 MB at 20 ms and 80 MB/s
	mostAhead  = 8  // blocks
	aheadPart  = 10 // as much is read ahead as was read in sequence: so little is read in vain
)

func newCache(f *File, limit int64) *cache { return &cache{f: f, limit: limit} }

// readAt fills p with the bytes at off, which exist.
func (c *cache) readAt(p []byte, off int64) error {
	if len(p) == 0 {
		return nil
	}
	c.advance(off, int64(len(p)))
	for len(p) > 0 {
		n, err := c.readSome(p, off)
		if err != nil {
			return err
		}
		p, off = p[n:], off+int64(n)
		c.passed(off)
	}
	return nil
}

// readSome fills the start of p from the span at off, which it reads if it is not there, and returns the number of bytes.
func (c *cache) readSome(p []byte, off int64) (int, error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return 0, c.f.failed(fs.ErrClosed)
	}
	i := c.at(off)
	if i < len(c.spans) && c.spans[i].off <= off {
		s := c.spans[i]
		s.used = c.tick()
		c.mu.Unlock()
		return c.take(s, p, off)
	}
	n := int64(len(p))
	most := c.f.pin.size - off
	if i < len(c.spans) {
		most = c.spans[i].off - off
	}
	n = min(n, most)
	if n >= blockSize { // the caller keeps the bytes
		c.skip(off, off+n)
		c.mu.Unlock()
		return int(n), c.fetchWide(p[:n], off)
	}
	s := c.insert(i, off, min(max(n, smallRead), most))
	c.skip(off, s.end())
	c.mu.Unlock()
	c.load(s)
	if s.err != nil {
		return 0, s.err
	}
	return copy(p, s.data), nil
}

// take copies from a span, after it has arrived. A span that failed was dropped by the goroutine that read it, so the bytes
// will be asked for again.
func (c *cache) take(s *span, p []byte, off int64) (int, error) {
	select {
	case <-s.done:
	case <-c.f.ctx.Done():
		return 0, c.f.failed(context.Cause(c.f.ctx))
	}
	if s.err != nil {
		return 0, s.err
	}
	n := copy(p, s.data[off-s.off:])
	c.f.c.count.cached.Add(int64(n))
	return n, nil
}

// at returns the index of the first span that ends after off.
func (c *cache) at(off int64) int {
	return sort.Search(len(c.spans), func(i int) bool { return c.spans[i].end() > off })
}

func (c *cache) tick() int64 {
	c.clock++
	return c.clock
}

// insert adds a span in work before the one at index i, and drops old ones to have the memory.
func (c *cache) insert(i int, off, n int64) *span {
	s := &span{off: off, data: make([]byte, n), done: make(chan struct{}), used: c.tick()}
	c.spans = slices.Insert(c.spans, i, s)
	c.bytes += n
	c.evict()
	return s
}

// evict drops the spans that were not used for the longest time, except those in work.
func (c *cache) evict() {
	for c.bytes > c.limit {
		oldest := -1
		for i, s := range c.spans {
			if s.ready() && (oldest < 0 || s.used < c.spans[oldest].used) {
				oldest = i
			}
		}
		if oldest < 0 {
			return
		}
		c.drop(oldest)
	}
}

func (c *cache) drop(i int) {
	c.bytes -= int64(len(c.spans[i].data))
	c.spans = slices.Delete(c.spans, i, i+1)
}

// load reads a span that is in work.
func (c *cache) load(s *span) {
	s.err = errStopped // should fetch panic
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		close(s.done)
		if i := slices.Index(c.spans, s); s.err != nil && i >= 0 {
			c.drop(i)
		}
		c.evict()
	}()
	s.err = c.f.fetch(s.data, s.off)
}

var errStopped = diag.New("remote", "the goroutine that read these bytes stopped")

// put adds bytes that have arrived.
func (c *cache) put(off int64, data []byte) {
	if len(data) == 0 {
		return
	}
	s := &span{off: off, data: data, done: make(chan struct{})}
	close(s.done)
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.at(off)
	if i < len(c.spans) && c.spans[i].off < s.end() {
		return // some of it is there or on its way
	}
	s.used = c.tick()
	c.spans = slices.Insert(c.spans, i, s)
	c.bytes += int64(len(data))
	c.evict()
}

// fetchWide reads a long range, in pieces at the same time if that is faster than one request.
func (c *cache) fetchWide(p []byte, off int64) error {
	if len(p) < wideRead {
		return c.f.fetch(p, off)
	}
	piece := c.piece(int64(len(p)))
	pieces := (int64(len(p)) + piece - 1) / piece
	return par.Each(c.f.ctx, int(pieces), c.f.c.o.Concurrent, func(_, i int) error {
		low := int64(i) * piece
		return c.f.fetch(p[low:min(low+piece, int64(len(p)))], off+low)
	})
}

// piece returns the size of the requests for n bytes.
func (c *cache) piece(n int64) int64 {
	return min(max(n/int64(c.f.c.o.Concurrent), leastPiece), c.window()/int64(c.f.c.o.Concurrent), mostPiece)
}

// advance recognizes reads one after another, and starts to read ahead of them.
func (c *cache) advance(off, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.headOf(off, off+n)
	if off+n <= openBytes { // a header, which came with the opening
		return
	}
	if h.runs < 2 || h.read < (h.end-h.start)/2 || c.closed || c.planned(off) || c.endsPlan(off, h.began) {
		return
	}
	blocks := h.read / aheadPart / blockSize
	switch {
	case n < blockSize:
		blocks = max(blocks, leastAhead)
	case h.runs >= 4: // long reads are probably planned, and end where they are to end
		blocks++
	}
	blocks = min(blocks, mostAhead, c.limit/4/blockSize)
	for i, at := int64(0), h.end; i < blocks && at < c.f.pin.size; i++ {
		at = c.startAhead(at)
	}
}

// headOf returns the head of the reads that the range continues, or a new one.
func (c *cache) headOf(off, end int64) *head {
	oldest := &c.heads[0]
	for i := range c.heads {
		h := &c.heads[i]
		if h.used > 0 && off <= h.end+nearby && off >= h.end-nearby && end > h.end-nearby {
			h.runs++
			h.read += end - off
			h.end, h.used = max(h.end, end), c.tick()
			return h
		}
		if h.used < oldest.used {
			oldest = h
		}
	}
	now := c.tick()
	*oldest = head{start: off, end: end, read: end - off, began: now, used: now}
	return oldest
}

// startAhead begins to read the block at an offset, unless it is there, and returns its end.
func (c *cache) startAhead(at int64) int64 {
	i := c.at(at)
	if i < len(c.spans) && c.spans[i].off <= at {
		return c.spans[i].end()
	}
	end := min((at/blockSize+1)*blockSize, c.f.pin.size)
	if i < len(c.spans) {
		end = min(end, c.spans[i].off)
	}
	if slot := c.freeSlot(mostAhead); slot >= 0 {
		c.start(slot, c.insert(i, at, end-at), func() *span { return nil })
	}
	return end
}

// start loads a span on a goroutine, and then the spans that next returns. next is called with the lock.
func (c *cache) start(slot int, s *span, next func() *span) {
	task := par.Go(func() error {
		for s != nil {
			c.load(s)
			c.mu.Lock()
			if s = next(); s == nil && !c.closed {
				c.ahead[slot].busy = false
			}
			c.mu.Unlock()
		}
		return nil
	})
	c.ahead[slot] = ahead{task, true}
}

// freeSlot returns the index of a slot for reading ahead, or -1 if most of them are busy.
func (c *cache) freeSlot(most int) int {
	for i, a := range c.ahead[:min(most, len(c.ahead))] {
		if !a.busy {
			return i
		}
	}
	if len(c.ahead) < most {
		c.ahead = append(c.ahead, ahead{})
		return len(c.ahead) - 1
	}
	return -1
}

// close waits for reads ahead, which the end of the file's context ends, and frees the memory.
func (c *cache) close() {
	c.mu.Lock()
	c.closed = true
	tasks := c.ahead
	c.ahead, c.plans = nil, nil
	c.mu.Unlock()
	for _, a := range tasks {
		if a.task != nil {
			_ = a.task.Wait()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spans, c.bytes = nil, 0
}
