package objects

import (
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/pickle"
)

// A MaskedArray is a numpy.ma.MaskedArray.
type MaskedArray struct {
	// Data has all elements, and arbitrary values where an element is masked. Changes of it change the MaskedArray.
	Data *npy.Array

	// Mask has the shape of Data and is true where an element is masked: of dtype bool, or for structs a struct of bools with
	// the same names.
	Mask *npy.Array

	// FillValue replaces masked elements: nil for the default, or an array without dimensions.
	FillValue any

	class any            // numpy.ma.core.MaskedArray or a subclass, as it was read
	made  *pickle.Object // the call, and the state without the elements; nil for one made in Go
}

// newMasked constructs a masked array that is empty until its state follows: _mareconstruct(class, baseclass, (0,),
// 'b').
func newMasked(o *pickle.Object) (*MaskedArray, error) {
	items, ok := tupleOf(o.Args, 4, 4)
	if !ok {
		return nil, malformed("masked array has wrong arguments")
	}
	data, err := npy.New(dtype.Int8, 0)
	if err != nil {
		return nil, err
	}
	mask, err := npy.New(dtype.Bool, 0)
	return &MaskedArray{Data: data, Mask: mask, class: items[0], made: o}, err
}

// setMasked fills a masked array with its state: the state of an array, the bytes of the mask, the fill value.
func (r *reader) setMasked(m *MaskedArray, state any) error {
	items, ok := tupleOf(state, 7, 7)
	switch {
	case m.made.HasState:
		return errTwice
	case !ok:
		return malformed("masked array has no state of 7 items")
	}
	long := longTypes{}
	data, d, fortran, err := r.array(items[1:5], long)
	if err != nil {
		return err
	}
	raw, err := r.rawBytes(items[5], "masked array has a mask of %T, want bytes")
	if err != nil {
		return err
	}
	t, err := maskType(data.DType())
	if err != nil {
		return err
	}
	mask, err := overBytes(t, raw, data.Shape(), fortran)
	if err != nil {
		return err
	}
	kept := append([]any(nil), items...)
	kept[4], kept[5], kept[6] = nil, nil, nil
	made := *m.made
	made.State, made.HasState = &pickle.Tuple{Items: kept}, true
	*m = MaskedArray{Data: data.WithOrigin(&origin{dtype: d, long: long, fortran: fortran}), Mask: mask, FillValue: items[6], class: m.class, made: &made}
	return nil
}

// maskType returns the dtype of the mask for elements of t: bool for each field, without padding (make_mask_descr).
func maskType(t dtype.Type) (dtype.Type, error) {
	switch {
	case t.IsSubarray():
		elem, err := maskType(t.Elem())
		if err != nil {
			return t, err
		}
		return dtype.Subarray(elem, t.SubShape()...)
	case !t.IsStruct():
		return dtype.Bool, nil
	}
	fields := t.Fields()
	end := 0
	for i := range fields {
		ft, err := maskType(fields[i].DType)
		if err != nil {
			return t, err
		}
		fields[i].DType, fields[i].Offset = ft, end
		end += ft.ItemSize()
	}
	return dtype.Struct(end, fields...)
}

// check makes sure that data and mask fit each other.
func (m *MaskedArray) check() error {
	if m.Data == nil || m.Mask == nil || !slices.Equal(m.Data.Shape(), m.Mask.Shape()) {
		return diag.New("objects", "the data and the mask of a masked array must have one shape")
	}
	t, err := maskType(m.Data.DType())
	if err == nil && !t.Equal(m.Mask.DType()) {
		err = diag.Errorf("objects", "mask of dtype %s, want %s", m.Mask.DType(), t)
	}
	return err
}
