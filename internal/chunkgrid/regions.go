package chunkgrid

import (
	"bytes"
	"context"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/nd"
)

// Regions implements the optional method of [npy.Source]: the elements of missing chunks are the fill value.
func (s *Source) Regions(ctx context.Context) (*npy.Regions, error) {
	if err := s.r.Store.Check(); err != nil {
		return nil, s.r.Store.About(err)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if nd.Size(s.Shape()) == 0 {
		return nil, nil
	}
	x := selectionOf(s.p, s.r.Shape, s.r.Chunk, s.r.ItemSize)
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

// fillValue returns the value of all elements of a selection without a chunk, or nil if they differ. The elements of a
// field that is a subarray may differ.
func (r *Array) fillValue(s *selection) (*npy.Array, error) {
	size := s.t.ItemSize()
	if s.t.HasObject() || size == 0 {
		return nil, nil
	}
	if err := r.Store.CheckBytes(int64(size)); err != nil { // the file need not have an element
		return nil, err
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

// A chunkSet is the stored chunks of a selection, by their numbers in C order of the chunks that it touches.
type chunkSet struct {
	*selection
	counts []int // chunks along each axis
	stored []int // in order
}

// storedGrid returns the stored chunks of a selection, or nil if it has all.
func (r *Array) storedGrid(ctx context.Context, s *selection) (*chunkSet, error) {
	g := &chunkSet{selection: s, counts: make([]int, len(s.axes))}
	total := 1
	for j, a := range s.axes {
		g.counts[j] = a.count()
		total *= g.counts[j] // at most the number of elements
	}
	if r.Index == nil {
		return g, nil
	}
	if r.Complete {
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

// eachStored collects the numbers of the stored chunks. It looks for each of few, and else goes through the index.
func (r *Array) eachStored(ctx context.Context, g *chunkSet, total int) error {
	n := len(g.counts)
	x := inChunk{make([]int, n), make([]int, n), make([]int, n)}
	if total > fewChunks {
		return r.Index.All(ctx, func(grid []int, c Chunk) error {
			clear(x.grid)
			copy(x.grid, grid)
			if g.inGrid(&x) {
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
		_, ok, err := r.Index.Find(x.grid[:r.Rank])
		if err != nil {
			return err
		}
		if ok {
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

// regions yields the regions of the selection, with a value where there is no chunk. Chunks that follow each other are one region
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

// along yields the regions along an axis and the axes after it. The chunks that are stored there have numbers from first on.
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
