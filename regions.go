package npy

import (
	"context"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/nd"
)

// A Region is a box of an array: Shape[i] elements along axis i, from Origin[i] on. It is valid until the next one and must
// not be changed.
type Region struct {
	Origin, Shape []int // of the box: its first index, and its length along each axis

	// Value is the element that all elements of the region equal, bit by bit: an array without dimensions. It is nil if the
	// elements must be read.
	Value *Array
}

// Regions divides an array into boxes, some of which are known to hold one element many times: the chunks that an HDF5 file
// lacks, the holes of a sparse file.
type Regions struct {
	// Constant is the number of elements in regions with a Value.
	Constant int

	// All yields the regions in the C order of their origins. No two overlap, and together they are the array. None is empty.
	// All reads nothing, and may be used any number of times.
	All iter.Seq[Region]
}

// RegionsOf returns the regions of src, or nil if no part of it is known to be constant. It may read the places of
// elements, such as an index of chunks, and no elements. Their number is in proportion to the stored data.
//
// Consumers use them to count in place of visiting: an array of 2**50 elements may have a file of a kilobyte. Package source
// has EachRegion and Runs, which decide whether that pays.
func RegionsOf(ctx context.Context, src Source) (*Regions, error) {
	x, ok := unwrapped(src).(interface {
		Regions(ctx context.Context) (*Regions, error)
	})
	if !ok || src.DType().HasObject() {
		return nil, nil
	}
	r, err := x.Regions(ctx)
	if err != nil || r == nil || r.Constant == 0 {
		return nil, err
	}
	return r, nil
}

// checkBytes is CheckBytes of package source.
func checkBytes(src Source, n int64) error {
	if x, ok := unwrapped(src).(interface{ CheckBytes(n int64) error }); ok {
		return x.CheckBytes(n)
	}
	return nil
}

// mostlyStored is how many times the stored bytes may be read before regions pay.
const mostlyStored = 4

// pay reports whether it pays to go through the regions of src: at least three fourths of it are constant, or all of it is more
// than src allows to be read. Otherwise the blocks of src cost as little, and come in their usual order. The regions may be nil.
func (r *Regions) pay(src Source) bool {
	if r == nil {
		return false
	}
	h := format.Header{DType: src.DType(), Shape: src.Shape()}
	return r.Constant/(mostlyStored-1) >= h.Size()-r.Constant || checkBytes(src, h.NBytes()) != nil
}

// Index returns the index that selects the region.
func (r Region) Index() []Index {
	index := make([]Index, len(r.Origin))
	for i, low := range r.Origin {
		index[i] = Span(low, low+r.Shape[i])
	}
	return index
}

// Size returns the number of elements.
func (r Region) Size() int { return nd.Size(r.Shape) }

// clone returns a region that stays valid.
func (r Region) clone() Region {
	r.Origin, r.Shape = slices.Clone(r.Origin), slices.Clone(r.Shape)
	return r
}

// Map returns the regions of an array whose elements are computed one by one from the elements that r divides, by value.
func (r *Regions) Map(value func(*Array) (*Array, error)) (*Regions, error) {
	made := map[string]*Array{} // by the bytes of the element
	for x := range r.All {
		if x.Value == nil || made[string(elementBytes(x.Value))] != nil {
			continue
		}
		v, err := value(x.Value)
		if err != nil {
			return nil, err
		}
		made[string(elementBytes(x.Value))] = v
	}
	return &Regions{r.Constant, func(yield func(Region) bool) {
		for x := range r.All {
			if x.Value != nil {
				x.Value = made[string(elementBytes(x.Value))]
			}
			if !yield(x) {
				return
			}
		}
	}}, nil
}

// elementBytes returns the bytes of an element.
func elementBytes(value *Array) []byte {
	data, _ := value.ViewBytes() // an array without dimensions is contiguous
	return data
}

// wholeRegion returns the only region of an array of one value.
func wholeRegion(shape []int, value *Array) *Regions {
	return &Regions{nd.Size(shape), func(yield func(Region) bool) {
		yield(Region{make([]int, len(shape)), shape, value})
	}}
}

// sortedRegions returns regions in the C order of their origins.
func sortedRegions(constant int, all []Region) *Regions {
	slices.SortFunc(all, func(a, b Region) int { return slices.Compare(a.Origin, b.Origin) })
	return &Regions{constant, slices.Values(all)}
}

// reversed returns the regions of the transposed array.
func (r *Regions) reversed() *Regions {
	var all []Region
	for x := range r.All {
		x = x.clone()
		slices.Reverse(x.Origin)
		slices.Reverse(x.Shape)
		all = append(all, x)
	}
	return sortedRegions(r.Constant, all)
}

// Regions implements the optional method of [Source].
func (s *transposedSource) Regions(ctx context.Context) (*Regions, error) {
	r, err := RegionsOf(ctx, s.src)
	if r == nil {
		return nil, err
	}
	return r.reversed(), nil
}

// CheckBytes implements the optional method of [Source].
func (s *transposedSource) CheckBytes(n int64) error { return checkBytes(s.src, n) }

// Regions implements the optional method of [Source]. Sources that are made when they are needed are not asked: there may be
// many, and each is opened for it.
func (j *joined) Regions(ctx context.Context) (*Regions, error) {
	parts := make([]*Regions, len(j.kept))
	out := &Regions{}
	for i, s := range j.kept {
		var err error
		if parts[i], err = RegionsOf(ctx, s); err != nil {
			return nil, err
		}
		if parts[i] != nil {
			out.Constant += parts[i].Constant
		}
	}
	if out.Constant == 0 {
		return nil, nil
	}
	out.All = func(yield func(Region) bool) { j.regions(parts, yield) }
	if j.axis == 0 {
		return out, nil
	}
	var all []Region
	for x := range out.All {
		all = append(all, x.clone())
	}
	return sortedRegions(out.Constant, all), nil
}

// regions yields the regions of all parts, at their places along the axis. A part without is one region.
func (j *joined) regions(parts []*Regions, yield func(Region) bool) {
	low := 0
	for i, end := range j.ends {
		shape := slices.Clone(j.shape)
		if shape[j.axis] = end - low; nd.Size(shape) > 0 {
			r := parts[i]
			if r == nil {
				r = wholeRegion(shape, nil)
			}
			for x := range r.All {
				origin := slices.Clone(x.Origin)
				origin[j.axis] += low
				if !yield(Region{origin, x.Shape, x.Value}) {
					return
				}
			}
		}
		low = end
	}
}

// CheckBytes implements the optional method of [Source]. Each source that was given is asked for its share.
func (j *joined) CheckBytes(n int64) error {
	total := float64(max(nd.Size(j.shape), 1))
	for _, s := range j.kept {
		if err := checkBytes(s, int64(float64(n)*float64(nd.Size(s.Shape()))/total)); err != nil {
			return err
		}
	}
	return nil
}

// runRegions returns the regions of an array in C order of which only some elements are stored: data are the numbers of the
// first and after the last of each run of these, in order. All others are value.
func runRegions(shape []int, data [][2]int, value *Array) *Regions {
	size := nd.Size(shape)
	constant := size
	for _, d := range data {
		constant -= d[1] - d[0]
	}
	return &Regions{constant, func(yield func(Region) bool) {
		at := 0
		for _, d := range append(slices.Clip(data), [2]int{size, size}) {
			if !boxesOfRun(shape, at, d[0], value, yield) || !boxesOfRun(shape, d[0], d[1], nil, yield) {
				return
			}
			at = d[1]
		}
	}}
}

// boxesOfRun yields the boxes of the elements from low up to high in C order, the largest that are contiguous.
func boxesOfRun(shape []int, low, high int, value *Array, yield func(Region) bool) bool {
	for low < high {
		b := nd.RunFrom(shape, low, high-low)
		if !yield(Region{b.Origin, b.Shape, value}) {
			return false
		}
		low += nd.Size(b.Shape)
	}
	return true
}

// zeroOf returns the element whose bytes are zero.
func zeroOf(t dtype.Type) *Array {
	return newArray(format.Header{DType: t, Shape: []int{}}, make([]byte, t.ItemSize()))
}
