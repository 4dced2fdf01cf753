package hdf5

import (
	"context"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
)

// A chunkedSource is a dataset in chunks, or a part of one, as a [npy.Source].
type chunkedSource struct {
	r *chunkReader
	p npy.Part
}

// DType implements [npy.Source].
func (s *chunkedSource) DType() dtype.Type { return s.p.DType() }

// Shape implements [npy.Source].
func (s *chunkedSource) Shape() []int { return s.p.Shape() }

// Select implements [npy.Source].
func (s *chunkedSource) Select(index ...npy.Index) (npy.Source, error) {
	if err := s.r.f.Reader.Check(); err != nil {
		return nil, fault.About(s.r.path, err)
	}
	if copied, ok, err := npy.SelectCopy(s, index); ok {
		return copied, err
	}
	p, err := s.p.Slice(index...)
	if err != nil {
		return nil, err
	}
	return &chunkedSource{s.r, p}, nil
}

// ReadAll implements [npy.Source].
func (s *chunkedSource) ReadAll(ctx context.Context) (*npy.Array, error) {
	if err := s.r.f.Reader.Check(); err != nil {
		return nil, fault.About(s.r.path, err)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	a, err := s.r.read(ctx, s.p, nil)
	return a, s.r.about(ctx, err)
}

// about returns err with the path of the dataset. The error of the context stays as it is.
func (r *chunkReader) about(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fault.About(r.path, err)
}

const (
	defaultBlocks = 128 << 20 // of the rows of chunks of one block, if the caller does not limit its memory
	pieceMax      = 8 << 20   // bytes of a block of whole chunks that has no use for more
)

// Blocks implements [npy.Source]. Blocks end where chunks end, if a row of chunks fits into the memory: every chunk is
// then decoded once.
func (s *chunkedSource) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		if err := s.r.f.Reader.Check(); err != nil {
			yield(nil, fault.About(s.r.path, err))
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

// blocks yields the blocks of a part with elements. Along one axis, cut, a block has several positions; it has one along
// those before, and all along those after.
func (s *chunkedSource) blocks(ctx context.Context, memory int64, yield func(*npy.Array, error) bool) {
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
	var buf []byte
	for {
		if len(shape) > 0 {
			high[cut] = rows.end(low[cut], shape[cut], row, memory)
		}
		a, err := s.block(ctx, low, high, &buf)
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

// rowsOf returns how chunks lie along an axis of the part: one chunk, unless the axis is one of the dataset.
func (s *chunkedSource) rowsOf(axis int) selectedAxis {
	if s.r.index != nil {
		for _, a := range selectionOf(s.p, s.r.dims, s.r.chunk, s.r.item).axes {
			if a.axis == axis {
				return a
			}
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
func (s *chunkedSource) block(ctx context.Context, low, high []int, buf *[]byte) (*npy.Array, error) {
	if err := s.r.f.Reader.Check(); err != nil {
		return nil, fault.About(s.r.path, err)
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
	a, err := s.r.read(ctx, p, *buf)
	return a, s.r.about(ctx, err)
}

// A convertedSource is a dataset whose elements are converted one by one, as a [npy.Source]: text of variable length,
// for example.
type convertedSource struct {
	d       *dataset
	raw     npy.Source // the elements as they are in the file
	outline format.Header
}

// DType implements [npy.Source].
func (s *convertedSource) DType() dtype.Type { return s.outline.DType }

// Shape implements [npy.Source].
func (s *convertedSource) Shape() []int { return slices.Clone(s.outline.Shape) }

// Select implements [npy.Source]. Fields of converted elements are taken after all elements have been read.
func (s *convertedSource) Select(index ...npy.Index) (npy.Source, error) {
	if err := s.d.f.Reader.Check(); err != nil {
		return nil, fault.About(s.d.path, err)
	}
	if copied, ok, err := npy.SelectCopy(s, index); ok {
		return copied, err
	}
	if s.d.coding.t.IsSubarray() { // its axes are none of the file
		return s.whole().Select(index...)
	}
	if len(index) > 1 {
		if name, ok := index[0].Name(); ok { // positions may come before the field, too
			if f, ok := s.DType().FieldByName(name); ok && !f.DType.IsSubarray() {
				if part, err := s.positions(index[1:]); err == nil {
					return part.whole().Select(index[0])
				}
			}
		}
	}
	part, err := s.positions(index)
	if err != nil {
		return s.whole().Select(index...)
	}
	return part, nil
}

// positions returns the part of an index without fields.
func (s *convertedSource) positions(index []npy.Index) (*convertedSource, error) {
	raw, err := s.raw.Select(index...)
	if err != nil {
		return nil, err
	}
	return &convertedSource{s.d, raw, format.Header{DType: s.outline.DType, Shape: raw.Shape()}}, nil
}

// whole returns s as a Source that is always read as a whole.
func (s *convertedSource) whole() npy.Source {
	return npy.WholeSource(s.outline.DType, s.outline.Shape, s.ReadAll)
}

// ReadAll implements [npy.Source].
func (s *convertedSource) ReadAll(ctx context.Context) (*npy.Array, error) {
	raw, err := s.raw.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	return s.convert(ctx, raw)
}

// convert converts some elements.
func (s *convertedSource) convert(ctx context.Context, raw *npy.Array) (*npy.Array, error) {
	data, _ := raw.Contiguous().ViewBytes() // it is in C order
	a, err := s.d.coding.array(ctx, s.d.f.Reading(), data, raw.Shape())
	if err != nil && ctx.Err() == nil {
		err = fault.About(s.d.path, err)
	}
	return a, err
}

// Blocks implements [npy.Source].
func (s *convertedSource) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		if err := s.d.f.Reader.Check(); err != nil {
			yield(nil, fault.About(s.d.path, err))
			return
		}
		for raw, err := range s.raw.Blocks(ctx, memory) {
			var a *npy.Array
			if err == nil {
				a, err = s.convert(ctx, raw)
			}
			if err == nil && a.Size() == 0 {
				continue
			}
			if !yield(a, err) || err != nil {
				return
			}
		}
	}
}
