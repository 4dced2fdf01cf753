package npy

import (
	"io"
	"slices"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/source"
)

// PrintFile prints a[index...] of a file as [Printer.Print] would print it in memory. Of what is over the threshold only
// the edges are read. Arrays of Python objects are read whole.
func (p Printer) PrintFile(w io.Writer, f *File, index ...Index) error {
	a, p, err := p.Edges(f, index...)
	if err != nil {
		return err
	}
	return p.Print(w, a)
}

// Edges reads of a[index...] what p prints, for those who want to know whether it can be read before they print. The
// array has nothing between the edges; the Printer is p, and prints it as if it had.
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
	shown := p.withDefaults().edges(part.array.shape)
	if !slices.ContainsFunc(shown, edges.cut) {
		a, err := f.read(part)
		return a, p, err
	}
	p.whole = part.array.shape
	a, err := f.readEdges(part.array, shown)
	return a, p, err
}

// readEdges reads what is printed of a view of the file, without what lies between.
func (f *File) readEdges(view *Array, shown []edges) (*Array, error) {
	h := format.Header{DType: view.dtype, Shape: make([]int, len(shown))}
	for axis, e := range shown {
		h.Shape[axis] = e.kept()
	}
	if err := source.CheckSize(h.NBytes(), f.dec.MaxBytes); err != nil {
		return nil, f.wrap(err)
	}
	kept := newArray(h, bulk.Make(int(h.NBytes())))
	return kept, f.readCorners(kept, view, shown)
}

// readCorners reads view into kept: all combinations of heads and tails, each by itself.
func (f *File) readCorners(kept, view *Array, shown []edges) error {
	axis := slices.IndexFunc(shown, edges.cut)
	if axis < 0 {
		a, err := f.read(partOf(view))
		if err == nil {
			a.geometry().CopyTo(kept.data[kept.start:], kept.strides)
		}
		return err
	}
	e, rest := shown[axis], slices.Clone(shown)
	rest[axis] = edges{}
	err := f.readCorners(kept.view(kept.geometry().Along(axis, 0, e.head)), view.view(view.geometry().Along(axis, 0, e.head)), rest)
	if err == nil && e.tail > 0 {
		err = f.readCorners(kept.view(kept.geometry().Along(axis, e.head, e.tail)), view.view(view.geometry().Along(axis, e.length-e.tail, e.tail)), rest)
	}
	return err
}
