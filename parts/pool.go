package parts

import (
	"container/list"
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/par"
)

// A pool keeps parts open: every part that is being read, and at most max idle parts, the last ones that were used. It never
// waits for a part to become free: a goroutine that reads one part may need another.
type pool struct {
	open  Opener
	max   int
	parts []Part

	mu     sync.Mutex
	live   map[int]*poolPart // the parts that are open or in use, by their numbers
	idle   list.List         // of *poolPart, open and not in use; the last one used is in front
	closed bool
	last   int    // the part that was taken last; -1 for none
	warmed int    // parts before this one were opened ahead, or need not be
	ahead  []warm // parts that are being opened ahead
}

// A warm is the opening of a part ahead of its reader.
type warm struct {
	task *par.Task
	stop context.CancelFunc
}

const (
	mostWarm  = 16
	warmBytes = 32 << 20 // of the parts that are read ahead, unless the next one is larger
)

// A poolPart is a part that is open, or in use.
type poolPart struct {
	number int

	opening sync.Mutex // held while the part is being opened
	src     npy.Source // nil if the part is not open; guarded by opening for writing, by users for reading
	closer  io.Closer

	users int           // guarded by mu of the pool
	idle  *list.Element // guarded by mu of the pool; nil if the part is in use, or not open
}

func newPool(parts []Part, open Opener, most int) *pool {
	p := &pool{open: open, max: max(most, 0), parts: parts, live: map[int]*poolPart{}, last: -1}
	if most == 0 {
		p.max = defaultMaxOpen
	}
	return p
}

// take opens part i, unless it is open. It stays open until release is called.
func (p *pool) take(ctx context.Context, i int) (src npy.Source, release func(), err error) {
	e, err := p.use(i)
	if err != nil {
		return nil, nil, err
	}
	release = sync.OnceFunc(func() { p.release(e) })
	if src, err = p.opened(ctx, e); err != nil {
		release()
		return nil, nil, err
	}
	p.warm(ctx, i, src)
	return src, release, nil
}

// opened opens a part that is in use, unless it is open.
func (p *pool) opened(ctx context.Context, e *poolPart) (src npy.Source, err error) {
	e.opening.Lock()
	defer e.opening.Unlock()
	if e.src == nil {
		e.src, e.closer, err = p.open(ctx, p.parts[e.number])
	}
	return e.src, err
}

// warm opens the parts after part i, and has their elements read, if the parts are far away and are read one after
// another. The reader tries a failed part again.
func (p *pool) warm(ctx context.Context, i int, src npy.Source) {
	p.mu.Lock()
	defer p.mu.Unlock()
	follows := i == p.last+1 && i > 0
	if p.last = i; !follows || p.closed || !announced(src) {
		return
	}
	p.ahead = slices.DeleteFunc(p.ahead, func(w warm) bool { return w.task.Ended() })
	size := max(npy.HeaderOf(src).NBytes(), 1)
	end := min(i+1+min(int(min(max(warmBytes/size, 1), mostWarm)), p.max), len(p.parts))
	for p.warmed = max(p.warmed, i+1); p.warmed < end; p.warmed++ {
		ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
		next := p.warmed
		p.ahead = append(p.ahead, warm{par.Go(func() error {
			defer stop()
			e, err := p.use(next)
			if err != nil {
				return err
			}
			defer p.release(e)
			src, err := p.opened(ctx, e)
			if err == nil {
				announced(src)
			}
			return err
		}), stop})
	}
}

// announced says that all elements of a part will be read, and reports whether the part is far away.
func announced(src npy.Source) bool {
	src, _ = npy.StoredOrder(src)
	data, ok := npy.DataOf(src)
	return ok && announce.Reads(data, 0, data.Size())
}

// use makes a part one that is in use.
func (p *pool) use(i int) (*poolPart, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, fmt.Errorf("used after Close: %w", fs.ErrClosed)
	}
	e := p.live[i]
	if e == nil {
		e = &poolPart{number: i}
		p.live[i] = e
	}
	e.users++
	if e.idle != nil {
		p.idle.Remove(e.idle)
		e.idle = nil
	}
	return e, nil
}

// release ends a use of a part. The part that was not used for the longest time is closed if too many are idle.
func (p *pool) release(e *poolPart) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.users--; e.users > 0 {
		return
	}
	if e.src == nil {
		delete(p.live, e.number)
		return
	}
	e.idle = p.idle.PushFront(e)
	most := p.max
	if p.closed {
		most = 0
	}
	_ = p.trim(most) // the parts were only read
}

// trim closes idle parts until at most most are left, and returns the first error. The caller holds mu.
func (p *pool) trim(most int) error {
	var first error
	for p.idle.Len() > most {
		e := p.idle.Remove(p.idle.Back()).(*poolPart)
		delete(p.live, e.number)
		if e.closer == nil {
			continue
		}
		if err := e.closer.Close(); err != nil && first == nil {
			first = &PartError{p.parts[e.number].Path, err}
		}
	}
	return first
}

func (p *pool) close() error {
	p.mu.Lock()
	p.closed = true
	ahead := p.ahead
	p.ahead = nil
	p.mu.Unlock()
	for _, w := range ahead {
		w.stop()
		_ = w.task.Wait()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trim(0)
}
