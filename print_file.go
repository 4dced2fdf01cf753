package npy

import (
	"io"
	"slices"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/arraytext"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/source"
)

// PrintFile prints a[index...] of a file as [Printer.Print] prints it in memory. If it is over the threshold, only the edges
// are read. Arrays of Python objects are read whole.
func (p Printer) PrintFile(w io.Writer, f *File, index ...Index) error {
	a, p, err := p.Edges(f, index...)
	if err != nil {
		return err
	}
	return p.Print(w, a)
}

// Edges reads the elements of a[index...] that p prints, so that a caller knows whether they can be read before it prints. The
// array has no elements between the edges. The Printer has the options of p and prints the array as if it had them.
func (p Printer) Edges(f *File, index ...Index) (*Array, Printer, error) {
	if f.DType().HasObject() {
		a, err := f.ReadAll()
		if err == nil {
			a, err = a.Slice(index...)
		}
		return a, p, err
	}
	part, err := f.part(index)
	if err != nil {
		return nil, p, err
	}
	shown := p.options().Edges(part.array.shape)
	if !slices.ContainsFunc(shown, arraytext.Edges.Cut) {
		a, err := f.read(part)
		return a, p, err
	}
	p.whole = part.array.shape
	a, err := f.readEdges(part.array, shown)
	return a, p, err
}

// readEdges reads the elements of a view of the file that are printed.
func (f *File) readEdges(view *Array, shown []arraytext.Edges) (*Array, error) {
	h := format.Header{DType: view.dtype, Shape: make([]int, len(shown))}
	for axis, e := range shown {
		h.Shape[axis] = e.Kept()
	}
	if err := source.CheckSize(h.NBytes(), f.dec.MaxBytes); err != nil {
		return nil, f.wrap(err)
	}
	kept := newArray(h, bulk.Make(int(h.NBytes())))
	return kept, f.readCorners(kept, view, shown)
}

// readCorners reads view into kept, one combination of heads and tails after another.
func (f *File) readCorners(kept, view *Array, shown []arraytext.Edges) error {
	axis := slices.IndexFunc(shown, arraytext.Edges.Cut)
	if axis < 0 {
		a, err := f.read(partOf(view))
		if err == nil {
			a.geometry().CopyTo(kept.data[kept.start:], kept.strides)
		}
		return err
	}
	e, rest := shown[axis], slices.Clone(shown)
	rest[axis] = arraytext.Edges{}
	err := f.readCorners(kept.along(axis, 0, e.Head), view.along(axis, 0, e.Head), rest)
	if err == nil && e.Tail > 0 {
		err = f.readCorners(kept.along(axis, e.Head, e.Tail), view.along(axis, e.Length-e.Tail, e.Tail), rest)
	}
	return err
}

// along returns the view of n positions from start along one axis.
func (a *Array) along(axis, start, n int) *Array { return a.view(a.geometry().Along(axis, start, n)) }
