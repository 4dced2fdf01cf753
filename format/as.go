package format

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
)

// nameVoid replaces void elements of the same item size in t by the dtype as, for Decoder.VoidAs.
func nameVoid(t *dtype.Type, as dtype.Type) error {
	if as.IsStruct() || as.IsSubarray() || as.HasObject() || as.ItemSize() == 0 {
		return diag.Errorf("npy", "Decoder.VoidAs is dtype %s, want a dtype of numbers or text of at least one byte", as)
	}
	if t.HasObject() { // a pickle contains its own dtypes
		return nil
	}
	named, err := voidAs(*t, as)
	if err == nil {
		*t = named
	}
	return err
}

func voidAs(t, as dtype.Type) (dtype.Type, error) {
	switch {
	case t.IsStruct():
		fields := t.Fields()
		for i, f := range fields {
			var err error
			if fields[i].DType, err = voidAs(f.DType, as); err != nil {
				return t, err
			}
		}
		return dtype.Struct(t.ItemSize(), fields...)
	case t.IsSubarray():
		elem, err := voidAs(t.Elem(), as)
		if err != nil {
			return t, err
		}
		return dtype.Subarray(elem, t.SubShape()...)
	case t.Equal(dtype.Void(as.ItemSize())):
		return as, nil
	}
	return t, nil
}
