package diff

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/source"
)

const (
	blockBytes = 256 << 10 // of one array: the work unit of a goroutine, whose results are merged in order
	chunkItems = 2048      // items passed to a kernel at once, few enough that the intermediate results stay in the cache
)

// A comparer compares the elements of two arrays.
type comparer struct {
	Options
	sizeA, sizeB int // of one element
	elems, per   int // the number of all elements, and the number per work unit
	pairs        []pair
	tallies      []tally // one per pair
	same         bool    // equal bytes are equal elements
}

func newComparer(a, b format.Header, pairs []pair, o Options) (*comparer, error) {
	c := &comparer{Options: o, sizeA: a.DType.ItemSize(), sizeB: b.DType.ItemSize(), pairs: pairs, tallies: make([]tally, len(pairs))}
	elems, ok := bounded.Count(a.Shape, 1)
	if !ok {
		return nil, bounded.Over("", 0, 0, "diff: the elements of shape %s are more than can be counted", format.ShapeString(a.Shape))
	}
	c.elems, c.per, c.same = elems, max(blockBytes/max(c.sizeA, c.sizeB, 1), 1), a.DType.Equal(b.DType)
	for i := range pairs {
		l := &pairs[i]
		if _, ok := bounded.Count(append([]int{elems}, l.a.Dims...), 1); !ok {
			return nil, bounded.Over("", 0, 0, "diff: the items of field %q are more than can be counted", l.name)
		}
		if l.reason == "" {
			l.kernel, l.reason = kernelFor(l.a.DType, l.b.DType)
		}
		l.same = l.reason == "" && l.a.DType.Equal(l.b.DType) && !(o.NaNsDiffer && hasNaN(l.a.DType))
		c.same = c.same && l.same
	}
	return c, nil
}

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
			return 0, fmt.Errorf("diff: the elements end early: %w", io.ErrUnexpectedEOF)
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

// run compares n elements in memory on all processors. The first has the number first.
func (c *comparer) run(a, b []byte, n, first int) {
	_ = c.share(context.Background(), n, func(low, high int, parts [][]judge) error { // it cannot fail
		var s scratch
		for i := low; i < high; i += c.per {
			m := min(c.per, high-i)
			parts[i/c.per] = c.block(&s, a[i*c.sizeA:(i+m)*c.sizeA], b[i*c.sizeB:(i+m)*c.sizeB], m, first+i)
		}
		return nil
	})
}

// share compares parts of n elements on all processors and merges the results in order.
func (c *comparer) share(ctx context.Context, n int, do func(low, high int, parts [][]judge) error) error {
	parts := make([][]judge, (n-1)/c.per+1)
	err := par.Split(ctx, n, c.per, n*(c.sizeA+c.sizeB), func(low, high int) error { return do(low, high, parts) })
	if err != nil {
		return err
	}
	for _, part := range parts {
		for i := range part {
			c.tallies[i].merge(&part[i].tally, c.Max)
		}
	}
	return nil
}

// block compares n elements field by field. It returns nil if all their bytes are equal and equal bytes mean equal values.
func (c *comparer) block(s *scratch, a, b []byte, n, first int) []judge {
	if c.same && bytes.Equal(a, b) {
		return nil
	}
	judges := make([]judge, len(c.pairs))
	for i, l := range c.pairs {
		if l.reason != "" || l.items == 0 {
			continue
		}
		j := &judges[i]
		*j = newJudge(c.Options)
		x, y := l.a.Items(&s.a.items, a, n, c.sizeA), l.b.Items(&s.b.items, b, n, c.sizeB)
		l.chunks(s, j, x, y, n*l.items, int64(first)*int64(l.items))
	}
	return judges
}

// chunks compares n items. The first has the number first.
func (l *pair) chunks(s *scratch, j *judge, a, b []byte, n int, first int64) {
	sizeA, sizeB := l.a.DType.ItemSize(), l.b.DType.ItemSize()
	if sizeA == 0 && sizeB == 0 {
		return
	}
	for i := 0; i < n; i += chunkItems {
		end := min(i+chunkItems, n)
		x, y := a[i*sizeA:end*sizeA], b[i*sizeB:end*sizeB]
		if l.same && bytes.Equal(x, y) {
			continue
		}
		j.base = first + int64(i)
		l.kernel(s, j, x, y, end-i)
	}
	j.pin(a, b, sizeA, sizeB, first)
}

// fields converts the tallies to Fields.
func (c *comparer) fields(shape []int) []Field {
	fields := make([]Field, len(c.pairs))
	for i, l := range c.pairs {
		t := c.tallies[i]
		f := Field{Name: l.name, A: l.a.DType, B: l.b.DType, Incomparable: l.reason}
		if l.reason == "" {
			f.Count = int64(c.elems) * int64(l.items)
			f.Different, f.Close, f.NaNs = t.different, t.close, t.nans
			w := wording{append(slices.Clone(shape), l.a.Dims...), texts(l.a.DType), texts(l.b.DType)}
			for _, e := range t.first {
				f.First = append(f.First, *w.mismatch(&e))
			}
			f.WorstAbs, f.WorstRel, f.WorstULPs = w.mismatch(t.worst[0]), w.mismatch(t.worst[1]), w.mismatch(t.worst[2])
		}
		fields[i] = f
	}
	return fields
}

// A wording converts the entries of a pair to mismatches.
type wording struct {
	shape []int
	a, b  func(item []byte) string
}

func (w wording) mismatch(e *entry) *Mismatch {
	if e == nil {
		return nil
	}
	return &Mismatch{Index: nd.Unravel(e.at, w.shape), A: w.a(e.a), B: w.b(e.b), Abs: e.abs, Rel: e.rel, ULPs: e.ulps}
}

// hasNaN reports whether t has values that may differ from themselves.
func hasNaN(t dtype.Type) bool {
	switch elem.KindOf(t) {
	case dtype.KindFloat, dtype.KindComplex, dtype.KindDatetime, dtype.KindTimedelta:
		return true
	}
	return false
}

func hexText(item []byte) string { return hex.EncodeToString(item) }
