package chunkgrid

import (
	"context"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/source"
)

// A Source is an array in chunks, or a part of one, as a [npy.Source].
type Source struct {
	r *Array
	p npy.Selection
}

// Source returns the array as a Source of elements of a dtype. It reads nothing.
func (r *Array) Source(t dtype.Type) (npy.Source, error) {
	if r.Index != nil {
		r.chunkStrides, r.chunkBytes = nd.Strides(r.Chunk, r.ItemSize, false), nd.Size(r.Chunk)*r.ItemSize
	}
	whole, err := npy.SelectionOf(format.Header{DType: t, Shape: r.Shape})
	if err != nil {
		return nil, err
	}
	return &Source{r, whole}, nil
}

// DType implements [npy.Source].
func (s *Source) DType() dtype.Type { return s.p.DType() }

// Shape implements [npy.Source].
func (s *Source) Shape() []int { return s.p.Shape() }

// Select implements [npy.Source].
func (s *Source) Select(index ...npy.Index) (npy.Source, error) {
	if err := s.r.Store.Check(); err != nil {
		return nil, s.r.Store.About(err)
	}
	if copied, ok, err := source.SelectCopy(s, index); ok {
		return copied, err
	}
	p, err := s.p.Slice(index...)
	if err != nil {
		return nil, err
	}
	return &Source{s.r, p}, nil
}

// ReadAll implements [npy.Source].
func (s *Source) ReadAll(ctx context.Context) (*npy.Array, error) {
	if err := s.r.Store.Check(); err != nil {
		return nil, s.r.Store.About(err)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	a, err := s.r.read(ctx, s.p, nil, nil)
	return a, s.r.about(ctx, err)
}

// about returns err with the name of the array. The error of the context stays as it is.
func (r *Array) about(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return r.Store.About(err)
}

const (
	defaultBlocks = 128 << 20 // of the rows of chunks of one block, if the caller does not limit its memory
	pieceMax      = 8 << 20   // bytes of a block of whole chunks that has no use for more
)

// Blocks implements [npy.Source]. Blocks end where chunks end, if a row of chunks fits into the memory. Else chunks that several blocks
// have a part of are kept, up to keptChunks, so that they are decoded once.
func (s *Source) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		if err := s.r.Store.Check(); err != nil {
			yield(nil, s.r.Store.About(err))
			return
		}
		if err := s.CheckBytes(format.Header{DType: s.DType(), Shape: s.Shape()}.NBytes()); err != nil {
			yield(nil, err)
			return
		}
		if memory <= 0 {
			memory = defaultBlocks
		}
		if nd.Size(s.Shape()) > 0 {
			s.blocks(ctx, memory, yield)
		}
	}
}

// CheckBytes implements the optional method of [npy.Source]: it holds the limits of the file against n bytes.
func (s *Source) CheckBytes(n int64) error {
	return s.r.Store.CheckBytes(n)
}

// blocks yields the blocks of a part with elements. Along one axis, cut, a block has several positions; it has one along
// each axis before, and all along each axis after.
func (s *Source) blocks(ctx context.Context, memory int64, yield func(*npy.Array, error) bool) {
	shape, row := s.Shape(), int64(s.DType().ItemSize())
	cut := len(shape)
	for cut > 0 && row <= memory/int64(shape[cut-1]) {
		cut--
		row *= int64(shape[cut])
	}
	if cut > 0 {
		cut--
	} else if len(shape) > 0 {
		row /= int64(shape[0])
	}
	low, high := make([]int, len(shape)), slices.Clone(shape)
	for i := range cut {
		high[i] = 1
	}
	rows := s.rowsOf(cut)
	b := s.r.bandOf(s.p, cut)
	var buf []byte
	for {
		if len(shape) > 0 {
			high[cut] = rows.end(low[cut], shape[cut], row, memory)
		}
		b.enter(low)
		a, err := s.block(ctx, low, high, &buf, b)
		if err != nil {
			yield(nil, err)
			return
		}
		if !yield(a, nil) || !next(low, high, shape, cut) {
			return
		}
	}
}

// next moves low and high to the next block. It reports false after the last.
func next(low, high, shape []int, cut int) bool {
	if len(shape) == 0 {
		return false
	}
	if low[cut] = high[cut]; low[cut] < shape[cut] {
		return true
	}
	low[cut] = 0
	for i := cut - 1; i >= 0; i-- {
		if low[i]++; low[i] < shape[i] {
			high[i] = low[i] + 1
			return true
		}
		low[i], high[i] = 0, 1
	}
	return false
}

// rowsOf returns how chunks lie along an axis of the part: one chunk, unless the axis is one of the array.
func (s *Source) rowsOf(axis int) selectedAxis {
	if s.r.Index != nil {
		x := selectionOf(s.p, s.r.Shape, s.r.Chunk, s.r.ItemSize)
		if a, ok := x.along(axis); ok {
			return a
		}
	}
	return selectedAxis{chunk: 1, step: 1, n: 1, axis: axis}
}

// end returns the end of the block that begins with position low: at the last end of a chunk so that the block, of rows
// of the given bytes, has 8 MiB, or at the first if a chunk is larger. It does not exceed the memory.
func (a selectedAxis) end(low, n int, row, memory int64) int {
	piece := low + int(min(max(min(pieceMax, memory)/row, 1), int64(n-low)))
	if piece == n {
		return n
	}
	start, _ := a.inChunk((a.start + piece*a.step) / a.chunk)
	if a.n == 1 {
		return piece // chunks do not matter
	}
	if start > low {
		return start
	}
	_, end := a.inChunk((a.start + low*a.step) / a.chunk)
	if int64(end-low) <= memory/row {
		return end
	}
	return low + int(max(min(memory/row, int64(end-low)), 1))
}

// block reads one block into buf, which grows as needed.
func (s *Source) block(ctx context.Context, low, high []int, buf *[]byte, b *band) (*npy.Array, error) {
	if err := s.r.Store.Check(); err != nil {
		return nil, s.r.Store.About(err)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	index := make([]npy.Index, len(low))
	for i := range index {
		index[i] = npy.Span(low[i], high[i])
	}
	p, err := s.p.Slice(index...)
	if err != nil {
		return nil, err
	}
	size := int(format.Header{DType: p.DType(), Shape: p.Shape()}.NBytes())
	if cap(*buf) < size || *buf == nil {
		*buf = bulk.MakeDirty(max(size, 1))
	}
	a, err := s.r.read(ctx, p, *buf, b)
	return a, s.r.about(ctx, err)
}
