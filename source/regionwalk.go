package source

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
)

// A regionWalker goes through the regions of an array in C order, a band at a time: positions along the first axis at which the
// same regions are.
type regionWalker struct {
	ctx    context.Context
	src    npy.Source
	shape  []int
	size   int
	memory int64
	out    *runCutter
	index  []int // of the elements that a walk has reached
}

// A placed is a region of a band, with its elements in the positions that are being visited.
type placed struct {
	npy.Region
	value []byte // nil for regions that are stored
	data  []byte // of the others
	first int    // the position of data along the first axis
}

func newRegionWalker(ctx context.Context, src npy.Source, o RunOptions, out *runCutter) *regionWalker {
	w := &regionWalker{ctx: ctx, src: src, shape: src.Shape(), size: src.DType().ItemSize(), memory: o.memory(), out: out}
	w.index = make([]int, len(w.shape))
	return w
}

// all walks through all regions.
func (w *regionWalker) all(r *npy.Regions) error {
	return sweep(0, w.shape[0], func(yield func(*placed) bool) {
		for x := range r.All {
			p := &placed{Region: clone(x)}
			if x.Value != nil {
				p.value = x.Value.Bytes()
			}
			if !yield(p) {
				return
			}
		}
	}, w.band)
}

var errRegions = diag.New("source", "the regions of a source overlap, are not in order, or are not the whole of it")

// sweep calls do for each part of an axis, from position 0 up to end, at whose positions the same regions are. The regions come in
// the order of their origins along the axis.
func sweep(axis, end int, regions iter.Seq[*placed], do func(low, high int, at []*placed) error) error {
	var at []*placed
	low := 0
	advance := func(end int) error {
		for low < end {
			if len(at) == 0 {
				return errRegions
			}
			high := end
			for _, x := range at {
				high = min(high, x.Origin[axis]+x.Shape[axis])
			}
			if err := do(low, high, at); err != nil {
				return err
			}
			low = high
			at = slices.DeleteFunc(at, func(x *placed) bool { return x.Origin[axis]+x.Shape[axis] <= high })
		}
		return nil
	}
	for x := range regions {
		if x.Origin[axis] < low || x.Shape[axis] <= 0 || x.Shape[axis] > end-x.Origin[axis] {
			return errRegions
		}
		if err := advance(x.Origin[axis]); err != nil {
			return err
		}
		at = append(at, x)
	}
	return advance(end)
}

// isWhole reports whether a region has all positions of the axes after one.
func (w *regionWalker) isWhole(x *placed, axis int) bool {
	for i := axis + 1; i < len(w.shape); i++ {
		if x.Origin[i] != 0 || x.Shape[i] != w.shape[i] {
			return false
		}
	}
	return true
}

// band visits the positions of the first axis from low up to high.
func (w *regionWalker) band(low, high int, at []*placed) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	x := at[0]
	switch {
	case len(at) > 1:
		return w.mixed(low, high, at)
	case !w.isWhole(x, 0):
		return errRegions
	case x.value != nil:
		return w.out.repeat(x.value, (high-low)*nd.Size(w.shape[1:]))
	}
	part, err := w.src.Select(npy.Span(low, high))
	if err != nil {
		return err
	}
	for block, err := range part.Blocks(w.ctx, w.memory) {
		if err != nil {
			return err
		}
		data, _ := block.ViewBytes() // the block is in C order
		if err := w.out.add(data); err != nil {
			return err
		}
	}
	return nil
}

// mixed is band for several regions. The stored ones are read some positions at a time.
func (w *regionWalker) mixed(low, high int, at []*placed) error {
	row := 0 // bytes that are stored for one position
	for _, x := range at {
		if x.value == nil {
			row += nd.Size(x.Shape[1:]) * w.size
		}
	}
	tree, steps, err := w.tree(1, at)
	if err != nil {
		return err
	}
	each := high - low
	if row > 0 {
		each = int(min(max(w.memory/int64(row), 1), int64(each)))
	} else if err := CheckBytes(w.src, int64(min(float64(each)*steps*float64(w.size), 1<<62))); err != nil { // the walk visits nothing else
		return err
	}
	for ; low < high; low += each {
		end := min(low+each, high)
		if err := w.read(low, end, at); err != nil {
			return err
		}
		for row := low; row < end; row++ {
			w.index[0] = row
			if err := w.walk(tree); err != nil {
				return err
			}
		}
	}
	return nil
}

// read reads the stored regions from low up to high along the first axis.
func (w *regionWalker) read(low, high int, at []*placed) error {
	for _, x := range at {
		if x.value != nil {
			continue
		}
		index := x.Index()
		index[0] = npy.Span(low, high)
		part, err := w.src.Select(index...)
		if err != nil {
			return err
		}
		a, err := part.ReadAll(w.ctx)
		if err != nil {
			return err
		}
		x.data, x.first = a.Bytes(), low
	}
	return nil
}

// A regionNode divides an axis of a band where regions begin and end.
type regionNode struct {
	axis  int
	spans []regionSpan
}

// A regionSpan is a run of positions of an axis. It belongs to one region that has all positions of the axes after it,
// or to several.
type regionSpan struct {
	low, high int
	region    *placed
	below     *regionNode // nil for one region
}

// tree returns the node of an axis for some regions, and about how many spans of one region a walk visits.
func (w *regionWalker) tree(axis int, regions []*placed) (node *regionNode, steps float64, err error) {
	if axis == len(w.shape) {
		return nil, 0, errRegions
	}
	node = &regionNode{axis: axis}
	inOrder := slices.SortedStableFunc(slices.Values(regions), func(a, b *placed) int { return cmp.Compare(a.Origin[axis], b.Origin[axis]) })
	err = sweep(axis, w.shape[axis], slices.Values(inOrder), func(low, high int, at []*placed) error {
		s := regionSpan{low: low, high: high, region: at[0]}
		switch {
		case len(at) > 1:
			below, n, err := w.tree(axis+1, at)
			if err != nil {
				return err
			}
			s.below, steps = below, steps+n*float64(high-low)
		case !w.isWhole(at[0], axis):
			return errRegions
		default:
			steps++
		}
		node.spans = append(node.spans, s)
		return nil
	})
	return node, steps, err
}

// walk adds the elements of a node, at the index along the axes before its own.
func (w *regionWalker) walk(n *regionNode) error {
	if n.axis == 1 && w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	for i := range n.spans {
		s := &n.spans[i]
		if s.below == nil {
			if err := w.put(s, n.axis); err != nil {
				return err
			}
			continue
		}
		for at := s.low; at < s.high; at++ {
			w.index[n.axis] = at
			if err := w.walk(s.below); err != nil {
				return err
			}
		}
	}
	return nil
}

// put adds the elements of a span of one region.
func (w *regionWalker) put(s *regionSpan, axis int) error {
	inner := nd.Size(w.shape[axis+1:])
	n := (s.high - s.low) * inner
	x := s.region
	if x.value != nil {
		return w.out.repeat(x.value, n)
	}
	at := w.index[0] - x.first // the number of the first element in data
	for i := 1; i < axis; i++ {
		at = at*x.Shape[i] + w.index[i] - x.Origin[i]
	}
	at = (at*x.Shape[axis] + s.low - x.Origin[axis]) * inner
	return w.out.add(x.data[at*w.size : (at+n)*w.size])
}

// clone returns a region that stays valid.
func clone(r npy.Region) npy.Region {
	r.Origin, r.Shape = slices.Clone(r.Origin), slices.Clone(r.Shape)
	return r
}
