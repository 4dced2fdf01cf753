package diff

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/source"
)

// compare compares all elements of both arrays.
func (c *comparer) compare(ctx context.Context, a, b side) error {
	if c.sizeA+c.sizeB == 0 {
		return nil
	}
	x, err := newReader(ctx, a)
	if err != nil {
		return &ReadError{Side: 'a', Err: err}
	}
	defer x.stop()
	y, err := newReader(ctx, b)
	if err != nil {
		return &ReadError{Side: 'b', Err: err}
	}
	defer y.stop()
	if !x.counts && !y.counts && a.data != nil && b.data != nil {
		announce.Reads(a.data, 0, a.data.Size())
		announce.Reads(b.data, 0, b.data.Size())
		return c.compareAt(ctx, a.data, b.data)
	}
	for done := 0; done < c.elems; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, err := x.fill(c.elems - done)
		if err != nil {
			return &ReadError{Side: 'a', Err: err}
		}
		if n, err = y.fill(n); err != nil {
			return &ReadError{Side: 'b', Err: err}
		}
		switch {
		case x.run.Value != nil && y.run.Value != nil:
			c.copies(x.run.Value, y.run.Value, n, done)
			x.skip(n)
			y.skip(n)
		case x.run.Value != nil || y.run.Value != nil:
			n = min(n, waveBytes/max(c.sizeA, c.sizeB)+1) // copies take memory
			fallthrough
		default:
			c.run(x.take(n), y.take(n), n, done)
		}
		done += n
	}
	return nil
}

// copies compares n pairs of the same two elements. The first has the number first.
func (c *comparer) copies(a, b []byte, n, first int) {
	listed := min(n, max(c.Max, 1)) // each of them may be listed
	wave := waveBytes/max(c.sizeA, c.sizeB) + 1
	for done := 0; done < listed; done += wave {
		k := min(wave, listed-done)
		c.run(bytes.Repeat(a, k), bytes.Repeat(b, k), k, first+done)
	}
	if n -= listed; n == 0 {
		return
	}
	var s scratch
	for i, j := range c.block(&s, a, b, 1, first+listed) {
		j.tally.repeat(int64(n))
		c.tallies[i].merge(&j.tally, c.Max)
	}
}

// A reader returns the elements of one array in runs of limited length.
type reader struct {
	size   int
	counts bool // some of the elements are one value many times
	next   func() (source.Run, error, bool)
	stop   func()
	run    source.Run // the rest of it
	buf    []byte
}

func newReader(ctx context.Context, s side) (*reader, error) {
	r := &reader{size: s.DType().ItemSize()}
	runs, err := source.Runs(ctx, s.Source, source.RunOptions{Memory: blockMemory})
	if err != nil {
		return nil, err
	}
	if r.counts = runs != nil; !r.counts {
		runs = s.runs(ctx)
	}
	r.next, r.stop = par.Pull2(runs)
	return r, nil
}

// fill reads a run if nothing is left and returns the number of elements available, at most n.
func (r *reader) fill(n int) (int, error) {
	if r.size == 0 {
		return n, nil
	}
	for r.run.Count == 0 {
		run, err, ok := r.next()
		switch {
		case !ok:
			return 0, diag.Errorf("diff", "the elements end early: %w", io.ErrUnexpectedEOF)
		case err != nil:
			return 0, err
		}
		r.run = run
	}
	return min(n, r.run.Count), nil
}

// take returns the next n elements. They are valid until the next call.
func (r *reader) take(n int) []byte {
	if r.run.Value != nil {
		r.buf = slices.Grow(r.buf[:0], n*r.size)[:n*r.size]
		bulk.Repeat(r.buf, r.run.Value)
		r.skip(n)
		return r.buf
	}
	data := r.run.Data[:n*r.size]
	r.skip(n)
	return data
}

// skip leaves out the next n elements.
func (r *reader) skip(n int) {
	if r.run.Count -= n; r.run.Data != nil {
		r.run.Data = r.run.Data[n*r.size:]
	}
}
