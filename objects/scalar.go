package objects

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/pickle"
)

// A Scalar is one of NumPy's scalars: numpy.float64(1.5), a datetime64, a record. It does not change.
type Scalar struct {
	array *npy.Array // without dimensions
	dtype *DType
	made  *pickle.Object // how it was stored; nil for one made in Go
}

// NewScalar returns the element of an array without dimensions as a scalar. It copies the element.
func NewScalar(a *npy.Array) (*Scalar, error) {
	if a.NDim() != 0 || a.DType().Kind() == dtype.KindObject {
		return nil, diag.Errorf("objects", "an array of %d dimensions and dtype %s is not a scalar", a.NDim(), a.DType())
	}
	return &Scalar{array: a.Clone()}, nil
}

// newScalar constructs scalar(dtype, bytes), or scalar(dtype, array) for structs with objects.
func (r *reader) newScalar(o *pickle.Object) (any, error) {
	items, ok := tupleOf(o.Args, 2, 2)
	if !ok {
		return nil, malformed("scalar has wrong arguments")
	}
	d, err := r.use(items[0])
	if err != nil {
		return nil, err
	}
	if d.Type.Kind() == dtype.KindObject {
		return items[1], nil // NumPy does the same
	}
	if d.Type.HasObject() {
		a, ok := items[1].(*npy.Array)
		if !ok || a.NDim() != 0 || !a.DType().Equal(d.Type) {
			return nil, malformed("scalar of dtype %s has a %T, want an array without dimensions", d.Type, items[1])
		}
		kept := *a // later changes of a do not affect it
		return &Scalar{array: &kept, dtype: d, made: o}, nil
	}
	raw, err := r.rawBytes(items[1], "scalar has a value of %T, want bytes")
	if err != nil {
		return nil, err
	}
	a, err := npy.FromBytes(d.Type, raw)
	if err != nil {
		return nil, err
	}
	return &Scalar{array: a, dtype: d, made: o}, nil
}

// DType returns the type of the scalar.
func (s *Scalar) DType() dtype.Type { return s.array.DType() }

// Scalar returns an array without dimensions with the value. It shares the memory of s.
func (s *Scalar) Scalar() *npy.Array { return s.array }

// Value returns the value as Python's item() does: bool, int64, uint64, float64, complex128, string, []byte, the dates and times of package
// pickle, or a tuple for a struct. Long doubles are the Scalar itself.
func (s *Scalar) Value() (any, error) {
	p, err := newPart(s.array, s.dtype, nil)
	if err != nil {
		return nil, err
	}
	return p.getOne(nil)
}
