package objects

import (
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/pickle"
)

// A part is an array of structs, or one of their fields, whose elements are converted to and from Python values:
// structs are tuples, subarrays are arrays.
type part struct {
	view   *npy.Array // the dimensions of the array, followed by the dimensions of subarrays
	sub    []int      // the shape of the subarray that each element is; nil for other elements
	whole  dtype.Type // of an element, the subarray
	dtype  *DType     // of the view; nil if it need not be kept
	fields []field
	long   longTypes
}

// longTypes holds the dtype objects for long doubles, which have no other Python value: they are NumPy's scalars in a
// list of elements. They may be other objects than the dtypes of the fields.
type longTypes map[dtype.Type]*DType

type field struct {
	*part
	offset int
}

func longTypesOf(o *origin) longTypes {
	if o == nil {
		return nil
	}
	return o.long
}

// newPart returns the part for an array, with the array's dtype object if it has one.
func newPart(a *npy.Array, d *DType, long longTypes) (*part, error) {
	p := &part{view: a, whole: a.DType(), dtype: d, long: long}
	for i := range a.DType().NumField() {
		f := a.DType().Field(i)
		view, err := a.Field(f.Name)
		if err != nil {
			return nil, err
		}
		var fd *DType
		if d != nil {
			fd = d.at(i)
		}
		t := f.DType
		for ; t.IsSubarray() && fd != nil; t = t.Elem() {
			fd = fd.base
		}
		child, err := newPart(view, fd, long)
		if err != nil {
			return nil, err
		}
		child.whole = f.DType
		if f.DType.IsSubarray() {
			child.sub = view.Shape()[a.NDim():]
		}
		p.fields = append(p.fields, field{child, f.Offset})
	}
	return p, nil
}

// set sets the element at index.
func (p *part) set(v any, index []int) error {
	if p.sub == nil {
		return p.setOne(v, index)
	}
	a, ok := v.(*npy.Array)
	if !ok || !slices.Equal(a.Shape(), p.sub) {
		return malformed("array has a %T for a subarray, want an array of shape %v", v, p.sub)
	}
	from, err := newPart(a, nil, longTypesOf(originOf(a)))
	if err != nil {
		return err
	}
	for at := range indices(p.sub) {
		v, err := from.getOne(at)
		if err == nil {
			err = p.setOne(v, slices.Concat(index, at))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setOne is set for an element that is not a subarray.
func (p *part) setOne(v any, index []int) error {
	switch t := p.view.DType(); {
	case t.Kind() == dtype.KindObject:
		p.view.SetObject(v, index...)
		return nil
	case !t.IsStruct():
		if s, ok := v.(*Scalar); ok && p.long != nil && p.long[t] == nil {
			p.long[t] = s.dtype
		}
		return putLeaf(t, p.view.Item(index...), v)
	}
	items, ok := tupleOf(v, len(p.fields), len(p.fields))
	if !ok {
		return malformed("array has a %T for a struct, want a tuple of %d", v, len(p.fields))
	}
	for i, f := range p.fields {
		switch {
		case f.whole.ItemSize() == 0: // no bytes to set, for any number of elements
			continue
		case f.sub != nil && !f.whole.HasObject():
			if a, ok := items[i].(*npy.Array); ok && a.DType().Equal(f.view.DType()) && slices.Equal(a.Shape(), f.sub) {
				copy(p.view.Item(index...)[f.offset:], a.Bytes())
				continue
			}
		}
		if err := f.set(items[i], index); err != nil {
			return err
		}
	}
	return nil
}

// get returns the element at index as a Python value.
func (p *part) get(index []int) (any, error) {
	if p.sub == nil {
		return p.getOne(index)
	}
	at := make([]npy.Index, len(index))
	for i, k := range index {
		at[i] = npy.At(k)
	}
	a, err := p.view.Slice(at...)
	if err != nil {
		return nil, err
	}
	return a.Clone().WithOrigin(&origin{dtype: p.dtype, long: p.long}), nil
}

// getOne is get for an element that is not a subarray.
func (p *part) getOne(index []int) (any, error) {
	t := p.view.DType()
	switch {
	case t.Kind() == dtype.KindObject:
		return p.view.Object(index...), nil
	case !t.IsStruct():
		v, err := leaf(t, p.view.Item(index...))
		if s, ok := v.(*Scalar); ok {
			s.dtype = p.long[t]
		}
		return v, err
	}
	items := make([]any, len(p.fields))
	for i, f := range p.fields {
		var err error
		if items[i], err = f.get(index); err != nil {
			return nil, err
		}
	}
	return tuple(items...), nil
}

// indices yields the indices of a shape in C order. The slice is reused.
func indices(shape []int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		if slices.Contains(shape, 0) {
			return
		}
		index := make([]int, len(shape))
		for yield(index) {
			axis := len(shape) - 1
			for ; axis >= 0; axis-- {
				if index[axis]++; index[axis] < shape[axis] {
					break
				}
				index[axis] = 0
			}
			if axis < 0 {
				return
			}
		}
	}
}

// listOf returns the elements of an array of objects in C order, as in its pickle.
func listOf(a *npy.Array, d *DType, long longTypes) (*pickle.List, error) {
	if a.DType().Kind() == dtype.KindObject {
		values, err := a.Objects()
		return &pickle.List{Items: values}, err
	}
	if a.DType().ItemSize() == 0 && a.Size() > emptyMax {
		return nil, overLimit(a.Size())
	}
	p, err := newPart(a, d, long)
	if err != nil {
		return nil, err
	}
	list := &pickle.List{Items: make([]any, 0, a.Size())}
	for index := range indices(a.Shape()) {
		v, err := p.getOne(index)
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, v)
	}
	return list, nil
}
