package record

import (
	"strings"

	"github.com/npygo/npy"
)

// Column returns one field of an array of records as Go values, without decoding the others. The path names it from the
// outside in, with dots: "outer2.inner2". The dimensions of subarrays come behind those of the array. E must hold the
// field's values as for [npy.As], which also says when the result shares the memory of the array. The error is a
// [*npy.FieldError] if the path leads nowhere, and a [*npy.TypeError] if the values do not fit.
func Column[E npy.Element](a *npy.Array, path string) (npy.View[E], error) {
	a, err := fieldAt(a, path)
	if err != nil {
		return npy.View[E]{}, err
	}
	v, err := npy.As[E](a)
	if te, ok := err.(*npy.TypeError); ok {
		te.Path = path
	}
	return v, err
}

// fieldAt follows a path. A dot may be part of a name: the shortest name that exists counts, but a field that has all of
// the path for its name comes first.
func fieldAt(a *npy.Array, path string) (*npy.Array, error) {
	if _, ok := a.DType().FieldByName(path); ok {
		return a.Field(path)
	}
	for i := range len(path) {
		if path[i] != '.' {
			continue
		}
		if _, ok := a.DType().FieldByName(path[:i]); ok {
			inner, err := a.Field(path[:i])
			if err != nil {
				return nil, err
			}
			found, err := fieldAt(inner, path[i+1:])
			if fe, ok := err.(*npy.FieldError); ok {
				fe.Path = path[:i+1] + fe.Path
			}
			return found, err
		}
	}
	name, _, _ := strings.Cut(path, ".")
	return a.Field(name) // for its error
}
