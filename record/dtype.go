package record

import (
	"fmt"
	"reflect"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
)

// DType returns the dtype of records of type T: its fields in order, without padding, as numpy.dtype([...]) lays them
// out. Numbers are in native byte order unless the tag gives another. The error is a [*npy.TypeError] that names the
// field. If T is an array, the dtype is a subarray.
func DType[T any]() (dtype.Type, error) { return derive(reflect.TypeFor[T](), false) }

// AlignedDType is [DType] with fields padded as C does on 64-bit machines, numpy.dtype([...], align=True): the layout
// of most Go structs, which [ViewOf] needs.
func AlignedDType[T any]() (dtype.Type, error) { return derive(reflect.TypeFor[T](), true) }

func derive(t reflect.Type, align bool) (dtype.Type, error) {
	if !isRecord(t) {
		return dtype.Type{}, refuse(t, dtype.Type{}, "", "records need a struct or array type")
	}
	l := layout{align}
	d, _, err := l.of(bulk.PlaceIn(t), dtype.Type{}, "")
	if err != nil {
		return dtype.Type{}, err
	}
	// The field must be able to write the dtype in its tag.
	p, err := compile(t, d, policy{})
	if err == nil {
		err = p.noStore
	}
	if err != nil {
		return dtype.Type{}, err
	}
	return d, nil
}

// A layout derives dtypes and the alignment of their values in bytes.
type layout struct{ align bool }

func (l layout) of(at bulk.Place, told dtype.Type, path string) (dtype.Type, int, error) {
	t := at.Type()
	c, isLeaf := columnFor(t, told, told)
	switch {
	case isLeaf && told.IsValid() && told.ItemSize() == 0:
		return told, 0, refuse(t, told, path, "the tag says no length: U8, not U")
	case isLeaf && told.IsValid():
		return told, alignment(told), nil
	case isLeaf:
		d, hint := c.natural()
		if !d.IsValid() {
			return d, 0, refuse(t, d, path, hint+` after the name in the tag`)
		}
		return d, alignment(d), nil
	case t.Kind() == reflect.Array:
		return l.ofArray(at, told, path)
	case t.Kind() == reflect.Struct && told.IsValid():
		return told, 1, nil
	case t.Kind() == reflect.Struct:
		return l.ofStruct(at, path)
	}
	return dtype.Type{}, 0, refuse(t, told, path, unfit(t))
}

// ofArray makes a subarray. The descr in a tag is the dtype of the elements, or of the whole subarray with its
// dimensions.
func (l layout) ofArray(at bulk.Place, told dtype.Type, path string) (dtype.Type, int, error) {
	t, dims := at.Type(), []int{}
	for at.Type().Kind() == reflect.Array {
		dims = append(dims, at.Type().Len())
		at = at.Elems()
	}
	if told.IsSubarray() {
		if fmt.Sprint(told.SubShape()) != fmt.Sprint(dims) {
			return dtype.Type{}, 0, refuse(t, told, path, fmt.Sprintf("the dimensions in Go are %v", dims))
		}
		told = told.Elem()
	}
	base, align, err := l.of(at, told, path)
	if err != nil {
		return dtype.Type{}, 0, err
	}
	d, err := dtype.Subarray(base, dims...)
	if err != nil {
		return dtype.Type{}, 0, refuse(t, base, path, err.Error())
	}
	return d, align, nil
}

func (l layout) ofStruct(at bulk.Place, path string) (dtype.Type, int, error) {
	info, err := fieldsOf(at, path)
	if err != nil {
		return dtype.Type{}, 0, err
	}
	var fields []dtype.Field
	end, most := 0, 1
	for _, f := range info.fields {
		d, align, err := l.of(f.at, f.dtype, join(path, f.name))
		if err != nil {
			return dtype.Type{}, 0, err
		}
		if l.align {
			end, most = roundUp(end, align), max(most, align)
		}
		fields = append(fields, dtype.Field{Name: f.name, Title: f.title, DType: d, Offset: end})
		if end += d.ItemSize(); end > dtype.MaxItemSize {
			return dtype.Type{}, 0, refuse(at.Type(), dtype.Type{}, join(path, f.name), fmt.Sprintf("a record can have %d bytes", dtype.MaxItemSize))
		}
	}
	d, err := dtype.Struct(roundUp(end, most), fields...)
	if err != nil {
		return dtype.Type{}, 0, refuse(at.Type(), dtype.Type{}, path, err.Error())
	}
	return d, most, nil
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

// alignment returns the alignment of C on 64-bit machines, dtype.alignment. For long doubles of 12 bytes it is the
// alignment on the machines that have them.
func alignment(d dtype.Type) int {
	switch d.Kind() {
	case dtype.KindBytes, dtype.KindVoid:
		if d.Name() == "bfloat16" {
			return 2
		}
		return 1
	case dtype.KindStr:
		return 4
	case dtype.KindComplex:
		if d.ItemSize() == 24 {
			return 4
		}
		return d.ItemSize() / 2
	case dtype.KindFloat:
		if d.ItemSize() == 12 {
			return 4
		}
	}
	return max(d.ItemSize(), 1)
}
