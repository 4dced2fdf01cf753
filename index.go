package npy

import (
	"github.com/npygo/npy/internal/nd"
)

// An Index is one entry between the brackets of a[...]: an integer, a slice, an ellipsis, or the name of a field. The zero
// Index is the whole of an axis, ":".
type Index struct{ index nd.Index }

// At is the integer index i: one position along an axis, which is removed. Negative numbers count from the end.
func At(i int) Index { return Index{nd.Index{Kind: nd.Integer, Start: i}} }

// All is the slice ":", the whole of an axis.
func All() Index { return Index{} }

// Span is the slice "start:stop". Negative numbers count from the end. Numbers beyond the axis are clamped to it.
func Span(start, stop int) Index {
	return Index{nd.Index{Start: start, Stop: stop, HasStart: true, HasStop: true}}
}

// SpanFrom is the slice "start:".
func SpanFrom(start int) Index { return Index{nd.Index{Start: start, HasStart: true}} }

// SpanTo is the slice ":stop".
func SpanTo(stop int) Index { return Index{nd.Index{Stop: stop, HasStop: true}} }

// Ellipsis is "...": the whole of every axis for which there is no other entry.
func Ellipsis() Index { return Index{nd.Index{Kind: nd.Ellipsis}} }

// Named is the index 'name': a field of a struct array.
func Named(name string) Index { return Index{nd.Index{Kind: nd.Field, Name: name}} }

// By returns the slice with a step: All().By(-1) is "::-1". A step of 0 is an error when it is used.
func (x Index) By(step int) Index {
	if x.index.Kind == nd.Slice {
		x.index.Step, x.index.HasStep = step, true
	}
	return x
}

// ParseIndex reads an index as Python writes it: "0:10, ..., ::2", "-1", "'x', 5:". It may be in brackets, or in several pairs
// of brackets that follow each other: "['x'][5:]".
//
// It reads integers, slices, an ellipsis and quoted field names, but not newaxis, lists and masks.
func ParseIndex(text string) ([]Index, error) {
	entries, err := nd.ParseIndex(text)
	if err != nil {
		return nil, err
	}
	var index []Index
	for _, x := range entries {
		index = append(index, Index{x})
	}
	return index, nil
}

// Slice returns a view of part of a, as a[...] does in NumPy for integers, slices with steps, an ellipsis and field
// names. Axes without an entry are taken whole. It shares the memory of a.
//
// A field name ends the entries before it: Slice(Span(0, 5), Named("x"), At(1)) is a[0:5]['x'][1]. The error names the index
// that is out of bounds, or says that there are too many.
func (a *Array) Slice(index ...Index) (*Array, error) {
	for i, x := range index {
		if x.index.Kind != nd.Field {
			continue
		}
		b, err := a.slice(index[:i])
		if err != nil {
			return nil, err
		}
		if b, err = b.Field(x.index.Name); err != nil {
			return nil, err
		}
		return b.Slice(index[i+1:]...)
	}
	return a.slice(index)
}

// slice is Slice without field names.
func (a *Array) slice(index []Index) (*Array, error) {
	var few [4]nd.Index // on the stack
	entries := few[:0]
	for _, x := range index {
		entries = append(entries, x.index)
	}
	g, err := a.geometry().Slice(entries)
	if err != nil {
		return nil, err
	}
	return a.view(g), nil
}

// Field returns a view of one field of a struct array, a['name'] in NumPy. The dimensions of a subarray field follow those of
// a. If there is no field of that name the error is a [*FieldError], which lists the fields.
func (a *Array) Field(name string) (*Array, error) {
	f, ok := a.dtype.FieldByName(name)
	if !ok {
		return nil, &FieldError{DType: a.dtype, Path: name}
	}
	g, err := a.geometry().Field(f)
	if err != nil {
		return nil, err
	}
	b := a.view(g)
	if o, ok := a.origin.(PartOrigin); ok {
		b.origin = o.Field(name)
	}
	return b, nil
}

// T returns a view with the axes in reverse order, ndarray.T.
func (a *Array) T() *Array { return a.view(a.geometry().Reversed()) }

// Transpose returns a view with the axes in the given order, ndarray.transpose: axis i of the result is axis axes[i]
// of a. Negative axes count from the end. The error names the axis that is out of range or repeated.
func (a *Array) Transpose(axes ...int) (*Array, error) {
	g, err := a.geometry().Transpose(axes)
	if err != nil {
		return nil, err
	}
	return a.view(g), nil
}

// Reshape returns the elements in C order with another shape, ndarray.reshape. One dimension may be -1, which stands for the
// number that fits. The result shares the memory of a if a is in C order, and is a copy otherwise. It is always in C order:
// NumPy makes views of other arrays too where it can, which have other orders. [Copier] with a Shape writes what np.save
// writes for these.
func (a *Array) Reshape(shape ...int) (*Array, error) {
	shape, err := nd.Reshaped(a.dtype, a.Size(), shape)
	if err != nil {
		return nil, err
	}
	c := a.Contiguous()
	g := nd.New(a.dtype, shape, false, c.data)
	g.Offset = c.start
	b := c.view(g)
	b.origin = a.part()
	return b, nil
}
