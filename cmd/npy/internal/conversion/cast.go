package conversion

import (
	"context"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// A castSource is a Source whose elements are converted as they are read, for files with several arrays, which a Copier
// does not write.
type castSource struct {
	npy.Source
	to dtype.Type
}

// DType implements [npy.Source].
func (s castSource) DType() dtype.Type { return s.to }

// Select implements [npy.Source].
func (s castSource) Select(index ...npy.Index) (npy.Source, error) {
	part, err := s.Source.Select(index...)
	return castSource{part, s.to}, err
}

// Blocks implements [npy.Source].
func (s castSource) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		for block, err := range s.Source.Blocks(ctx, memory) {
			if err == nil {
				block, err = block.AsType(s.to)
			}
			if !yield(block, err) || err != nil {
				return
			}
		}
	}
}

// ReadAll implements [npy.Source].
func (s castSource) ReadAll(ctx context.Context) (*npy.Array, error) {
	a, err := s.Source.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	return a.AsType(s.to)
}

// Regions implements the optional method of [npy.Source].
func (s castSource) Regions(ctx context.Context) (*npy.Regions, error) {
	r, err := npy.RegionsOf(ctx, s.Source)
	if r == nil {
		return nil, err
	}
	return r.Map(func(value *npy.Array) (*npy.Array, error) { return value.AsType(s.to) })
}

// CheckBytes implements the optional method of [npy.Source].
func (s castSource) CheckBytes(n int64) error {
	return npy.CheckBytes(s.Source, n/int64(max(s.to.ItemSize(), 1))*int64(s.Source.DType().ItemSize()))
}

// OnePass reports whether the elements can be read only once.
func (s castSource) OnePass() bool { return npy.IsOnePass(s.Source) }

// A cOrder is a Source without its order in the file, so that it is written in C order.
type cOrder struct{ npy.Source }

// Regions implements the optional method of [npy.Source].
func (s cOrder) Regions(ctx context.Context) (*npy.Regions, error) {
	return npy.RegionsOf(ctx, s.Source)
}

// CheckBytes implements the optional method of [npy.Source].
func (s cOrder) CheckBytes(n int64) error { return npy.CheckBytes(s.Source, n) }
