package reading

import (
	"context"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/source"
)

// A convertedSource is a dataset whose elements are converted one by one, as a [npy.Source]: text of variable length,
// for example.
type convertedSource struct {
	d       *Dataset
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
	if copied, ok, err := source.SelectCopy(s, index); ok {
		return copied, err
	}
	if s.d.Coding.DType.IsSubarray() { // its axes are none of the file
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
	return source.Whole(s.outline.DType, s.outline.Shape, s.ReadAll)
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
	a, err := s.d.Coding.Array(ctx, s.d.f.Reading(), data, raw.Shape())
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

// Regions implements the optional method of [npy.Source].
func (s *convertedSource) Regions(ctx context.Context) (*npy.Regions, error) {
	if s.DType().HasObject() || s.d.Coding.DType.IsSubarray() {
		return nil, nil
	}
	r, err := npy.RegionsOf(ctx, s.raw)
	if r == nil {
		return nil, err
	}
	return r.Map(func(raw *npy.Array) (*npy.Array, error) { return s.convert(ctx, raw) })
}

// CheckBytes implements the optional method of [npy.Source].
func (s *convertedSource) CheckBytes(n int64) error { return source.CheckBytes(s.raw, n) }
