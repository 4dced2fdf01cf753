package query

import (
	"context"
	"iter"
	"math/bits"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/par"
)

// Rows yields the rows of src that satisfy the condition, in their order, in arrays of some rows each. It reads src once, so
// src may be an [npy.Stream]. An array is valid until the next one and must not be changed. After an error there are no more
// rows. Python objects come in one array.
func (c *Condition) Rows(ctx context.Context, src npy.Source) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		if err := c.fits(src); err != nil {
			yield(nil, err)
			return
		}
		if src.DType().HasObject() || c.rowSize == 0 {
			c.yieldWhole(ctx, src, yield)
			return
		}
		s := &stream{c: c, yield: yield}
		if err := s.run(ctx, src); err != nil && err != errStopped {
			yield(nil, err)
		}
	}
}

// yieldWhole yields all rows as one array.
func (c *Condition) yieldWhole(ctx context.Context, src npy.Source, yield func(*npy.Array, error) bool) {
	src, err := npy.Rereadable(ctx, src)
	if err == nil {
		src, err = c.Filter(ctx, src)
	}
	if err != nil {
		yield(nil, err)
		return
	}
	a, err := src.ReadAll(ctx)
	if err != nil || a.Len() > 0 {
		yield(a, err)
	}
}

// A stream evaluates blocks of rows on several goroutines, and yields the rows that were found in their order.
type stream struct {
	c       *Condition
	yield   func(*npy.Array, error) bool
	workers []*worker
	free    []*found

	keeps    bool // the rows are kept, and not yielded
	kept     [][]byte
	keptRows int
}

// A found is the result of one chunk.
type found struct {
	first, low, n int
	reader        *rowReader
	rows          func(ctx context.Context, buf *[]byte, from, to int) ([]byte, error)
	words         []uint64
	data          []byte
	buf           []byte
	count         int
}

// stop is the error that ends a loop that was left.
type stop struct{}

func (stop) Error() string { return "query: the loop was left" }

var errStopped error = stop{}

func (s *stream) run(ctx context.Context, src npy.Source) error {
	rows := src.Shape()[0]
	if !npy.IsOnePass(src) {
		if r := s.c.reader(src); r != nil {
			size := s.c.rowSize
			read, _ := rawRows(src, size)
			choice := &chosen{base: src}
			return s.chunks(ctx, r, 0, rows, func(ctx context.Context, buf *[]byte, from, to int) ([]byte, error) {
				return choice.view(ctx, buf, read, from, to, size)
			})
		}
	}
	first := 0
	for block, err := range src.Blocks(ctx, 0) {
		if err != nil {
			return err
		}
		n := block.Shape()[0]
		if n*s.c.rowSize != block.NBytes() {
			return s.large(ctx, src)
		}
		data, _ := block.ViewBytes()
		size := s.c.rowSize
		err = s.chunks(ctx, s.c.reader(block), first, n, func(_ context.Context, _ *[]byte, from, to int) ([]byte, error) {
			return data[from*size : to*size], nil
		})
		if err != nil {
			return err
		}
		first += n
	}
	return nil
}

// large is run where blocks are smaller than rows.
func (s *stream) large(ctx context.Context, src npy.Source) error {
	src, err := npy.Rereadable(ctx, src)
	if err != nil {
		return err
	}
	if src, err = s.c.Filter(ctx, src); err != nil {
		return err
	}
	for row := range src.Shape()[0] {
		part, err := src.Select(npy.Span(row, row+1))
		if err != nil {
			return err
		}
		a, err := part.ReadAll(ctx)
		if err != nil {
			return err
		}
		if !s.yield(a.Contiguous(), nil) {
			return errStopped
		}
	}
	return nil
}

// chunks evaluates n rows that r reads from row 0 on, and yields those that were found.
func (s *stream) chunks(ctx context.Context, r *rowReader, first, n int, rows func(ctx context.Context, buf *[]byte, from, to int) ([]byte, error)) error {
	per, workers := r.chunk(n)
	for len(s.workers) < workers {
		s.workers = append(s.workers, &worker{env: newEnv(s.c)})
	}
	p := par.NewPipeline(ctx, workers, 2*workers, func(w int, f *found) error { return s.work(ctx, s.workers[w], f) }, s.emit)
	defer p.Drop()
	for low := 0; low < n; low += per {
		f := &found{}
		if k := len(s.free); k > 0 {
			f, s.free = s.free[k-1], s.free[:k-1]
		}
		f.first, f.low, f.n, f.reader, f.rows = first, low, min(per, n-low), r, rows
		if err := p.Push(f); err != nil {
			return err
		}
	}
	return p.Drain()
}

// work finds the rows of a chunk and copies them.
func (s *stream) work(ctx context.Context, w *worker, f *found) error {
	mask, err := s.c.chunk(ctx, w, f.reader, f.first, f.low, f.n)
	if err != nil {
		return err
	}
	f.words = slices.Grow(f.words[:0], (f.n+63)/64)[:(f.n+63)/64]
	bitsOf(f.words, mask)
	f.count = 0
	for _, word := range f.words {
		f.count += bits.OnesCount64(word)
	}
	f.data = f.data[:0]
	if f.count == 0 {
		return nil
	}
	set := bitSet{words: f.words, rows: f.n}
	start := set.find(0, f.n, 0)
	end := set.last() + 1
	raw := w.raw
	if raw == nil {
		if raw, err = f.rows(ctx, &f.buf, f.low+start, f.low+end); err != nil {
			return err
		}
	} else {
		raw = raw[start*s.c.rowSize : end*s.c.rowSize]
	}
	need := f.count * s.c.rowSize
	switch {
	case s.keeps:
		f.data = w.slab(need)
	case cap(f.data) < need:
		f.data = bulk.MakeFill[byte](need)
	default:
		f.data = f.data[:need]
	}
	set.copyRuns(f.data, raw, start, end, s.c.rowSize)
	return nil
}

// last returns the last row of a set that is not empty.
func (s *bitSet) last() int {
	for i := len(s.words) - 1; ; i-- {
		if w := s.words[i]; w != 0 {
			return 64*i + 63 - bits.LeadingZeros64(w)
		}
	}
}

// emit yields the rows of a chunk.
func (s *stream) emit(f *found) error {
	defer func() { s.free = append(s.free, f) }()
	if f.count == 0 {
		return nil
	}
	if s.keeps {
		s.keep(f.data, f.count)
		f.data = nil
		return nil
	}
	a, err := npy.FromBytes(s.c.dtype, f.data, slices.Concat([]int{f.count}, s.c.rowShape)...)
	if err != nil {
		return err
	}
	if !s.yield(a, nil) {
		return errStopped
	}
	return nil
}
