package par

import (
	"context"
	"iter"
)

// Ahead returns an iterator over do(item) for the items of next, in order. The results are computed ahead of the loop,
// on at most workers goroutines, counted as for [NewPipeline]. next returns an item and its size in bytes; it runs on
// the goroutine of the loop. The items whose results the loop has not finished with are at most limit bytes in total,
// or a single item. The loop ends at the first error. When the loop has ended, all goroutines have ended.
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
