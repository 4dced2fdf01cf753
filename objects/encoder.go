package objects

import (
	"fmt"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/pickle"
)

// An Encoder writes the elements of object arrays, for the field Objects of [npy.Encoder]. The zero Encoder gives the
// bytes of np.save: for arrays that were read those of the NumPy that wrote them, for others those of NumPy 2. It may be
// used by several goroutines.
type Encoder struct {
	// NumPy is the major version of the NumPy to write as: 1 or 2, which differ in the protocol of the pickle and in the
	// names of modules. 0 stands for that which wrote the array, 2 if none did. NumPy 1 before 1.26.1 reads only 1.
	NumPy int

	// Protocol is the protocol of the pickle, 2 to 5; 0 stands for that of NumPy: 3 for version 1, 4 for 2.
	Protocol int

	// Reduce is asked for values of types that are neither of package pickle nor of this one; see [pickle.Encoder].
	Reduce func(v any) (*pickle.Object, error)

	// MaxShared limits the bytes of large ints that are written again, as that of [pickle.Encoder].
	MaxShared int64
}

// EncodeObjects implements [npy.ObjectEncoder]. The error for a value that cannot be written is a [*pickle.EncodeError].
func (e Encoder) EncodeObjects(w io.Writer, a *npy.Array) error { return e.Encode(w, a) }

// Encode writes one value as a pickle that is not behind a header.
func (e Encoder) Encode(w io.Writer, v any) error {
	if e.NumPy < 0 || e.NumPy > len(generations) {
		return fmt.Errorf("objects: Encoder.NumPy is %d, want 1, 2 or 0 for the one that wrote the array", e.NumPy)
	}
	o := originOf(v)
	out := &writer{gen: generations[len(generations)-1], convert: e.NumPy != 0, next: e.Reduce, plain: map[dtype.Type]*DType{}}
	if e.NumPy > 0 {
		out.gen = generations[e.NumPy-1]
	} else if o != nil && o.made != nil {
		out.gen = generationOf(o.made)
	}
	protocol := e.Protocol
	if protocol == 0 {
		protocol = out.gen.protocol
		if o != nil && e.NumPy == 0 && o.protocol >= 2 {
			protocol = o.protocol
		}
	}
	p := pickle.Encoder{Protocol: protocol, Reduce: out.reduce, MaxShared: e.MaxShared}
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

// A writer says how the NumPy objects of one pickle are made.
type writer struct {
	gen     *generation
	convert bool // objects that were read too are to be those of gen
	next    func(any) (*pickle.Object, error)
	plain   map[dtype.Type]*DType // the dtypes of which Python has one object
}

// reduce says how Python would make a value.
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
	if g, ok := o.Class.(*pickle.Global); ok && w.convert {
		o.Class = w.gen.in(g)
	}
	return &o
}

// array is the reduction of an array: _reconstruct(class, (0,), b'b') and its state.
func (w *writer) array(a *npy.Array) (*pickle.Object, error) {
	o, _ := a.Origin().(*origin)
	if o != nil && o.made != nil {
		if !o.made.HasState { // _frombuffer, or nothing but the call
			return w.again(o.made, nil), nil
		}
		elements, err := w.elements(a, o.dtype, o.fortran)
		if err != nil {
			return nil, err
		}
		return w.again(o.made, replaced(o.made.State, elements)), nil
	}
	d := w.dtypeOf(a, o)
	fortran := !a.IsC() && a.IsFortran()
	elements, err := w.elements(a, d, fortran)
	if err != nil {
		return nil, err
	}
	return &pickle.Object{
		Class: w.gen.reconstruct, Args: tuple(ndarrayClass, tuple(int64(0)), []byte("b")),
		State: tuple(int64(1), intTuple(a.Shape()), d, fortran, elements), HasState: true,
	}, nil
}

// dtypeOf returns the dtype object for an array that was made in Go: its own if it is a part of one that was read.
func (w *writer) dtypeOf(a *npy.Array, o *origin) *DType {
	if o != nil && o.dtype != nil {
		return o.dtype
	}
	return w.typed(a.DType())
}

// replaced returns a state with other elements at its end.
func replaced(state any, elements any) *pickle.Tuple {
	items := append([]any(nil), state.(*pickle.Tuple).Items...)
	items[len(items)-1] = elements
	return tuple(items...)
}

// elements returns the last item of a state: the bytes as they lie in memory, or the list of objects.
func (w *writer) elements(a *npy.Array, d *DType, fortran bool) (any, error) {
	if a.DType().HasObject() {
		return listOf(a, d)
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
	return &pickle.Object{Class: w.gen.scalar, Args: tuple(w.typed(s.DType()), value)}, nil
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
	elements, err := w.elements(m.Data, d, fortran)
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
