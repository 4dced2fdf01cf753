package filter

import (
	"context"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/rowset"
)

// A stream evaluates blocks of rows on several goroutines, and yields the rows that satisfy the expression in their order.
type stream struct {
	filter  *Filter
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
	set           rowset.Bits
	data          []byte
	buf           []byte
	count         int
}

// errStopped ends the work after the caller left its loop.
var errStopped = diag.New("query", "the loop was left")

func (s *stream) run(ctx context.Context, src npy.Source) error {
	rows := src.Shape()[0]
	if !npy.IsOnePass(src) {
		if r := s.filter.reader(src); r != nil {
			return s.chunks(ctx, r, 0, rows, fetcherOf(src, s.filter.RowSize).view)
		}
	}
	first := 0
	for block, err := range src.Blocks(ctx, 0) {
		if err != nil {
			return err
		}
		n := block.Shape()[0]
		if n*s.filter.RowSize != block.NBytes() {
			return s.large(ctx, src)
		}
		data, _ := block.ViewBytes()
		size := s.filter.RowSize
		err = s.chunks(ctx, s.filter.reader(block), first, n, func(_ context.Context, _ *[]byte, from, to int) ([]byte, error) {
			return data[from*size : to*size], nil
		})
		if err != nil {
			return err
		}
		first += n
	}
	return nil
}

// large is run for blocks that are smaller than rows.
func (s *stream) large(ctx context.Context, src npy.Source) error {
	rows, err := s.filter.choose(ctx, src)
	if err != nil {
		return err
	}
	for row := range rows.count {
		part, err := rows.Select(npy.Span(row, row+1))
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

// chunks evaluates n rows that r reads from row 0 on, and yields the rows that satisfy the expression.
func (s *stream) chunks(ctx context.Context, r *rowReader, first, n int, rows func(ctx context.Context, buf *[]byte, from, to int) ([]byte, error)) error {
	per, workers := r.chunk(n)
	for len(s.workers) < workers {
		s.workers = append(s.workers, &worker{env: s.filter.NewEnv()})
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
	mask, err := s.filter.chunk(ctx, w, f.reader, f.first, f.low, f.n)
	if err != nil {
		return err
	}
	f.set.Pack(mask)
	f.count, f.data = f.set.Count(), f.data[:0]
	if f.count == 0 {
		return nil
	}
	start := f.set.Find(0, f.n, 0)
	end := f.set.Last() + 1
	raw := w.raw
	if raw == nil {
		if raw, err = f.rows(ctx, &f.buf, f.low+start, f.low+end); err != nil {
			return err
		}
	} else {
		raw = raw[start*s.filter.RowSize : end*s.filter.RowSize]
	}
	need := f.count * s.filter.RowSize
	switch {
	case s.keeps:
		f.data = w.slab(need)
	case cap(f.data) < need:
		f.data = bulk.MakeFill[byte](need)
	default:
		f.data = f.data[:need]
	}
	f.set.CopyRuns(f.data, raw, start, end, s.filter.RowSize)
	return nil
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
	a, err := npy.FromBytes(s.filter.DType, f.data, slices.Concat([]int{f.count}, s.filter.RowShape)...)
	if err != nil {
		return err
	}
	if !s.yield(a, nil) {
		return errStopped
	}
	return nil
}

// slabBytes is the size of the memory that a worker takes for the rows that it finds.
const slabBytes = 4 << 20

// slab returns n bytes that stay with the result of the worker.
func (w *worker) slab(n int) []byte {
	if cap(w.free)-len(w.free) < n {
		w.free = bulk.MakeFill[byte](max(slabBytes, n))[:0]
	}
	at := len(w.free)
	w.free = w.free[:at+n]
	return w.free[at : at+n : at+n]
}

// keep adds rows to the result.
func (s *stream) keep(data []byte, rows int) {
	s.kept = append(s.kept, data)
	s.keptRows += rows
}

// join returns all kept rows.
func (s *stream) join(ctx context.Context) ([]byte, error) {
	starts, size := make([]int, len(s.kept)), 0
	for i, data := range s.kept {
		starts[i] = size
		size += len(data)
	}
	out := bulk.MakeFill[byte](size)
	return out, par.Each(ctx, len(s.kept), par.Workers(), func(_, i int) error {
		copy(out[starts[i]:], s.kept[i])
		return nil
	})
}
