package npy

import (
	"context"
	"fmt"
	"slices"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/arraytext"
	"github.com/npygo/npy/internal/bulk"
)

// Edges reads the elements of src that p prints: all of them, or only the edges of an array over the threshold. The
// returned Printer is p, set to print the array as if it had the other elements. [Printer.Print] does the same. Edges
// is for a program that must know whether src can be read before it prints.
func (p Printer) Edges(ctx context.Context, src Source) (*Array, Printer, error) {
	src, err := Rereadable(ctx, src)
	if err != nil {
		return nil, p, err
	}
	shape := src.Shape()
	shown := p.options().Edges(shape)
	if _, ok := src.(*Array); ok || src.DType().HasObject() || !slices.ContainsFunc(shown, arraytext.Edges.Cut) {
		a, err := src.ReadAll(ctx)
		return a, p, err
	}
	h := format.Header{DType: src.DType(), Shape: make([]int, len(shown))}
	for axis, e := range shown {
		h.Shape[axis] = e.Kept()
	}
	if err := check(h); err != nil {
		return nil, p, err
	}
	kept := newArray(h, bulk.Make(int(h.NBytes())))
	p.whole = shape
	return kept, p, readEdges(ctx, kept, src, shown)
}

// readEdges reads the edges of src into kept: each combination of heads and tails by itself.
func readEdges(ctx context.Context, kept *Array, src Source, shown []arraytext.Edges) error {
	axis := slices.IndexFunc(shown, arraytext.Edges.Cut)
	if axis < 0 {
		a, err := src.ReadAll(ctx)
		switch {
		case err != nil:
			return err
		case !slices.Equal(a.nd.Shape, kept.nd.Shape) || !a.nd.DType.Equal(kept.nd.DType):
			return fmt.Errorf("npy: a source gave dtype %s and shape %v for a part of dtype %s and shape %v", a.nd.DType, a.nd.Shape, kept.nd.DType, kept.nd.Shape)
		}
		kept.fill(a)
		return nil
	}
	e, rest := shown[axis], slices.Clone(shown)
	rest[axis] = arraytext.Edges{}
	for _, part := range []struct{ to, from, n int }{{0, 0, e.Head}, {e.Head, e.Length - e.Tail, e.Tail}} {
		index := make([]Index, axis+1)
		index[axis] = Span(part.from, part.from+part.n)
		view, err := src.Select(index...)
		if err == nil && part.n > 0 {
			err = readEdges(ctx, kept.along(axis, part.to, part.n), view, rest)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// along returns the view of n positions from start along one axis.
func (a *Array) along(axis, start, n int) *Array { return a.view(a.nd.Along(axis, start, n)) }
