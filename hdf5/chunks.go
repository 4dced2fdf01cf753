package hdf5

import (
	"context"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/chunkfilter"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// A chunkReader reads parts of a dataset whose elements are in chunks, or are not in the file at all.
type chunkReader struct {
	f    *file
	path string

	dims, chunk  []int // of the dataset and of its chunks, with the dimensions of an array type
	chunkStrides []int
	chunkBytes   int
	item         int // bytes of an element
	rank         int // of the dataspace: the axes that chunks have positions on
	index        chunkIndex
	pipeline     *chunkfilter.Pipeline // nil without filters
	whole        bool                  // partial chunks at the edges are not filtered
	fill         []byte                // nil for zeros

	scratch sync.Pool // of *chunkMemory
}

// chunkMemory is what a goroutine needs to decode chunks.
type chunkMemory struct {
	stored, chunk []byte
	holds         storedChunk // whose decoded elements are in chunk; size is 0 for none
	x             inChunk
}

// fewChunks is the largest number of chunks each of which is looked for in the index.
const fewChunks = 1 << 12

// read reads a part, in C order.
func (r *chunkReader) read(ctx context.Context, p npy.Part, buf []byte) (*npy.Array, error) {
	size := format.Header{DType: p.DType(), Shape: p.Shape()}.NBytes()
	zeros := false
	if buf == nil {
		if err := r.f.limits.checkSize(size, r.f.Size); err != nil {
			return nil, err
		}
		if zeros = r.index == nil; zeros {
			buf = bulk.Make(int(size))
		} else { // clearing it first would cost as much as reading it
			buf = bulk.MakeFill[byte](int(size))
		}
	}
	buf = buf[:size]
	if size > 0 {
		if err := r.readInto(ctx, p, buf, zeros); err != nil {
			return nil, err
		}
	}
	return npy.FromBytes(p.DType(), buf, p.Shape()...)
}

// readInto fills out with the elements of a part. zeros says that out is zero.
func (r *chunkReader) readInto(ctx context.Context, p npy.Part, out []byte, zeros bool) error {
	s := selectionOf(p, r.dims, r.chunk, r.item)
	if r.index == nil {
		if err := r.f.expand(len(out)); err != nil {
			return err
		}
		r.fillAll(out, &s, zeros)
		return nil
	}
	counts, total := make([]int, len(s.axes)), 1
	for j, a := range s.axes {
		counts[j] = a.count()
		total *= counts[j] // at most the number of elements
	}
	if total > fewChunks {
		return r.readListed(ctx, &s, out, total)
	}
	strides := nd.Strides(s.shape, s.t.ItemSize(), false)
	return par.Each(ctx, total, par.Workers(), func(_, i int) error {
		m := r.memory(len(s.axes))
		defer r.scratch.Put(m)
		s.touched(i, counts, &m.x)
		c, ok, err := r.index.find(m.x.grid[:r.rank])
		switch {
		case err != nil:
			return err
		case ok && c.at != storage.Undefined:
			return r.readChunk(ctx, c, &s, m, strides, out)
		}
		_, to := s.places(&m.x, r.chunkStrides, strides)
		to.Data = out
		if err := r.f.expand(to.NBytes()); err != nil {
			return err
		}
		r.fillPart(&to, &s)
		return nil
	})
}

// readListed is readInto for many chunks: those that the file has are listed first, so that the time depends on their
// number and not on that of the chunks that the file lacks. total is the number of both.
func (r *chunkReader) readListed(ctx context.Context, s *selection, out []byte, total int) error {
	list, err := r.listed(ctx, s)
	if err != nil {
		return err
	}
	if len(list) < total {
		if err := r.f.expand(len(out) / total * (total - len(list))); err != nil { // as if chunks were of one size
			return err
		}
		r.fillAll(out, s, false)
	}
	strides := nd.Strides(s.shape, s.t.ItemSize(), false)
	return par.Each(ctx, len(list), par.Workers(), func(_, i int) error {
		m := r.memory(len(s.axes))
		defer r.scratch.Put(m)
		clear(m.x.grid)
		copy(m.x.grid, list[i].grid)
		if !s.inGrid(&m.x) {
			return nil
		}
		return r.readChunk(ctx, list[i].storedChunk, s, m, strides, out)
	})
}

// A listedChunk is a chunk that the file has, with its position.
type listedChunk struct {
	storedChunk
	grid []int
}

// listed returns the chunks of the file that a selection touches, each position once.
func (r *chunkReader) listed(ctx context.Context, s *selection) ([]listedChunk, error) {
	var list []listedChunk
	known := map[int]int{}
	x := inChunk{make([]int, len(s.axes)), make([]int, len(s.axes)), make([]int, len(s.axes))}
	err := r.index.all(ctx, func(grid []int, c storedChunk) error {
		clear(x.grid)
		copy(x.grid, grid)
		if c.at == storage.Undefined || !s.inGrid(&x) {
			return nil
		}
		key := s.ordinal(&x)
		if at, ok := known[key]; ok {
			list[at].storedChunk = c
			return nil
		}
		known[key] = len(list)
		list = append(list, listedChunk{c, append([]int{}, grid...)})
		return nil
	})
	return list, err
}

// memory returns memory for one goroutine.
func (r *chunkReader) memory(rank int) *chunkMemory {
	if m, ok := r.scratch.Get().(*chunkMemory); ok {
		return m
	}
	ints := make([]int, 3*rank)
	return &chunkMemory{x: inChunk{ints[:rank], ints[rank : 2*rank], ints[2*rank:]}}
}

// readChunk reads the elements of the selection that are in one chunk, m.x, to their places in out.
func (r *chunkReader) readChunk(ctx context.Context, c storedChunk, s *selection, m *chunkMemory, strides []int, out []byte) error {
	from, to := s.places(&m.x, r.chunkStrides, strides)
	to.Data = out
	const what = "chunk"
	if !r.isFiltered(c, &m.x) {
		if c.size < uint64(r.chunkBytes) {
			return r.f.Failed(what, c.at, fault.Malformed(fault.ErrShortChunk))
		}
		if err := r.f.Check(what, c.at, uint64(r.chunkBytes)); err != nil {
			return err
		}
		return r.f.Failed(what, c.at, r.readPlain(ctx, c, &from, &to, m))
	}
	if err := r.f.Check(what, c.at, c.size); err != nil {
		return err
	}
	if err := r.f.limits.checkChunk(r.chunkBytes, c.size); err != nil {
		return err
	}
	if m.holds != c || c.size == 0 { // a chunk is often read in several parts, one after another
		switch {
		case isWhole(from, to, r.chunkBytes):
			return r.f.Failed(what, c.at, r.decodeWhole(out[to.Offset:to.Offset+r.chunkBytes], c, m))
		case r.chunkBytes > largeChunk:
			return r.f.Failed(what, c.at, r.readLarge(c, &from, &to, m))
		}
		m.chunk, m.holds = grown(m.chunk, r.chunkBytes), storedChunk{}
		if err := r.decode(m.chunk, c, m); err != nil {
			return r.f.Failed(what, c.at, err)
		}
		m.holds = c
	}
	from.Data = m.chunk
	to.Fill(&from)
	return nil
}

// decode fills dst with a filtered chunk.
func (r *chunkReader) decode(dst []byte, c storedChunk, m *chunkMemory) error {
	if uint64(r.pipeline.Bound(int(c.size), c.mask)) < uint64(len(dst)) {
		return fault.Malformed(fault.ErrShortChunk)
	}
	if ratio := r.f.limits.ratio; ratio > 0 && int64(len(dst))/ratio > int64(c.size) {
		if err := r.f.expand(len(dst)); err != nil {
			return err
		}
	}
	if m.stored = grown(m.stored, int(c.size)); len(m.stored) == 0 {
		return fault.Malformed(fault.ErrShortChunk)
	}
	if err := r.f.ReadFull(m.stored, int64(c.at)); err != nil {
		return err
	}
	return r.pipeline.Decode(dst, m.stored, c.mask)
}

// readPlain reads elements of a chunk that is not filtered: only those that are selected.
func (r *chunkReader) readPlain(ctx context.Context, c storedChunk, from, to *nd.Array, m *chunkMemory) error {
	if isWhole(*from, *to, r.chunkBytes) {
		return r.f.ReadFull(to.Data[to.Offset:to.Offset+r.chunkBytes], int64(c.at))
	}
	const gap = 4 << 10
	plan := from.Plan(gap)
	m.chunk, m.holds = grown(m.chunk, from.NBytes()), storedChunk{}
	if err := plan.Read(ctx, m.chunk, r.f.Reader, r.f.Base+int64(c.at), 1); err != nil {
		return err
	}
	part := from.Compact(from.DType, m.chunk)
	to.Fill(&part)
	return nil
}

// isFiltered reports whether a chunk is filtered.
func (r *chunkReader) isFiltered(c storedChunk, x *inChunk) bool {
	if r.pipeline == nil {
		return false
	}
	if !r.whole {
		return true
	}
	for j := range r.rank {
		if r.dims[j]/r.chunk[j] == x.grid[j] { // it is not complete within the dataset
			return false
		}
	}
	return true
}

// fillAll sets all elements of a selection to the fill value.
func (r *chunkReader) fillAll(out []byte, s *selection, zeros bool) {
	if r.fill == nil {
		if !zeros {
			clear(out)
		}
		return
	}
	a := nd.New(s.t, s.shape, false, out)
	r.fillPart(&a, s)
}

// fillPart sets the elements of a, some of a selection, to the fill value.
func (r *chunkReader) fillPart(a *nd.Array, s *selection) {
	value := r.fillOf(s, a.Shape)
	a.Fill(&value)
}

// fillOf returns the fill value of elements of a selection, as an array of the given shape.
func (r *chunkReader) fillOf(s *selection, shape []int) nd.Array {
	value := nd.Array{DType: s.t, Shape: shape, Strides: make([]int, len(shape)), Data: r.fill, Offset: s.within}
	if r.fill == nil {
		value.Data, value.Offset = make([]byte, s.t.ItemSize()), 0
		return value
	}
	for i, v := range s.inner {
		value.Strides[v] = s.steps[i]
	}
	return value
}

// grown returns n bytes of memory, of b if it is large enough.
func grown(b []byte, n int) []byte {
	if cap(b) >= n {
		return b[:n]
	}
	return bulk.MakeDirty(n)
}
