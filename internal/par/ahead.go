package par

import (
	"context"
	"iter"
)

// Ahead goes through the results of do for the items that next gives, in their order, and computes them ahead of the loop
// on at most workers goroutines, as [NewPipeline] counts them. Next gives an item with its size and is called on the
// goroutine of the loop. The results that the loop has not done with are of items of at most limit bytes together, but for
// a single one. The loop ends with the first error. When it is left no goroutine works any more.
func Ahead[I, O any](ctx context.Context, workers int, limit int64, next func() (item I, size int64, ok bool), do func(item I) (O, error)) iter.Seq2[O, error] {
	type step struct {
		item   I
		size   int64
		result O
	}
	return func(yield func(O, error) bool) {
		p := NewPipeline(ctx, workers, 2*workers, func(_ int, s *step) (err error) {
			s.result, err = do(s.item)
			return err
		}, nil)
		defer p.Drop()
		ahead := int64(0)
		take := func() *step {
			if item, size, ok := next(); ok {
				return &step{item: item, size: size}
			}
			return nil
		}
		for s := take(); s != nil || len(p.queue) > 0; {
			for s != nil && !p.full() && (ahead == 0 || s.size <= limit-ahead) {
				p.start(s)
				ahead += s.size
				s = take()
			}
			done, err := p.oldest()
			if !yield(done.result, err) || err != nil {
				return
			}
			ahead -= done.size
		}
	}
}
