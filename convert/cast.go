package convert

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// as returns a converted to dtype t.
func as(a *npy.Array, t dtype.Type) (*npy.Array, error) {
	if t.Equal(a.DType()) {
		return a, nil
	}
	return a.AsType(t)
}

// castTo returns src converted to dtype t. It first converts an array without elements, so that an impossible conversion
// is an error before anything is written. Python objects are read as a whole.
func castTo(ctx context.Context, src npy.Source, t dtype.Type) (npy.Source, error) {
	if src.DType().HasObject() {
		a, err := src.ReadAll(ctx)
		if err != nil {
			return nil, err
		}
		return as(a, t)
	}
	none, err := npy.New(src.DType(), 0)
	if err != nil {
		return nil, err
	}
	if none, err = as(none, t); err != nil {
		return nil, err
	}
	return cast{src, none.DType()}, nil
}

// A cast is a Source whose elements are converted when they are read, as by [npy.Array.AsType].
type cast struct {
	npy.Source
	dtype dtype.Type
}

// DType implements [npy.Source].
func (c cast) DType() dtype.Type { return c.dtype }

// OnePass reports whether the underlying Source can be read only once.
func (c cast) OnePass() bool {
	return npy.IsOnePass(c.Source)
}

// Select implements [npy.Source]. Fields of another dtype cannot be selected.
func (c cast) Select(index ...npy.Index) (npy.Source, error) {
	s, err := c.Source.Select(index...)
	if err != nil {
		return nil, err
	}
	if !s.DType().Equal(c.Source.DType()) {
		return nil, fmt.Errorf("convert: elements that are converted to dtype %s have no fields to select: %w; select the field first", c.dtype, errors.ErrUnsupported)
	}
	return cast{s, c.dtype}, nil
}

// ReadAll implements [npy.Source].
func (c cast) ReadAll(ctx context.Context) (*npy.Array, error) {
	a, err := c.Source.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	return as(a, c.dtype)
}

// Blocks implements [npy.Source].
func (c cast) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		for a, err := range c.Source.Blocks(ctx, memory) {
			if err == nil {
				a, err = as(a, c.dtype)
			}
			if !yield(a, err) || err != nil {
				return
			}
		}
	}
}
