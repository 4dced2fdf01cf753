package npy

import (
	"context"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
)

// An Index is one entry between the brackets of a[...]: an integer, a slice, an ellipsis, a list of positions, the name
// of a field, or a list of names. The zero Index is the slice ":", the whole axis.
type Index struct{ index nd.Index }

// At is the integer index i: one position along an axis, which is removed. Negative numbers count from the end.
func At(i int) Index { return Index{nd.Index{Kind: nd.Integer, Start: i}} }

// All is the slice ":", the whole axis.
func All() Index { return Index{} }

// Span is the slice "start:stop". Negative numbers count from the end. Numbers beyond the axis are clamped to it.
func Span(start, stop int) Index {
	return Index{nd.Index{Start: start, Stop: stop, HasStart: true, HasStop: true}}
}

// SpanFrom is the slice "start:".
func SpanFrom(start int) Index { return Index{nd.Index{Start: start, HasStart: true}} }

// SpanTo is the slice ":stop".
func SpanTo(stop int) Index { return Index{nd.Index{Stop: stop, HasStop: true}} }

// Ellipsis is "...": the slice ":" for every axis without another entry.
func Ellipsis() Index { return Index{nd.Index{Kind: nd.Ellipsis}} }

// Named is the index 'name': a field of a struct array.
func Named(name string) Index { return Index{nd.Index{Kind: nd.Field, Name: name}} }

// Name returns the name of the field that [Named] was given, and false for every other Index.
func (x Index) Name() (string, bool) { return x.index.Name, x.index.Kind == nd.Field }

// NamedFields is the index ['a', 'b']: a struct of only these fields. In the order of the struct it is a view, whose
// elements have the item size and the offsets of the whole struct, as in NumPy. In any other order it is a copy with
// the fields packed.
func NamedFields(names ...string) Index {
	return Index{nd.Index{Kind: nd.Fields, Names: slices.Clone(names)}}
}

// List is the list [i, j, ...]: these positions along an axis, in this order. Negative numbers count from the end, and
// a position may come more than once. Unlike all other entries, a list makes a copy: [Take] reads it. An index can have
// one list between two names of fields.
func List(positions ...int) Index {
	return Index{nd.Index{Kind: nd.List, List: slices.Clone(positions)}}
}

// By returns the slice with a step: All().By(-1) is "::-1". A step of 0 is an error when it is used, and so is a step of an
// entry that is not a slice, such as At(2).By(5).
func (x Index) By(step int) Index {
	x.index.Step, x.index.HasStep = step, true
	return x
}

// checkSteps returns an error for a step of an entry that is not a slice.
func checkSteps(index []Index) error {
	for i, x := range index {
		if kind := x.index.Kind; x.index.HasStep && kind != nd.Slice {
			return diag.Errorf("npy", "entry %d of the index has the step %d and is %s; only slices have a step: Span(start, stop).By(step)", i, x.index.Step, kind)
		}
	}
	return nil
}

// ParseIndex reads an index as Python writes it: "0:10, ..., ::2", "-1", "'x', 5:". The index may be in brackets, or
// in several pairs of brackets that follow each other: "['x'][5:]".
//
// ParseIndex reads integers, slices, an ellipsis, lists of integers ("[3, 1, 2]"), field names and lists of them
// ("['lat', 'lon']"), but not newaxis and masks. A name that is a Python identifier needs no quotes.
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
// names. Axes without an entry are taken whole. The view shares the memory of a, unless the index has a [List], or
// [NamedFields] in another order than that of the struct.
//
// A field name ends the entries before it: Slice(Span(0, 5), Named("x"), At(1)) is a[0:5]['x'][1]. The error names
// the index that is out of bounds, or reports too many indices.
func (a *Array) Slice(index ...Index) (*Array, error) {
	if err := checkSteps(index); err != nil {
		return nil, err
	}
	for i, x := range index {
		switch x.index.Kind {
		case nd.List:
			return a.sliceList(index)
		case nd.Field, nd.Fields:
			b, err := a.slice(index[:i])
			if err != nil {
				return nil, err
			}
			if x.index.Kind == nd.Field {
				b, err = b.Field(x.index.Name)
			} else {
				b, err = b.fields(x.index.Names)
			}
			if err != nil {
				return nil, err
			}
			return b.Slice(index[i+1:]...)
		}
	}
	return a.slice(index)
}

// slice is Slice without lists and field names.
func (a *Array) slice(index []Index) (*Array, error) {
	var few [4]nd.Index // on the stack
	entries := few[:0]
	for _, x := range index {
		entries = append(entries, x.index)
	}
	g, err := a.nd.Slice(entries)
	if outside, ok := err.(*nd.IndexError); ok {
		return nil, (*IndexError)(outside)
	}
	if err != nil {
		return nil, err
	}
	return a.view(g), nil
}

// A listed is an index that is taken apart at its first list.
type listed struct {
	before []Index // with the whole axis in place of the list, up to the next name
	axis   int     // of the list in the result of before; negative numbers count from the end
	first  bool    // the axis of the list becomes the first: the list and an integer are not next to each other
	list   []int
	after  []Index
}

// cutList takes an index apart at its first list. ok is false if it has none.
func cutList(index []Index) (x listed, ok bool, err error) {
	isName := func(x Index) bool { return x.index.Kind == nd.Field || x.index.Kind == nd.Fields }
	at := slices.IndexFunc(index, func(x Index) bool { return x.index.Kind == nd.List })
	if at < 0 {
		return listed{}, false, nil
	}
	from, to := at, at+1
	for from > 0 && !isName(index[from-1]) {
		from--
	}
	for to < len(index) && !isName(index[to]) {
		to++
	}
	x = listed{list: index[at].index.List, before: slices.Clone(index[:to]), after: index[to:]}
	x.before[at] = All()
	kept := func(entries []Index) (n int, all bool) {
		for _, e := range entries {
			switch e.index.Kind {
			case nd.List:
				err = diag.New("npy", "an index can only have one list; slice the result to apply another")
			case nd.Ellipsis:
				all = true
			case nd.Slice:
				n++
			}
		}
		return n, all
	}
	x.first = areApart(index[from:to])
	n, hasAll := kept(index[from:at])
	last, _ := kept(index[at+1 : to])
	if x.axis = n; hasAll {
		x.axis = -1 - last
	}
	return x, true, err
}

// areApart reports whether a slice or an ellipsis stands between two entries that are integers or lists. NumPy takes an
// integer beside a list for a list, and moves the axis of lists that are apart to the front.
func areApart(index []Index) bool {
	isPosition := func(x Index) bool { return x.index.Kind == nd.Integer || x.index.Kind == nd.List }
	from := slices.IndexFunc(index, isPosition)
	to := len(index)
	for to > from && !isPosition(index[to-1]) {
		to--
	}
	return slices.ContainsFunc(index[from:to], func(x Index) bool { return !isPosition(x) })
}

var errList = diag.New("npy", "a list of positions is no part of a file; Take reads it")

// sliceList is Slice for an index with a list.
func (a *Array) sliceList(index []Index) (*Array, error) {
	x, _, err := cutList(index)
	if err != nil {
		return nil, err
	}
	if a.nd.Data == nil && a.Size() > 0 {
		return nil, errList
	}
	b, err := a.Slice(x.before...)
	if err != nil {
		return nil, err
	}
	if b, err = x.take(context.Background(), b); err != nil {
		return nil, err
	}
	return b.Slice(x.after...)
}

// take reads the positions of the list from src, which x.before has selected.
func (x listed) take(ctx context.Context, src Source) (*Array, error) {
	ndim := len(src.Shape())
	axis := x.axis
	if axis < 0 {
		axis += ndim
	}
	if axis == 0 {
		return Take(ctx, src, x.list)
	}
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	first, back := []int{axis}, make([]int, ndim)
	for i := range ndim {
		if i != axis {
			first = append(first, i)
		}
	}
	for i, from := range first {
		back[from] = i
	}
	if a, err = a.Transpose(first...); err != nil {
		return nil, err
	}
	if a, err = Take(ctx, a, x.list); outside(err) {
		return nil, &IndexError{Index: err.(*IndexError).Index, Axis: axis, Size: src.Shape()[axis]}
	} else if err != nil || x.first {
		return a, err
	}
	return a.Transpose(back...)
}

func outside(err error) bool {
	_, ok := err.(*IndexError)
	return ok
}

// selectCopy is SelectCopy of package source.
func selectCopy(src Source, index []Index) (s Source, ok bool, err error) {
	if err := checkSteps(index); err != nil {
		return nil, true, err
	}
	x, hasList, err := cutList(index)
	if err != nil {
		return nil, true, err
	}
	for i, e := range index {
		if e.index.Kind == nd.List { // what follows is applied to the result
			break
		}
		if e.index.Kind != nd.Fields {
			continue
		}
		base, err := src.Select(index[:i]...)
		if err != nil {
			return nil, true, err
		}
		t, inOrder, err := fieldsOf(base.DType(), e.index.Names)
		if err != nil {
			return nil, true, err
		}
		if inOrder {
			continue
		}
		s, err = selectWhole(base, t, base.Shape(), index[i+1:], func(ctx context.Context) (*Array, error) {
			a, err := base.ReadAll(ctx)
			if err != nil {
				return nil, err
			}
			return a.fields(e.index.Names)
		})
		return s, true, err
	}
	if !hasList {
		return nil, false, nil
	}
	base, err := src.Select(x.before...)
	if err != nil {
		return nil, true, err
	}
	shape := base.Shape()
	axis := x.axis
	if axis < 0 {
		axis += len(shape)
	}
	if _, err := nd.NewRows(x.list, shape[axis]); err != nil {
		return nil, true, &IndexError{Index: err.(*nd.IndexError).Index, Axis: axis, Size: shape[axis]}
	}
	shape[axis] = len(x.list)
	if x.first {
		shape = slices.Insert(slices.Delete(shape, axis, axis+1), 0, len(x.list))
	}
	s, err = selectWhole(base, base.DType(), shape, x.after, func(ctx context.Context) (*Array, error) { return x.take(ctx, base) })
	return s, true, err
}

// selectWhole returns the part at index of what read makes of base, with dtype t and the given shape.
func selectWhole(base Source, t dtype.Type, shape []int, index []Index, read func(ctx context.Context) (*Array, error)) (Source, error) {
	s := &wholeSource{newArray(format.Header{DType: t, Shape: shape}, nil), read, IsOnePass(base)}
	if len(index) == 0 {
		return s, nil
	}
	return s.Select(index...)
}

// fields returns a[names]: a view if the names are in the order of the struct, else a copy with the fields packed.
func (a *Array) fields(names []string) (*Array, error) {
	t, inOrder, err := fieldsOf(a.nd.DType, names)
	if err != nil {
		return nil, err
	}
	if inOrder {
		g := a.nd
		g.DType = t
		b := a.view(g)
		b.origin = nil // the type of a knows the whole struct
		return b, nil
	}
	b := arrayOf(nd.New(t, slices.Clone(a.nd.Shape), false, bulk.Make(a.Size()*t.ItemSize())))
	for _, f := range t.Fields() {
		from, _ := a.nd.DType.FieldByName(f.Name)
		src, err := a.nd.Field(from)
		if err != nil {
			return nil, err
		}
		dst, err := b.nd.Field(f)
		if err != nil {
			return nil, err
		}
		dst.Fill(&src)
	}
	if t.HasObject() {
		b.objects = a.objects
		return b.copyOf(b), nil
	}
	return b, nil
}

// fieldsOf returns the struct of some fields of t. Names in the order of t keep its offsets and its item size, as in
// NumPy. Others are packed, since a file cannot hold a struct whose offsets decrease.
func fieldsOf(t dtype.Type, names []string) (of dtype.Type, inOrder bool, err error) {
	fields, size, end := make([]dtype.Field, len(names)), t.ItemSize(), 0
	inOrder = true
	for i, name := range names {
		f, ok := t.FieldByName(name)
		if !ok {
			return of, false, &FieldError{DType: t, Path: name}
		}
		inOrder = inOrder && f.Offset >= end
		fields[i], end = f, f.Offset+f.DType.ItemSize()
	}
	if !inOrder {
		size, end = -1, 0
		for i := range fields {
			fields[i].Offset = end
			end += fields[i].DType.ItemSize()
		}
	}
	of, err = dtype.Struct(size, fields...)
	return of, inOrder, err
}
