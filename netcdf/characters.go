package netcdf

import (
	"bytes"
	"context"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/source"
)

// inTexts makes an entry of characters, |S1, one of texts along its last axis, as characters of netCDF-3 are. It reports
// whether it has. One axis of chunks belongs to the records, which may grow, not to a text.
func inTexts(e *container.Entry) bool {
	last := len(e.Shape) - 1
	if e.Group || e.Err != nil || last == 0 && e.Chunks != nil || e.DType.Kind() != dtype.KindBytes || e.DType.ItemSize() != 1 || last < 0 || e.Shape[last] < 1 || e.Shape[last] > dtype.MaxItemSize {
		return false
	}
	note := "characters along the last axis"
	if e.Dims != nil {
		note, e.TextDim = "characters along "+e.Dims[last], e.Dims[last]
		e.Dims = e.Dims[:last]
	}
	if e.Chunks != nil {
		e.Chunks = e.Chunks[:last]
	}
	if e.Scales != nil {
		e.Scales = e.Scales[:last]
	}
	if e.MaxShape != nil {
		if e.MaxShape = e.MaxShape[:last]; slices.Equal(e.MaxShape, e.Shape[:last]) {
			e.MaxShape = nil
		}
	}
	e.Notes = append(e.Notes, note)
	e.Fill = textFill(e.Fill, e.Shape[last])
	e.DType, e.Shape = dtype.Bytes(e.Shape[last]), e.Shape[:last]
	return true
}

// textFill returns the fill value of texts of n characters, given the fill value of a character.
func textFill(character *npy.Array, n int) *npy.Array {
	if character == nil || character.NBytes() != 1 {
		return nil
	}
	fill, err := npy.FromBytes(dtype.Bytes(n), bytes.Repeat(character.Bytes(), n), []int{}...)
	if err != nil {
		return nil
	}
	return fill
}

// A joined is a Source of characters, joined along its last axis to texts.
type joined struct {
	characters npy.Source
	t          dtype.Type
}

// DType implements [npy.Source].
func (s joined) DType() dtype.Type { return s.t }

// Shape implements [npy.Source].
func (s joined) Shape() []int {
	shape := s.characters.Shape()
	return shape[:len(shape)-1]
}

// Select implements [npy.Source].
func (s joined) Select(index ...npy.Index) (npy.Source, error) {
	if copied, ok, err := source.SelectCopy(s, index); ok {
		return copied, err
	}
	part, err := s.characters.Select(append(slices.Clip(index), npy.Ellipsis(), npy.All())...)
	if err != nil { // there may be an ellipsis already
		part, err = s.characters.Select(append(slices.Clip(index), npy.All())...)
	}
	if err != nil {
		return nil, err
	}
	return joined{part, s.t}, nil
}

// ReadAll implements [npy.Source].
func (s joined) ReadAll(ctx context.Context) (*npy.Array, error) {
	a, err := s.characters.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	return npy.FromBytes(s.t, a.Contiguous().Bytes(), s.Shape()...)
}

// Blocks implements [npy.Source].
func (s joined) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		var cut []byte // the characters so far of a text that comes in several blocks
		for b, err := range s.characters.Blocks(ctx, memory) {
			if err != nil {
				yield(nil, err)
				return
			}
			shape, data := b.Shape(), b.Bytes()
			if shape[len(shape)-1] < s.t.ItemSize() {
				if cut = append(cut, data...); len(cut) < s.t.ItemSize() {
					continue
				}
				data, cut = cut, cut[:0]
			}
			a, err := npy.FromBytes(s.t, data, shape[:len(shape)-1]...)
			if !yield(a, err) || err != nil {
				return
			}
		}
	}
}

// Regions implements the optional method of [npy.Source], where no region of the characters ends within a text.
func (s joined) Regions(ctx context.Context) (*npy.Regions, error) {
	r, err := npy.RegionsOf(ctx, s.characters)
	if r == nil {
		return nil, err
	}
	n, last := s.t.ItemSize(), len(s.characters.Shape())-1
	for x := range r.All {
		if x.Shape[last] != n {
			return nil, nil
		}
	}
	r, err = r.Map(func(c *npy.Array) (*npy.Array, error) { return npy.FromBytes(s.t, bytes.Repeat(c.Bytes(), n)) })
	if err != nil {
		return nil, err
	}
	return &npy.Regions{Constant: r.Constant / n, All: func(yield func(npy.Region) bool) {
		for x := range r.All {
			if !yield(npy.Region{Origin: x.Origin[:last], Shape: x.Shape[:last], Value: x.Value}) {
				return
			}
		}
	}}, nil
}

// CheckBytes implements the optional method of [npy.Source].
func (s joined) CheckBytes(n int64) error { return source.CheckBytes(s.characters, n) }
