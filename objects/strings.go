package objects

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// StringsOf returns an array of NumPy's StringDType with the given elements in C order: strings, or the type's
// na_object for missing values. Without a shape it has one dimension. The array has dtype |O here, as in its file, and
// NumPy 2 reads it.
func StringsOf(t StringType, values []any, shape ...int) (*npy.Array, error) {
	a, err := npy.FromObjects(values, shape...)
	if err != nil {
		return nil, err
	}
	return a.WithOrigin(&origin{dtype: &DType{Type: dtype.Object, StringType: &t}}), nil
}

// StringTypeOf returns the StringDType of an array, nil if it has another dtype or is a view.
func StringTypeOf(a *npy.Array) *StringType {
	if o, ok := a.Origin().(*origin); ok && o.dtype != nil {
		return o.dtype.StringType
	}
	return nil
}
