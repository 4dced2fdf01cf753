package objects

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/pickle"
)

// An origin records how an array was stored: everything in its pickle besides the elements.
type origin struct {
	made   *pickle.Object // the call, and the state without the elements
	class  *pickle.Global // numpy.ndarray or a subclass
	dtype  *DType
	long   longTypes
	listed int  // the elements that the pickle lists, of an array of objects
	nested bool // the array is printed within another, in the byte order of the machine
	part   bool // the array is a view or a copy of the one that was read: it has its own shape, order and elements

	fortran  bool
	protocol int         // of the pickle, if the array is all of it
	gen      *generation // likewise
	bare     *bare       // likewise, if the pickle does not hold an array
}

// A bare value follows the header in place of an array. It is the element of an array without dimensions.
type bare struct{ header format.Header }

// StoredAs returns the header before a value that is not an array.
func (o *origin) StoredAs() (format.Header, bool) {
	if o.bare == nil || o.part {
		return format.Header{}, false
	}
	return o.bare.header, true
}

// Part implements [npy.PartOrigin].
func (o *origin) Part() any {
	if o.part {
		return o
	}
	p := *o
	p.part = true
	return &p
}

// Field implements [npy.PartOrigin]. A field of a recarray is a recarray only if it has fields itself; its elements are
// records then.
func (o *origin) Field(name string) any {
	p := *o
	p.part, p.dtype = true, nil
	if o.dtype == nil {
		return &p
	}
	switch p.dtype = o.dtype.field(name); {
	case p.dtype == nil:
	case !p.dtype.Type.IsStruct():
		p.class = ndarrayClass
	case o.class != nil && o.class.Name == "recarray":
		p.dtype = p.dtype.ofClass(o.dtype)
	}
	return &p
}

// newArray constructs an array that is empty until its state follows: _reconstruct(class, (0,), b'b').
func newArray(o *pickle.Object) (*npy.Array, bool) {
	items, ok := tupleOf(o.Args, 3, 3)
	if !ok || !isArrayClass(items[0]) {
		return nil, false // of a class with a state of its own
	}
	if shape, err := shapeOf(items[1]); err != nil || len(shape) != 1 || shape[0] != 0 {
		return nil, false
	}
	a, err := npy.New(dtype.Int8, 0)
	if err != nil {
		return nil, false
	}
	return a.WithOrigin(&origin{made: o, class: items[0].(*pickle.Global)}), true
}

// setState fills an array with its state, as ndarray.__setstate__ does: (version, shape, dtype, fortran, elements). The
// oldest pickles have no version.
func (r *reader) setState(a *npy.Array, state any) error {
	o, ok := a.Origin().(*origin)
	items, isTuple := tupleOf(state, 4, 5)
	switch {
	case !ok || o.made.HasState:
		return errTwice
	case !isTuple:
		return malformed("array has no state of 4 or 5 items")
	}
	if len(items) == 5 {
		if v, ok := integer(items[0]); !ok || v < 0 || v > 1 {
			return malformed("array has a state of version %v, want 0 or 1", items[0])
		}
		items = items[1:]
	}
	long := longTypes{}
	b, d, fortran, err := r.array(items, long)
	if err != nil {
		return err
	}
	kept := append([]any(nil), state.(*pickle.Tuple).Items...)
	kept[len(kept)-1] = nil // the array has the elements
	made := *o.made
	made.State, made.HasState = &pickle.Tuple{Items: kept}, true
	listed := 0
	if list, ok := items[3].(*pickle.List); ok {
		listed = len(list.Items)
	}
	*a = *b.WithOrigin(&origin{made: &made, class: o.class, dtype: d, long: long, listed: listed, fortran: fortran})
	return nil
}

// Listed returns the number of elements that a file lists for an array of objects, which may be more than the shape
// has: NumPy ignores the last ones. It is false if the file holds another value in place of an array; the value is then
// its only element.
func Listed(a *npy.Array) (n int, isArray bool) {
	o, ok := a.Origin().(*origin)
	if !ok {
		return 0, true
	}
	return o.listed, o.bare == nil
}

// array makes an array of (shape, dtype, fortran, elements).
func (r *reader) array(items []any, long longTypes) (a *npy.Array, d *DType, fortran bool, err error) {
	shape, err := shapeOf(items[0])
	if err != nil {
		return nil, nil, false, err
	}
	if d, err = r.use(items[1]); err != nil {
		return nil, nil, false, err
	}
	fortran, ok := truth(items[2])
	if !ok {
		return nil, nil, false, malformed("array has a flag of %T for its order, want a bool", items[2])
	}
	if err := (format.Header{DType: d.Type, Shape: shape}).Validate(); err != nil {
		return nil, nil, false, err
	}
	if !d.Type.HasObject() {
		raw, err := r.rawBytes(items[3], "array has elements of %T, want bytes")
		if err != nil {
			return nil, nil, false, err
		}
		a, err = overBytes(d.Type, raw, shape, fortran)
		return a, d, fortran, err
	}
	list, ok := items[3].(*pickle.List)
	if !ok {
		return nil, nil, false, malformed("array has elements of %T, want a list", items[3])
	}
	if a, err = r.fromList(d, list.Items, shape, long); err == nil && fortran {
		a = a.Fortran()
	}
	return a, d, fortran, err
}

// rawBytes returns the bytes of the elements of an array; other arrays may share them. format is the error for other
// values.
func (r *reader) rawBytes(v any, format string) ([]byte, error) {
	n := 0
	if s, ok := v.(string); ok { // of Python 2, which is copied
		n = len(s)
	}
	if err := r.charge(int64(n)); err != nil {
		return nil, err
	}
	raw, ok := pickle.RawBytes(v)
	if !ok {
		return nil, malformed(format, v)
	}
	return raw, r.charge(int64(len(raw)))
}

// overBytes makes an array of bytes, which must have exactly its size.
func overBytes(t dtype.Type, raw []byte, shape []int, fortran bool) (*npy.Array, error) {
	if !fortran {
		return npy.FromBytes(t, raw, shape...)
	}
	reversed := make([]int, len(shape))
	for i, n := range shape {
		reversed[len(shape)-1-i] = n
	}
	a, err := npy.FromBytes(t, raw, reversed...)
	if err != nil {
		return nil, err
	}
	return a.T(), nil
}

// costItem is the cost of a list element, in bytes of MaxShared. Any number of arrays can share one list.
const costItem = 24

// fromList makes an array of objects, which are in C order. NumPy does not check that the list is long enough, and
// ignores additional elements.
func (r *reader) fromList(d *DType, list []any, shape []int, long longTypes) (*npy.Array, error) {
	h := format.Header{DType: d.Type, Shape: shape}
	if len(list) < h.Size() {
		return nil, malformed("array of shape %s has a list of %d elements", format.ShapeString(shape), len(list))
	}
	list = list[:h.Size()]
	if err := r.charge(costItem * int64(len(list))); err != nil {
		return nil, err
	}
	if d.Type.Kind() == dtype.KindObject {
		return npy.FromObjects(list, shape...)
	}
	if err := r.expand(h.NBytes()); err != nil {
		return nil, err
	}
	a, err := npy.NewObjects(d.Type, shape...)
	if err != nil {
		return nil, err
	}
	flat, err := a.Reshape(-1)
	if err != nil {
		return nil, err
	}
	p, err := newPart(flat, nil, long)
	if err != nil {
		return nil, err
	}
	for i, v := range list {
		if err := p.setOne(v, []int{i}); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// fromBuffer constructs an array of protocol 5: _frombuffer(buffer, dtype, shape, order), followed by the order of the
// axes if order is "K".
func (r *reader) fromBuffer(o *pickle.Object) (*npy.Array, error) {
	items, ok := tupleOf(o.Args, 4, 5)
	if !ok {
		return nil, malformed("array of protocol 5 has wrong arguments")
	}
	raw, err := r.rawBytes(items[0], "array has elements of %T, want bytes")
	if err != nil {
		return nil, err
	}
	d, err := r.use(items[1])
	if err != nil {
		return nil, err
	}
	shape, err := shapeOf(items[2])
	if err != nil {
		return nil, err
	}
	order, _ := text(items[3])
	if order != "C" && order != "F" && order != "K" {
		return nil, malformed("array has the order %v, want C, F or K", items[3])
	}
	a, err := overBytes(d.Type, raw, shape, order == "F")
	if err == nil && order == "K" && len(items) == 5 && items[4] != nil {
		var axes []int
		if axes, err = shapeOf(items[4]); err == nil {
			a, err = a.Transpose(axes...)
		}
	}
	if err != nil {
		return nil, err
	}
	return a.WithOrigin(&origin{made: o, class: ndarrayClass, dtype: d}), nil
}
