package record

import (
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// Field returns one field of an array of records as Go values, without decoding the other fields. The path names it
// from the outside in, with dots: "outer2.inner2". The dimensions of subarrays follow the dimensions of the array. E
// must hold the field's values as for [npy.As], which also says when the result shares the memory of the array. The
// error is a [*npy.FieldError] if the path does not exist, and a [*npy.TypeError] if the values do not fit.
// [LoadField] reads a field of a file.
func Field[E npy.Element](a *npy.Array, path string) (npy.View[E], error) {
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

// LoadField reads one field of the records in a file, in C order, and the shape of the array. Only a block of the
// records is held at a time. The path is as for [Field]. T may be any type of a struct field for [Load]: a number, a
// string, a time.Time, one Go array for each dimension of a subarray, a struct. The error is a [*npy.FieldError] if
// the path does not exist, a [*npy.TypeError] if T cannot hold the field, and a [*ValueError] for a single value that
// does not fit.
func LoadField[T any](path, field string) (data []T, shape []int, err error) {
	return Loader[T]{}.LoadField(path, field)
}

// LoadField is the function [LoadField] with the settings of l.
func (l Loader[T]) LoadField(path, field string) (data []T, shape []int, err error) {
	return l.loadFile(path, l.compileField(field))
}

// fieldAt returns the field at a path.
func fieldAt(a *npy.Array, path string) (*npy.Array, error) {
	name, rest, more := cutPath(a.DType(), path)
	inner, err := a.Field(name)
	if err != nil || !more {
		return inner, err
	}
	found, err := fieldAt(inner, rest)
	if fe, ok := err.(*npy.FieldError); ok {
		fe.Path = join(name, fe.Path)
	}
	return found, err
}

// cutPath splits the first name off a path, and reports whether more follows. A name may contain dots. A field whose
// name is the whole path comes first, then the shortest name that exists.
func cutPath(d dtype.Type, path string) (name, rest string, more bool) {
	if _, ok := d.FieldByName(path); ok {
		return path, "", false
	}
	for i := range len(path) {
		if path[i] != '.' {
			continue
		}
		if _, ok := d.FieldByName(path[:i]); ok {
			return path[:i], path[i+1:], true
		}
	}
	return strings.Cut(path, ".") // no such field
}
