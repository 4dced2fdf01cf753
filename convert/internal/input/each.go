package input

import (
	"context"
	"errors"
	"io"

	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/internal/par"
)

// aheadBlocks is how many blocks may wait until earlier ones are done, for each goroutine.
const aheadBlocks = 8

// ErrEnough ends [Each] without an error.
var ErrEnough = errors.New("enough rows")

// Each calls work with each block that next returns until io.EOF, on the number of goroutines that the options allow, and emit in the order of the blocks. While
// the goroutines work, the caller's reads further blocks and emits. With a limit of rows, a block is read after the one before it
// has been emitted. Each stops at the first error, in the order of the blocks. The values of work are used again after emit.
func Each[T, B any](ctx context.Context, next func() (B, error), o options.Read, work func(part *T, b B) error, emit func(part *T, b B) error) error {
	type item struct {
		part  *T
		block B
	}
	var free []*T
	workers := options.Workers(o.Workers)
	if o.Rows > 0 {
		workers = 1
	}
	p := par.NewPipeline(ctx, workers, aheadBlocks*workers, func(_ int, i item) error { return work(i.part, i.block) }, func(i item) error {
		free = append(free, i.part)
		return emit(i.part, i.block)
	})
	defer p.Drop()
	push := func() error {
		block, err := next()
		if err != nil {
			return err
		}
		part := new(T)
		if n := len(free); n > 0 {
			part, free = free[n-1], free[:n-1]
		}
		if err := p.Push(item{part, block}); err != nil {
			return err
		}
		if o.Rows > 0 {
			return p.Drain()
		}
		return nil
	}
	var err error
	for err == nil {
		err = push()
	}
	if rest := p.Drain(); rest != nil { // of blocks before the error of reading
		err = rest
	}
	if err == io.EOF || err == ErrEnough {
		return nil
	}
	return err
}
