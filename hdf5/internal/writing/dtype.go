package writing

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/structure"
	"github.com/npygo/npy/internal/diag"
)

// terminated returns the form of strings of a fixed size with another kind of padding: they end with a NUL, or with their
// size.
func (f *Form) terminated() *Form {
	t := *f
	t.Message = structure.DatatypeHead(1, structure.ClassString, 0, f.size)
	return &t
}

// checkEnum returns an error unless integers of a dtype can have these names in HDF5: each name and each value once.
func checkEnum(t dtype.Type, members []container.EnumMember) error {
	if k := t.Kind(); k != dtype.KindInt && k != dtype.KindUint {
		return fmt.Errorf("elements of dtype %s have no names", t)
	}
	if len(members) > math.MaxUint16 {
		return fmt.Errorf("%d names, and the limit of HDF5 is %d", len(members), math.MaxUint16)
	}
	names, values := map[string]bool{}, map[int64]bool{}
	size := 8 * t.ItemSize()
	for _, m := range members {
		least, most := int64(-1)<<(size-1), int64(1)<<(size-1)-1
		if t.Kind() == dtype.KindUint && size < 64 {
			least, most = 0, int64(1)<<size-1
		}
		switch {
		case m.Name == "" || strings.Contains(m.Name, "\x00") || names[m.Name]:
			return fmt.Errorf("the name %q is empty, or is there twice", m.Name)
		case m.Value < least || m.Value > most || values[m.Value]:
			return fmt.Errorf("the value of %s is out of the range of dtype %s, or is there twice", m.Name, t)
		}
		names[m.Name], values[m.Value] = true, true
	}
	return nil
}

// plainType returns the datatype of a dtype without fields, subarrays, text and objects.
func plainType(t dtype.Type) ([]byte, error) {
	big := t.ByteOrder() == dtype.BigEndian
	size := t.ItemSize()
	if f, ok := structure.FloatForms[t.Name()]; ok && (t.Kind() == dtype.KindFloat || t.Kind() == dtype.KindVoid) {
		return structure.FloatType(f, big), nil
	}
	switch t.Kind() {
	case dtype.KindBool:
		return structure.BoolType(), nil
	case dtype.KindInt, dtype.KindUint:
		return structure.IntegerType(size, t.Kind() == dtype.KindInt, big), nil
	case dtype.KindComplex:
		return structure.ComplexType(complexPart(size/2), big), nil
	case dtype.KindBytes:
		return structure.FixedStringType(max(size, 1)), nil
	case dtype.KindDatetime, dtype.KindTimedelta:
		return structure.OpaqueType(size, structure.TagNumPy+t.Descr()), nil
	case dtype.KindVoid:
		if size == 0 {
			return nil, diag.Errorf("hdf5", "elements of dtype %s have no bytes, which HDF5 cannot hold: %w", t, errors.ErrUnsupported)
		}
		tag := ""
		if name := t.Name(); structure.IsMLName(t) {
			tag = structure.TagMLDtypes + name
		}
		return structure.OpaqueType(size, tag), nil
	}
	return nil, diag.Errorf("hdf5", "dtype %s has no counterpart in HDF5: %w", t, errors.ErrUnsupported)
}

// complexPart returns the form of the floats that complex numbers consist of.
func complexPart(size int) structure.FloatForm {
	for _, name := range []string{"float16", "float32", "float64", "float96", "float128"} {
		if f := structure.FloatForms[name]; f.Size == size {
			return f
		}
	}
	panic(fmt.Sprintf("hdf5: complex numbers of two floats of %d bytes", size)) // dtype has none
}
