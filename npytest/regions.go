package npytest

import (
	"context"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
)

// Regioned returns a as a Source that has the optional method Regions, for tests of what wraps or reads a Source: a is cut into
// boxes of different sizes, and boxes whose elements are all equal have a Value. So do parts of the result, and CheckBytes
// allows most bytes.
func Regioned(a *npy.Array, most int64) npy.Source { return &regioned{a, most} }

type regioned struct {
	*npy.Array
	most int64
}

// Select implements [npy.Source].
func (s *regioned) Select(index ...npy.Index) (npy.Source, error) {
	part, err := s.Array.Slice(index...)
	if err != nil {
		return nil, err
	}
	return &regioned{part, s.most}, nil
}

// Header returns the header of the array.
func (s *regioned) Header() format.Header { return npy.HeaderOf(s.Array) }

// StoredOrder hides the method of the array: it would lead to elements without regions.
func (s *regioned) StoredOrder() (npy.Source, bool) {
	if stored, reversed := s.Array.StoredOrder(); reversed {
		return &regioned{stored.(*npy.Array), s.most}, true
	}
	return s, false
}

// CheckBytes implements the optional method of [npy.Source].
func (s *regioned) CheckBytes(n int64) error {
	if n > s.most {
		return &npy.LimitError{Name: "MaxRatio", Limit: s.most, Got: n}
	}
	return nil
}

// Regions implements the optional method of [npy.Source].
func (s *regioned) Regions(context.Context) (*npy.Regions, error) {
	if s.Size() == 0 || s.DType().ItemSize() == 0 {
		return nil, nil
	}
	var all []npy.Region
	s.cut(npy.Region{Origin: make([]int, s.NDim()), Shape: s.Shape()}, 0, &all)
	slices.SortFunc(all, func(x, y npy.Region) int { return slices.Compare(x.Origin, y.Origin) })
	r := &npy.Regions{All: slices.Values(all)}
	for _, x := range all {
		if x.Value != nil {
			r.Constant += x.Size()
		}
	}
	return r, nil
}

// cut adds a box to all, or its parts if its elements differ and it is not cut deeply yet.
func (s *regioned) cut(box npy.Region, depth int, all *[]npy.Region) {
	part, err := s.Array.Slice(box.Index()...)
	if err != nil {
		panic(err) // the box is within the array
	}
	data, size := part.Bytes(), part.DType().ItemSize()
	equal := true
	for at := size; at < len(data) && equal; at += size {
		equal = string(data[at:at+size]) == string(data[:size])
	}
	axis := 0
	for i, n := range box.Shape {
		if n > box.Shape[axis] {
			axis = i
		}
	}
	switch {
	case equal:
		if box.Value, err = npy.FromBytes(s.DType(), data[:size]); err != nil {
			panic(err)
		}
	case depth < 12 && box.Shape[axis] > 1:
		at := (box.Shape[axis] + depth%2) / 2
		low, high := box, box
		low.Shape, high.Shape, high.Origin = slices.Clone(box.Shape), slices.Clone(box.Shape), slices.Clone(box.Origin)
		low.Shape[axis], high.Shape[axis] = at, box.Shape[axis]-at
		high.Origin[axis] += at
		s.cut(low, depth+1, all)
		s.cut(high, depth+1, all)
		return
	}
	*all = append(*all, box)
}
