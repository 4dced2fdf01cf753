package bulk

import (
	"fmt"
	"reflect"
	"slices"
)

// A Place locates a value, or an array of values, in every element of a slice of structs. It is derived step by step
// from the Go type, so offset and type are right by construction.
type Place struct {
	root, leaf reflect.Type
	offset     int
	axes       []axis // of the arrays on the way, outermost first; dst is the stride in bytes
	path       []int  // the same for package reflect: the index of a field, everyElement in an array
}

const everyElement = -1

// PlaceIn returns the place of a whole element of type t.
func PlaceIn(t reflect.Type) Place { return Place{root: t, leaf: t} }

// Field returns the place of the i-th field of the struct at p.
func (p Place) Field(i int) Place {
	f := p.leaf.Field(i)
	p.leaf, p.offset, p.path = f.Type, p.offset+int(f.Offset), append(slices.Clip(p.path), i)
	return p
}

// Elems returns the place of all elements of the array at p.
func (p Place) Elems() Place {
	elem := p.leaf.Elem()
	p.axes = append(slices.Clip(p.axes), axis{n: p.leaf.Len(), dst: int(elem.Size())})
	p.leaf, p.path = elem, append(slices.Clip(p.path), everyElement)
	return p
}

// Type returns the type of one value.
func (p Place) Type() reflect.Type { return p.leaf }

// Offset returns the offset of the first value, in bytes from the start of an element.
func (p Place) Offset() int { return p.offset }

// Dims returns the lengths of the enclosing arrays, outermost first.
func (p Place) Dims() []int {
	dims := make([]int, len(p.axes))
	for i, a := range p.axes {
		dims[i] = a.n
	}
	return dims
}

// Strides returns the strides of the enclosing arrays in bytes.
func (p Place) Strides() []int {
	strides := make([]int, len(p.axes))
	for i, a := range p.axes {
		strides[i] = a.dst
	}
	return strides
}

// Count returns the number of values in each element.
func (p Place) Count() int {
	n := 1
	for _, a := range p.axes {
		n *= a.n
	}
	return n
}

// check panics unless values is the number of values at p in n elements of s from first on. e must have the layout of
// the type at p: it may differ only in its name.
func (p Place) check(s reflect.Value, first, n, values int, e reflect.Type) {
	switch {
	case s.Type().Elem() != p.root || !SameLayout(e, p.leaf):
		panic(fmt.Sprintf("bulk: %v in %v is not %v in %v", e, s.Type().Elem(), p.leaf, p.root))
	case first < 0 || n < 0 || n > s.Len() || first > s.Len()-n || values != n*p.Count():
		panic(fmt.Sprintf("bulk: %d values for %d elements from %d of %d", values, n, first, s.Len()))
	}
}

// Scatter stores values at a place in n elements of the slice s, starting with the values of the first element.
func Scatter[E any](s reflect.Value, first, n int, at Place, values []E) {
	at.check(s, first, n, len(values), reflect.TypeFor[E]())
	scatter(s, first, n, at, values)
}

// Gather is the reverse of Scatter.
func Gather[E any](values []E, s reflect.Value, first, n int, at Place) {
	at.check(s, first, n, len(values), reflect.TypeFor[E]())
	gather(values, s, first, n, at)
}

// scatterPlain is Scatter without unsafe, and its oracle.
func scatterPlain[E any](s reflect.Value, first, n int, at Place, values []E) {
	k := 0
	for i := range n {
		walk(s.Index(first+i), at.path, func(v reflect.Value) {
			v.Set(valueAt(values, k, v.Type()))
			k++
		})
	}
}

// gatherPlain is Gather without unsafe, and its oracle.
func gatherPlain[E any](values []E, s reflect.Value, first, n int, at Place) {
	k := 0
	for i := range n {
		walk(s.Index(first+i), at.path, func(v reflect.Value) {
			valueAt(values, k, v.Type()).Set(v)
			k++
		})
	}
}

// valueAt returns values[k] as a variable of type t, which differs from E only in its name. Converting the pointer
// keeps all bits: converting a signaling float32 NaN would make it quiet.
func valueAt[E any](values []E, k int, t reflect.Type) reflect.Value {
	return reflect.ValueOf(&values[k]).Convert(reflect.PointerTo(t)).Elem()
}

// walk visits the values at the end of a path.
func walk(v reflect.Value, path []int, visit func(reflect.Value)) {
	switch {
	case len(path) == 0:
		visit(v)
	case path[0] == everyElement:
		for i := range v.Len() {
			walk(v.Index(i), path[1:], visit)
		}
	default:
		walk(v.Field(path[0]), path[1:], visit)
	}
}
