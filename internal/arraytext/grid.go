package arraytext

import (
	"iter"

	"github.com/npygo/npy/internal/nd"
)

// Edges are the positions of an axis that are printed: the first Head and the last Tail of Length.
type Edges struct{ Length, Head, Tail int }

// Cut reports whether positions are left out.
func (e Edges) Cut() bool { return e.Head+e.Tail < e.Length }

// Kept returns the number of positions that are printed.
func (e Edges) Kept() int { return e.Head + e.Tail }

// omitted is the position of the ellipsis for all omitted positions.
const omitted = -1

// all visits the positions in an array whose axis has length n. n is Length, or Kept if the array has only the
// printed elements.
func (e Edges) all(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range e.Head {
			if !yield(i) {
				return
			}
		}
		if e.Cut() && !yield(omitted) {
			return
		}
		for i := n - e.Tail; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// A grid is the printed elements of an array: all elements, or the corners that NumPy's _leading_trailing keeps.
type grid struct {
	Array
	edges   []Edges
	printed int // the number of these elements
}

// grid chooses the printed elements of a, which is not empty.
func (p Printer) grid(a Array) grid {
	shape := a.Shape
	if p.Whole != nil {
		shape = p.Whole
	}
	g := grid{Array: a, edges: p.edges(shape), printed: 1}
	for _, e := range g.edges {
		g.printed *= e.Kept()
	}
	return g
}

// Edges returns the printed positions of an array of this shape, which is not empty.
func (p Printer) Edges(shape []int) []Edges { return p.withDefaults().edges(shape) }

func (p Printer) edges(shape []int) []Edges {
	size, printed := nd.Size(shape), 1
	all := make([]Edges, len(shape))
	over := size > p.Threshold
	for axis, n := range shape {
		all[axis] = Edges{Length: n, Head: n}
		edge := p.EdgeItems
		if axis == len(shape)-1 && axis > 0 {
			edge = p.ColumnEdges
		}
		if over && n > 2*edge {
			all[axis] = Edges{Length: n, Head: edge, Tail: edge}
		}
		printed *= all[axis].Kept()
	}
	for axis := 0; over && printed > max(printedMax, p.Threshold); axis++ {
		e := &all[axis]
		printed /= e.Kept()
		e.Head, e.Tail = 1, 0
	}
	return all
}

// each visits the elements of the grid in C order.
func (g *grid) each(visit func(item []byte)) { g.walk(0, g.Offset, visit) }

func (g *grid) walk(axis, at int, visit func(item []byte)) {
	if axis == len(g.Shape) {
		visit(g.ItemAt(at))
		return
	}
	for i := range g.edges[axis].all(g.Shape[axis]) {
		if i != omitted {
			g.walk(axis+1, at+i*g.Strides[axis], visit)
		}
	}
}

// position returns the position in the whole axis of position i in the array.
func (g *grid) position(axis, i int) int {
	if e := g.edges[axis]; i >= e.Head {
		return i + e.Length - g.Shape[axis]
	}
	return i
}
