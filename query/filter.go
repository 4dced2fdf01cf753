package query

import (
	"context"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// Filter returns the rows of src that satisfy an expression, in their order: src[condition] in NumPy. Filter reads src once,
// only the fields of the expression where src can be read in parts. The result reads the rows that were found when it is
// read, and is valid as long as src is. The rows of an [npy.Array], of an [npy.Stream], which can be read once, and rows with
// Python objects are copied into memory.
func Filter(ctx context.Context, src npy.Source, expr string) (npy.Source, error) {
	c, err := compileFor(expr, src)
	if err != nil {
		return nil, err
	}
	return c.Filter(ctx, src)
}

// Filter is the function [Filter] for a compiled condition.
func (c *Condition) Filter(ctx context.Context, src npy.Source) (npy.Source, error) {
	if err := c.fits(src); err != nil {
		return nil, err
	}
	if src.DType().HasObject() {
		return c.filterObjects(ctx, src)
	}
	if a, inMemory := src.(*npy.Array); c.rowSize > 0 && (npy.IsOnePass(src) || inMemory && a.IsC()) {
		return c.collect(ctx, src) // copying rows while they are in the cache costs less than coming back for them
	}
	src, err := npy.Rereadable(ctx, src)
	if err != nil {
		return nil, err
	}
	set, err := c.rowsOf(ctx, src)
	if err != nil {
		return nil, err
	}
	return &chosen{base: src, set: set, count: set.total}, nil
}

// filterObjects returns rows with Python objects, which are read as a whole.
func (c *Condition) filterObjects(ctx context.Context, src npy.Source) (npy.Source, error) {
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	set, err := c.rowsOf(ctx, a)
	if err != nil {
		return nil, err
	}
	return npy.Take(ctx, a, set.positions(0, 1, set.total))
}

// positions returns count rows of the set, from that of a rank on, step ranks apart.
func (s *rowSet) positions(rank, step, count int) []int {
	rows := make([]int, 0, count)
	if step != 1 {
		for i := range count {
			rows = append(rows, s.at(rank+i*step))
		}
		return rows
	}
	for low := 0; len(rows) < count; {
		if low == 0 {
			low = s.at(rank)
		}
		start, end := s.next(low, s.rows)
		for row := start; row < end && len(rows) < count; row++ {
			rows = append(rows, row)
		}
		low = end
	}
	return rows
}

// A chosen is some of the rows of a source: those of a set, from that of rank start on, step ranks apart.
type chosen struct {
	base        npy.Source
	set         *rowSet
	start, step int // a step of 0 is 1
	count       int
	single      bool // the first axis was removed by an integer
}

// DType implements [npy.Source].
func (s *chosen) DType() dtype.Type { return s.base.DType() }

// Shape implements [npy.Source].
func (s *chosen) Shape() []int {
	shape := s.base.Shape()
	if s.single {
		return shape[1:]
	}
	shape[0] = s.count
	return shape
}

// Select implements [npy.Source].
func (s *chosen) Select(index ...npy.Index) (npy.Source, error) {
	if copied, ok, err := npy.SelectCopy(s, index); ok {
		return copied, err
	}
	if s.single {
		base, err := s.base.Select(append([]npy.Index{npy.All()}, index...)...)
		if err != nil {
			return nil, err
		}
		out := *s
		out.base = base
		return &out, nil
	}
	cut, err := npy.CutIndex(s.Shape(), index)
	if err != nil {
		return nil, err
	}
	base, err := s.base.Select(append([]npy.Index{npy.All()}, cut.Rest...)...)
	if err != nil {
		return nil, err
	}
	out := &chosen{base, s.set, s.start + cut.Start*s.by(), s.by() * cut.Step, cut.Count, cut.Single}
	if len(cut.More) == 0 {
		return out, nil
	}
	if out.base, err = base.Select(cut.More[0]); err != nil { // a field
		return nil, err
	}
	return out.Select(cut.More[1:]...)
}

func (s *chosen) by() int {
	if s.step == 0 {
		return 1
	}
	return s.step
}

// ReadAll implements [npy.Source].
func (s *chosen) ReadAll(ctx context.Context) (*npy.Array, error) {
	a, err := s.read(ctx, 0, s.count)
	if err != nil || !s.single {
		return a, err
	}
	return a.Slice(npy.At(0))
}

// read returns count rows, from number first on.
func (s *chosen) read(ctx context.Context, first, count int) (*npy.Array, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	shape := s.base.Shape()
	shape[0] = count
	h := format.Header{DType: s.base.DType(), Shape: shape}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	if err := npy.CheckBytes(s.base, h.NBytes()); err != nil {
		return nil, err
	}
	if s.by() != 1 {
		return npy.Take(ctx, s.base, s.set.positions(s.start+first*s.by(), s.by(), count))
	}
	data := bulk.MakeFill[byte](int(h.NBytes()))
	if err := s.fill(ctx, data, s.start+first, count); err != nil {
		return nil, err
	}
	return npy.FromHeader(h, data)
}

// fill copies rows, from that of a rank on, to dst.
func (s *chosen) fill(ctx context.Context, dst []byte, rank, count int) error {
	if len(dst) == 0 {
		return nil
	}
	size := len(dst) / count
	low, high := s.set.at(rank), s.set.at(rank+count-1)+1
	read, workers := rawRows(s.base, size)
	per := max(chunkBytes/size, 1)
	var chunks []int // the first row of each, which is one of the set
	for from := s.set.find(low, high, 0); from < high; from = s.set.find(from+per, high, 0) {
		chunks = append(chunks, from)
	}
	bufs := make([][]byte, max(min(workers, len(chunks)), 1))
	return par.Each(ctx, len(chunks), len(bufs), func(w, i int) error {
		from, to := chunks[i], min(chunks[i]+per, high)
		at := (s.set.rank(from) - rank) * size
		if run := s.set.find(from, to, ^uint64(0)); run == to { // all of the same run
			return read(ctx, dst[at:at+(to-from)*size], from, to)
		}
		data, err := s.view(ctx, &bufs[w], read, from, to, size)
		if err != nil {
			return err
		}
		s.set.copyRuns(dst[at:], data, from, to, size)
		return nil
	})
}

// view returns rows of the base, in its own memory if it is an array in C order.
func (s *chosen) view(ctx context.Context, buf *[]byte, read readRows, from, to, size int) ([]byte, error) {
	if a, ok := s.base.(*npy.Array); ok {
		if data, ok := a.ViewBytes(); ok && a.IsC() {
			return data[from*size : to*size], nil
		}
	}
	if cap(*buf) < (to-from)*size {
		*buf = bulk.MakeFill[byte]((to - from) * size)
	}
	data := (*buf)[:(to-from)*size]
	return data, read(ctx, data, from, to)
}

// A readRows reads rows of a source.
type readRows func(ctx context.Context, dst []byte, from, to int) error

// rawRows returns how rows of size bytes are read, and on how many goroutines.
func rawRows(src npy.Source, size int) (readRows, int) {
	if a, ok := src.(*npy.Array); ok {
		if data, ok := a.ViewBytes(); ok && a.IsC() {
			return func(_ context.Context, dst []byte, from, _ int) error {
				copy(dst, data[from*size:])
				return nil
			}, par.Workers()
		}
	}
	workers := 1 // in sequence, as a stream that is decompressed needs it
	if data, ok := npy.DataOf(src); ok {
		return func(_ context.Context, dst []byte, from, _ int) error {
			return nd.ReadFull(data, dst, int64(from)*int64(size))
		}, par.Workers()
	}
	if _, ok := src.(*npy.File); ok {
		workers = par.Workers()
	}
	return func(ctx context.Context, dst []byte, from, to int) error {
		part, err := src.Select(npy.Span(from, to))
		if err != nil {
			return err
		}
		a, err := part.ReadAll(ctx)
		if err != nil {
			return err
		}
		copy(dst, a.Bytes())
		return nil
	}, workers
}

// Blocks implements [npy.Source].
func (s *chosen) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		if s.single || nd.Size(s.Shape()) == 0 {
			s.whole(ctx, memory, yield)
			return
		}
		size := nd.Size(s.base.Shape()[1:]) * s.base.DType().ItemSize()
		if err := npy.CheckBytes(s.base, int64(s.count)*int64(size)); err != nil {
			yield(nil, err)
			return
		}
		if memory <= 0 {
			memory = 64 << 20
		}
		per := max(int(min(memory, 8<<20))/max(size, 1), 1)
		if size == 0 {
			per = s.count
		}
		for first := 0; first < s.count; first += per {
			a, err := s.read(ctx, first, min(per, s.count-first))
			if !yield(a, err) || err != nil {
				return
			}
		}
	}
}

// Regions implements the optional method of [npy.Source]: the regions of the base, with the rows that were chosen.
func (s *chosen) Regions(ctx context.Context) (*npy.Regions, error) {
	if s.single || s.by() != 1 {
		return nil, nil
	}
	r, err := npy.RegionsOf(ctx, s.base)
	if r == nil {
		return nil, err
	}
	out := &npy.Regions{All: func(yield func(npy.Region) bool) {
		for x := range r.All {
			low, high := s.ranks(x.Origin[0], x.Origin[0]+x.Shape[0])
			if low == high {
				continue
			}
			x.Origin, x.Shape = slices.Clone(x.Origin), slices.Clone(x.Shape)
			x.Origin[0], x.Shape[0] = low, high-low
			if !yield(x) {
				return
			}
		}
	}}
	for x := range out.All {
		if x.Value != nil {
			out.Constant += x.Size()
		}
	}
	return out, nil
}

// ranks returns the numbers of the chosen rows from low up to high of the base.
func (s *chosen) ranks(low, high int) (from, to int) {
	clip := func(rank int) int { return min(max(rank-s.start, 0), s.count) }
	return clip(s.set.rank(low)), clip(s.set.rank(high))
}

// CheckBytes implements the optional method of [npy.Source].
func (s *chosen) CheckBytes(n int64) error { return npy.CheckBytes(s.base, n) }

// whole yields the array in one piece, if it has elements.
func (s *chosen) whole(ctx context.Context, memory int64, yield func(*npy.Array, error) bool) {
	a, err := s.ReadAll(ctx)
	if err != nil {
		yield(nil, err)
		return
	}
	a.Blocks(ctx, memory)(yield)
}

var _ npy.Source = (*chosen)(nil)

// collect returns the rows of src that satisfy the condition in memory. It reads src once.
func (c *Condition) collect(ctx context.Context, src npy.Source) (npy.Source, error) {
	s := &stream{c: c, keeps: true}
	s.yield = func(a *npy.Array, err error) bool { // of rows that are larger than a block
		raw, _ := a.ViewBytes()
		s.keep(raw, a.Len())
		return true
	}
	if err := s.run(ctx, src); err != nil {
		return nil, err
	}
	data, err := s.join(ctx)
	if err != nil {
		return nil, err
	}
	return npy.FromBytes(c.dtype, data, slices.Concat([]int{s.keptRows}, c.rowShape)...)
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

// join returns all rows that were kept.
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
