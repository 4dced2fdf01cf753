package source

import (
	"context"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
)

// Lazy returns a Source for an array of dtype t that is opened when its elements are read. Select, DType and Shape
// call nothing. Each read calls open and, when it has ended, release, which may be nil: several goroutines may do so at the
// same time. Arrays that ReadAll of the opened Source returns must stay valid after release. An opened Source with
// another dtype or shape is an error.
func Lazy(t dtype.Type, shape []int, open func(ctx context.Context) (src npy.Source, release func(), err error)) npy.Source {
	return &lazySource{outline: whole(t, slices.Clone(shape), nil), open: open}
}

// A lazySource is an array, or a part of one, that is open only while it is read.
type lazySource struct {
	outline npy.Source // of the selection: its dtype and shape; it is not read
	open    func(ctx context.Context) (npy.Source, func(), error)
	whole   *lazySource // that the selection is of; nil for the whole
	index   []npy.Index
}

// DType implements [npy.Source].
func (s *lazySource) DType() dtype.Type { return s.outline.DType() }

// Shape implements [npy.Source].
func (s *lazySource) Shape() []int { return s.outline.Shape() }

// Select implements [npy.Source].
func (s *lazySource) Select(index ...npy.Index) (npy.Source, error) {
	if copied, ok, err := selectCopy(s, index); ok {
		return copied, err
	}
	outline, err := s.outline.Select(index...)
	if err != nil {
		return nil, err
	}
	return &lazySource{outline: outline, whole: s, index: slices.Clone(index)}, nil
}

// source opens the array and returns the selection of it.
func (s *lazySource) source(ctx context.Context) (npy.Source, func(), error) {
	if s.whole != nil {
		src, release, err := s.whole.source(ctx)
		if err != nil {
			return nil, nil, err
		}
		if src, err = src.Select(s.index...); err != nil {
			release()
			return nil, nil, err
		}
		return src, release, nil
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	src, release, err := s.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	if release == nil {
		release = func() {}
	}
	if t, shape := src.DType(), src.Shape(); !t.Equal(s.DType()) || !slices.Equal(shape, s.outline.Shape()) {
		release()
		return nil, nil, diag.Errorf("source", "the array has dtype %s and shape %v, want dtype %s and shape %v", t, shape, s.DType(), s.outline.Shape())
	}
	return src, release, nil
}

// ReadAll implements [npy.Source].
func (s *lazySource) ReadAll(ctx context.Context) (*npy.Array, error) {
	src, release, err := s.source(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return src.ReadAll(ctx)
}

// Blocks implements [npy.Source].
func (s *lazySource) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		src, release, err := s.source(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer release()
		src.Blocks(ctx, memory)(yield)
	}
}

var _ npy.Source = (*lazySource)(nil)
