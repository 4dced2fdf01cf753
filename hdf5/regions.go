package hdf5

import (
	"bytes"
	"context"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/hdf5/internal/fault"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/nd"
)

// Regions implements the optional method of [npy.Source]: the elements of chunks that the file lacks are the fill value.
func (s *chunkedSource) Regions(ctx context.Context) (*npy.Regions, error) {
	if err := s.r.f.Reader.Check(); err != nil {
		return nil, fault.About(s.r.path, err)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if nd.Size(s.Shape()) == 0 {
		return nil, nil
	}
	x := selectionOf(s.p, s.r.dims, s.r.chunk, s.r.item)
	value, err := s.r.fillValue(&x)
	if value == nil {
		return nil, err
	}
	g, err := s.r.storedGrid(ctx, &x)
	if g == nil || err != nil {
		return nil, s.r.about(ctx, err)
	}
	stored := g.elements()
	if err := s.CheckBytes(int64(stored) * int64(x.t.ItemSize())); err != nil {
		return nil, err
	}
	return &npy.Regions{Constant: nd.Size(x.shape) - stored, All: func(yield func(npy.Region) bool) { g.regions(value, yield) }}, nil
}

// CheckBytes implements the optional method of [npy.Source]: it holds MaxRatio and MaxBytes against n bytes.
func (s *chunkedSource) CheckBytes(n int64) error {
	return fault.About(s.r.path, s.r.f.limits.checkSize(n, s.r.f.Size))
}

// FillValue returns the element that all elements without a chunk are in a selection, or nil if they differ: those of a field that
// is a subarray may.
func (r *chunkReader) fillValue(s *selection) (*npy.Array, error) {
	size := s.t.ItemSize()
	if s.t.HasObject() || size == 0 {
		return nil, nil
	}
	if err := r.f.limits.checkSize(int64(size), r.f.Size); err != nil { // the file need not have an element
		return nil, fault.About(r.path, err)
	}
	shape := slices.Repeat([]int{1}, len(s.shape))
	for _, v := range s.inner {
		shape[v] = s.shape[v]
	}
	values := r.fillOf(s, shape)
	first := bytes.Clone(values.ItemAt(values.Offset))
	for item := range values.Items {
		if !bytes.Equal(item, first) {
			return nil, nil
		}
	}
	return npy.FromBytes(s.t, first)
}

// A chunkSet is the chunks of a selection that the file has, by their numbers in C order of the chunks that it touches.
type chunkSet struct {
	*selection
	counts []int // chunks along each axis
	stored []int // in order
}

// storedGrid returns the chunks of a selection that the file has, or nil if it has all.
func (r *chunkReader) storedGrid(ctx context.Context, s *selection) (*chunkSet, error) {
	g := &chunkSet{selection: s, counts: make([]int, len(s.axes))}
	total := 1
	for j, a := range s.axes {
		g.counts[j] = a.count()
		total *= g.counts[j] // at most the number of elements
	}
	if r.index == nil {
		return g, nil
	}
	if _, ok := r.index.(implicitIndex); ok {
		return nil, nil
	}
	err := r.eachStored(ctx, g, total)
	if err != nil {
		return nil, err
	}
	slices.Sort(g.stored)
	if g.stored = slices.Compact(g.stored); len(g.stored) == total {
		return nil, nil
	}
	return g, nil
}

// eachStored collects the numbers of the chunks that the file has. It looks for each of few, and else goes through the index.
func (r *chunkReader) eachStored(ctx context.Context, g *chunkSet, total int) error {
	n := len(g.counts)
	x := inChunk{make([]int, n), make([]int, n), make([]int, n)}
	if total > fewChunks {
		return r.index.all(ctx, func(grid []int, c storedChunk) error {
			clear(x.grid)
			copy(x.grid, grid)
			if c.at != storage.Undefined && g.inGrid(&x) {
				g.stored = append(g.stored, g.ordinal(&x))
			}
			return nil
		})
	}
	for i := range total {
		if i%64 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		g.touched(i, g.counts, &x)
		c, ok, err := r.index.find(x.grid[:r.rank])
		if err != nil {
			return err
		}
		if ok && c.at != storage.Undefined {
			g.stored = append(g.stored, i)
		}
	}
	return nil
}

// elements returns the number of elements in the chunks.
func (g *chunkSet) elements() (n int) {
	inner := 1
	for _, v := range g.inner {
		inner *= g.shape[v]
	}
	for _, i := range g.stored {
		part := inner
		for j := len(g.counts) - 1; j >= 0; j-- {
			_, low, high := g.axes[j].touched(i % g.counts[j])
			part *= high - low
			i /= g.counts[j]
		}
		n += part
	}
	return n
}

// regions yields the regions of the selection, those without a chunk with a value. Chunks that follow each other are one region
// where they have all positions of the axes after.
func (g *chunkSet) regions(value *npy.Array, yield func(npy.Region) bool) {
	region := npy.Region{Origin: make([]int, len(g.shape)), Shape: slices.Clone(g.shape)}
	emit := func(stored bool) bool {
		if region.Value = value; stored {
			region.Value = nil
		}
		return yield(region)
	}
	g.along(0, g.stored, 0, &region, emit)
}

// along yields the regions along an axis and those after it. The chunks that are stored there have numbers from first on.
func (g *chunkSet) along(axis int, stored []int, first int, region *npy.Region, emit func(stored bool) bool) bool {
	if axis == len(g.counts) {
		return emit(len(stored) > 0)
	}
	each := nd.Size(g.counts[axis+1:]) // chunks of one position in the grid
	put := func(low, high int, has bool) bool {
		g.place(axis, low, high, region)
		return low == high || emit(has)
	}
	at, full := 0, 0 // the next position in the grid, and how many before it have all their chunks
	for len(stored) > 0 {
		k := (stored[0] - first) / each
		n := 1
		for n < len(stored) && (stored[n]-first)/each == k {
			n++
		}
		if full > 0 && (k > at || n < each) {
			if !put(at-full, at, true) {
				return false
			}
			full = 0
		}
		if !put(at, k, false) {
			return false
		}
		if at = k + 1; n == each {
			full++
		} else {
			g.place(axis, k, k+1, region)
			if !g.along(axis+1, stored[:n], first+k*each, region, emit) {
				return false
			}
			for j := axis + 1; j < len(g.counts); j++ {
				g.place(j, 0, g.counts[j], region)
			}
		}
		stored = stored[n:]
	}
	return put(at-full, at, true) && put(at, g.counts[axis], false)
}

// place gives a region the positions of the chunks from low up to high along an axis.
func (g *chunkSet) place(axis, low, high int, region *npy.Region) {
	a := g.axes[axis]
	if a.axis < 0 || low == high {
		return
	}
	_, start, _ := a.touched(low)
	_, _, end := a.touched(high - 1)
	region.Origin[a.axis], region.Shape[a.axis] = start, end-start
}

// Regions implements the optional method of [npy.Source].
func (s *convertedSource) Regions(ctx context.Context) (*npy.Regions, error) {
	if s.DType().HasObject() || s.d.coding.t.IsSubarray() {
		return nil, nil
	}
	r, err := npy.RegionsOf(ctx, s.raw)
	if r == nil {
		return nil, err
	}
	return r.Map(func(raw *npy.Array) (*npy.Array, error) { return s.convert(ctx, raw) })
}

// CheckBytes implements the optional method of [npy.Source].
func (s *convertedSource) CheckBytes(n int64) error { return npy.CheckBytes(s.raw, n) }
