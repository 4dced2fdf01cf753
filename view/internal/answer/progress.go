package answer

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/source"
)

// A progress is a Source that tells the page how far its reader is.
type progress struct {
	npy.Source
	w      Writer
	begin  func() // writes the head of the answer, once
	total  float64
	passes float64

	passed float64
	done   float64
	last   time.Time
}

const progressEvery = 300 * time.Millisecond

// Regions implements the optional method of [npy.Source].
func (p *progress) Regions(ctx context.Context) (*npy.Regions, error) {
	return npy.RegionsOf(ctx, p.Source)
}

// CheckBytes implements the optional method of [npy.Source].
func (p *progress) CheckBytes(n int64) error { return source.CheckBytes(p.Source, n) }

// Blocks implements [npy.Source].
func (p *progress) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		if p.last.IsZero() {
			p.last = time.Now()
		}
		p.done = 0
		for a, err := range p.Source.Blocks(ctx, memory) {
			if err == nil {
				p.done += float64(a.Len())
				if time.Since(p.last) > progressEvery {
					p.last = time.Now()
					p.begin()
					fmt.Fprintf(p.w, "{\"done\":%.3f}\n", min((p.passed+p.done)/p.total/p.passes, 1))
					p.w.Flush()
				}
			}
			if !yield(a, err) {
				return
			}
		}
		p.passed += p.done
	}
}
