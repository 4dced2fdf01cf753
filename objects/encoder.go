package objects

import (
	"fmt"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/pickle"
)

// An Encoder writes the elements of object arrays, for the field Objects of [npy.Encoder]. The zero Encoder writes the
// bytes of np.save. An array that was read, or a part of one, is written as by the NumPy that wrote it, every other
// array as by NumPy 2. Arrays and classes inside the array are written for the same NumPy, wherever they come from.
// Several goroutines may use an Encoder at once.
type Encoder struct {
	// NumPy is the major version of NumPy to write for: 1 or 2, which differ in the protocol of the pickle and in the
	// names of modules. 0 means the version that wrote the array, or 2. NumPy 1 before 1.26.1 reads only 1.
	//
	// With 1, names and flags are NumPy 1's, and arrays of StringDType become arrays of objects. Values that
	// NumPy 1 cannot load (StringDType itself, random generators of NumPy 2, new classes, more than 32 dimensions) are
	// an error, unless the array was written by NumPy 1. NumPy 1 means 1.24 here.
	NumPy int

	// Protocol is the protocol of the pickle, 1 to 5 or pickle.Protocol0. 0 means the protocol of the pickle that was
	// read. With NumPy set, or for arrays made in Go, 0 means NumPy's protocol: 3 for version 1, 4 for 2.
	Protocol int

	// Reduce is called for values of types that belong neither to package pickle nor to this one; see [pickle.Encoder].
	Reduce func(v any) (*pickle.Object, error)

	// MaxShared limits the bytes of large ints that are written again, as in [pickle.Encoder].
	MaxShared int64
}

// EncodeObjects implements [npy.ObjectEncoder]. The error for a value that cannot be written is a [*pickle.EncodeError].
func (e Encoder) EncodeObjects(w io.Writer, a *npy.Array) error { return e.Encode(w, a) }

// Encode writes one value as a pickle without a header.
func (e Encoder) Encode(w io.Writer, v any) error {
	if e.NumPy < 0 || e.NumPy > len(generations) {
		return diag.Errorf("objects", "Encoder.NumPy is %d, want 1, 2 or 0 for the one that wrote the array", e.NumPy)
	}
	source := generationOf(v)
	out := &writer{gen: source, next: e.Reduce, plain: map[dtype.Type]*DType{}}
	switch {
	case e.NumPy != 0:
		out.gen = generations[e.NumPy-1]
	case source == nil:
		out.gen = generations[len(generations)-1]
	}
	out.check = e.NumPy == 1 && source != out.gen
	p := pickle.Encoder{Protocol: out.gen.protocol, Reduce: out.reduce, Rename: out.rename}
	o := originOf(v)
	switch {
	case e.Protocol != 0:
		p.Protocol = e.Protocol
	case e.NumPy == 0 && o != nil && o.protocol != unknownProtocol:
		p.Protocol = o.protocol
	}
	if o != nil && o.bare != nil && !o.part {
		v = v.(*npy.Array).Object()
	}
	return p.Encode(w, v)
}

func originOf(v any) *origin {
	a, _ := v.(*npy.Array)
	if a == nil {
		return nil
	}
	o, _ := a.Origin().(*origin)
	return o
}

// A writer makes the NumPy objects of one pickle.
type writer struct {
	gen   *generation
	check bool // values that NumPy 1 cannot load are an error
	next  func(any) (*pickle.Object, error)
	plain map[dtype.Type]*DType // the dtypes that are one object in Python
}

// reduce returns the call with which Python would make a value.
func (w *writer) reduce(v any) (*pickle.Object, error) {
	switch v := v.(type) {
	case *npy.Array:
		return w.array(v)
	case *DType:
		return w.dtype(v)
	case *Scalar:
		return w.scalar(v)
	case *MaskedArray:
		return w.masked(v)
	}
	if w.next != nil {
		return w.next(v)
	}
	return nil, nil
}

// again returns a call as it was read, with another state.
func (w *writer) again(made *pickle.Object, state any) *pickle.Object {
	o := *made
	o.State, o.HasState = state, state != nil
	return &o
}

const numpy1Dims = 32

// array is the reduction of an array: _reconstruct(class, (0,), b'b') and its state.
func (w *writer) array(a *npy.Array) (*pickle.Object, error) {
	if w.check && a.NDim() > numpy1Dims {
		return nil, fmt.Errorf("NumPy 1 has at most %d dimensions; the array has %d", numpy1Dims, a.NDim())
	}
	o, _ := a.Origin().(*origin)
	if o != nil && o.made != nil && !o.part {
		return w.whole(a, o)
	}
	made := &pickle.Object{Class: w.gen.reconstruct, Args: tuple(ndarrayClass, tuple(int64(0)), []byte("b"))}
	if o != nil && o.made != nil && functionOf(o.made.Class) == makeArray {
		made = o.madeFor(a)
	}
	d := w.dtypeOf(a, o)
	fortran := !a.IsC() && a.IsFortran()
	elements, err := w.elements(a, d, o, fortran)
	if err != nil {
		return nil, err
	}
	return w.again(made, tuple(int64(1), intTuple(a.Shape()), d, fortran, elements)), nil
}

// whole is the reduction of an array as it was read.
func (w *writer) whole(a *npy.Array, o *origin) (*pickle.Object, error) {
	if !o.made.HasState { // _frombuffer, or nothing but the call
		return w.again(o.made, nil), nil
	}
	elements, err := w.elements(a, o.dtype, o, o.fortran)
	if err != nil {
		return nil, err
	}
	items := append([]any(nil), o.made.State.(*pickle.Tuple).Items...)
	items[len(items)-1] = elements
	if d := w.stringsAs(o.dtype); d != o.dtype {
		items[len(items)-3] = d
	}
	return w.again(o.made, tuple(items...)), nil
}

// madeFor returns the call of a part: the call of the whole array with new tuples, since both may be in one pickle.
func (o *origin) madeFor(a *npy.Array) *pickle.Object {
	made := *o.made
	class := o.class
	if class.Name == "matrix" && a.NDim() != 2 {
		class = ndarrayClass
	}
	made.Args = tuple(class, tuple(int64(0)), made.Args.Items[2])
	return &made
}

// dtypeOf returns the dtype object for an array that was made in Go: its own if it is a part of an array that was read.
func (w *writer) dtypeOf(a *npy.Array, o *origin) *DType {
	if o != nil && o.dtype != nil && o.dtype.Type.Equal(a.DType()) {
		return w.stringsAs(o.dtype)
	}
	return w.typed(a.DType())
}

// stringsAs returns the dtype for an array: where NumPy 2 has a StringDType, NumPy 1 has objects.
func (w *writer) stringsAs(d *DType) *DType {
	if d != nil && d.StringType != nil && w.gen.version == 1 {
		return w.typed(dtype.Object)
	}
	return d
}

// elements returns the last item of a state: the bytes in memory order, or the list of objects.
func (w *writer) elements(a *npy.Array, d *DType, o *origin, fortran bool) (any, error) {
	if a.DType().HasObject() {
		return listOf(a, d, longTypesOf(o))
	}
	if fortran {
		a = a.T()
	}
	return a.Bytes(), nil
}

// scalar is the reduction of a scalar: scalar(dtype, bytes).
func (w *writer) scalar(s *Scalar) (*pickle.Object, error) {
	if s.made != nil {
		return w.again(s.made, nil), nil
	}
	var value any = s.array
	if !s.DType().HasObject() {
		value = s.array.Bytes()
	}
	d := s.dtype
	if d == nil {
		d = w.typed(s.DType())
	}
	return &pickle.Object{Class: w.gen.scalar, Args: tuple(d, value)}, nil
}

// masked is the reduction of a masked array.
func (w *writer) masked(m *MaskedArray) (*pickle.Object, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	o, _ := m.Data.Origin().(*origin)
	d := w.dtypeOf(m.Data, o)
	fortran := !m.Data.IsC() && m.Data.IsFortran()
	if o != nil {
		fortran = o.fortran
	}
	elements, err := w.elements(m.Data, d, o, fortran)
	if err != nil {
		return nil, err
	}
	mask := m.Mask
	if fortran {
		mask = mask.T()
	}
	if m.made != nil && m.made.HasState && o != nil {
		items := append([]any(nil), m.made.State.(*pickle.Tuple).Items...)
		items[4], items[5], items[6] = elements, mask.Bytes(), m.FillValue
		return w.again(m.made, tuple(items...)), nil
	}
	made := m.made
	if made == nil {
		made = &pickle.Object{Class: maskedReconstruct, Args: tuple(maskedClass, ndarrayClass, tuple(int64(0)), "b")}
	}
	return w.again(made, tuple(int64(1), intTuple(m.Data.Shape()), d, fortran, elements, mask.Bytes(), m.FillValue)), nil
}
