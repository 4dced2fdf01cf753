package npy

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/blockwise"
	"github.com/npygo/npy/internal/nd"
)

// Transposed returns src with its axes in reverse order, numpy.transpose, without a copy: nothing is read before the
// result is. Blocks are read a box at a time, so they take the memory of a block. For formats with axes in Fortran
// order. The result is valid as long as src is.
func Transposed(src Source) Source {
	switch s := src.(type) {
	case *Array:
		return s.T()
	case *transposedSource:
		return s.src
	}
	return &transposedSource{src}
}

// A transposedSource is a Source with its axes in reverse order.
type transposedSource struct{ src Source }

// DType implements [Source].
func (s *transposedSource) DType() dtype.Type { return s.src.DType() }

// Shape implements [Source].
func (s *transposedSource) Shape() []int {
	shape := s.src.Shape()
	slices.Reverse(shape)
	return shape
}

// Header returns the header that np.save would write.
func (s *transposedSource) Header() format.Header {
	h := HeaderOf(s.src)
	view := newArray(h, nil).T()
	return view.header()
}

// OnePass reports whether the elements can be read only once.
func (s *transposedSource) OnePass() bool { return IsOnePass(s.src) }

// StoredOrder returns the Source whose axes are reversed, if that is in C order.
func (s *transposedSource) StoredOrder() (Source, bool) {
	if s.Header().FortranOrder {
		return s.src, true
	}
	return s, false
}

// Select implements [Source].
func (s *transposedSource) Select(index ...Index) (Source, error) {
	if copied, ok, err := selectCopy(s, index); ok {
		return copied, err
	}
	outline := newArray(format.Header{DType: s.DType(), Shape: s.Shape()}, nil)
	selected, err := outline.Slice(index...)
	if err != nil {
		return nil, err
	}
	axes, fields := spread(index, outline.NDim())
	if len(fields) > 0 { // whose own axes are not reversed
		index = slices.Clone(index)
		return &wholeSource{selected, func(ctx context.Context) (*Array, error) {
			a, err := s.ReadAll(ctx)
			if err != nil {
				return nil, err
			}
			return a.Slice(index...)
		}, s.OnePass()}, nil
	}
	slices.Reverse(axes)
	src, err := s.src.Select(axes...)
	if err != nil {
		return nil, err
	}
	return Transposed(src), nil
}

// ReadAll implements [Source].
func (s *transposedSource) ReadAll(ctx context.Context) (*Array, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	a, err := s.src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	return a.T(), nil
}

// Blocks implements [Source].
func (s *transposedSource) Blocks(ctx context.Context, memory int64) iter.Seq2[*Array, error] {
	h := format.Header{DType: s.DType(), Shape: s.Shape()}
	if h.DType.HasObject() || h.NBytes() == 0 || s.OnePass() {
		return wholeOf(h.DType, h.Shape, s.ReadAll).Blocks(ctx, memory)
	}
	return func(yield func(*Array, error) bool) {
		if ctx.Err() != nil {
			yield(nil, context.Cause(ctx))
			return
		}
		boxes, view := boxesOf(s.src)
		if x, ok := boxes.(selectedBoxes); ok {
			axes := slices.Clone(x.axes)
			slices.Reverse(axes)
			boxes = selectedBoxes{x.src, axes}
		}
		if memory <= 0 {
			memory = defaultBlocks
		}
		x := &blockwise.Job{Source: boxes, View: view.T().nd, Memory: memory, BlockMax: pieceMax, Sequence: true, Header: h}
		stop := errors.New("the caller wants no more")
		err := x.Each(ctx, func(b nd.Box, data []byte) error {
			if !yield(newArray(format.Header{DType: h.DType, Shape: b.Shape}, data), nil) {
				return stop
			}
			return nil
		})
		if err != nil && err != stop {
			yield(nil, err)
		}
	}
}
