package answer

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/source"
)

// A reading is how far the elements of an array have been read.
type reading struct {
	total float64            // elements, of all passes
	tell  func(part float64) // called by one goroutine at a time

	mu   sync.Mutex
	done float64
}

// add counts n elements that have been read.
func (r *reading) add(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done += float64(n)
	r.tell(min(r.done/r.total, 1))
}

// A progress is a Source, or a part of one, whose reader tells how far it is.
type progress struct {
	npy.Source
	reading *reading
}

// tracked returns src as a Source whose passes tell how far they are.
func tracked(src npy.Source, passes int, tell func(part float64)) *progress {
	total := float64(passes) * elements(src.Shape())
	return &progress{src, &reading{total: max(total, 1), tell: tell}}
}

// Regions implements the optional method of [npy.Source].
func (p *progress) Regions(ctx context.Context) (*npy.Regions, error) {
	return npy.RegionsOf(ctx, p.Source)
}

// CheckBytes implements the optional method of [npy.Source].
func (p *progress) CheckBytes(n int64) error { return source.CheckBytes(p.Source, n) }

// Select implements [npy.Source].
func (p *progress) Select(index ...npy.Index) (npy.Source, error) {
	part, err := p.Source.Select(index...)
	if err != nil {
		return nil, err
	}
	return &progress{part, p.reading}, nil
}

// Blocks implements [npy.Source].
func (p *progress) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		for a, err := range p.Source.Blocks(ctx, memory) {
			if err == nil {
				p.reading.add(a.Size())
			}
			if !yield(a, err) {
				return
			}
		}
	}
}

// ReadAll implements [npy.Source].
func (p *progress) ReadAll(ctx context.Context) (*npy.Array, error) {
	a, err := p.Source.ReadAll(ctx)
	if err == nil {
		p.reading.add(a.Size())
	}
	return a, err
}

// working returns src as a Source that tells the computation of ctx how far it has read.
func working(ctx context.Context, src npy.Source, passes int) npy.Source {
	x, ok := ctx.Value(itemKey{}).(*item)
	if _, inMemory := src.(*npy.Array); !ok || inMemory {
		return src
	}
	return tracked(src, passes, x.tell)
}

// itemKey is the key of the item that a context computes.
type itemKey struct{}

// work answers "work": how much is done, from 0 to 1, of each computation that questions about an array wait for.
func (a *Answers) work(_ context.Context, q url.Values, w Writer) error {
	_, f, err := a.file(q)
	if err != nil {
		return err
	}
	text, err := json.Marshal(map[string][]float64{"done": a.kept.working(fmt.Sprintf(" %d %s ", f, cut(q.Get("e"), 40)))})
	if err != nil {
		return err
	}
	w.Head(Head{Type: "application/json"})
	_, err = w.Write(text)
	return err
}

// tell notes how much of a computation is done.
func (x *item) tell(part float64) { x.part.Store(uint64(part * 1e6)) }

// working returns how much is done of each computation that somebody waits for, and whose key begins with a state and then
// what follows it.
func (c *cache) working(after string) []float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	parts := []float64{}
	for x := range c.running {
		_, rest, _ := strings.Cut(x.key, " ")
		if x.waiters > 0 && strings.HasPrefix(" "+rest, after) {
			parts = append(parts, float64(x.part.Load())/1e6)
		}
	}
	return parts
}
