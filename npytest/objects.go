package npytest

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// CheckObjects is [Vector.Check] for arrays of Python objects. This package does not know the Go values for objects:
// same compares a value with the neutral form of gen.py, in which numbers and strings are themselves, and other values
// are a map of "t", the type, and "v". [Same] compares plain values.
func (v Vector) CheckObjects(a *npy.Array, same func(got, want any) error) error {
	switch {
	case !a.DType().Equal(v.DType):
		return fmt.Errorf("%s: dtype is %s, NumPy has %s", v.Path, a.DType(), v.DType)
	case !slices.Equal(a.Shape(), v.Shape):
		return fmt.Errorf("%s: shape is %v, NumPy has %v", v.Path, a.Shape(), v.Shape)
	case v.values == nil: // they contain themselves
		return nil
	case a.Size() != len(v.values):
		return fmt.Errorf("%s: %d elements, NumPy has %d", v.Path, a.Size(), len(v.values))
	}
	i := 0
	for index := range indices(a.Shape()) {
		if err := checkObject(a, index, v.values[i], same); err != nil {
			return fmt.Errorf("%s: element %v: %w", v.Path, index, err)
		}
		i++
	}
	return nil
}

// checkObject compares one element, an object or a struct with objects.
func checkObject(a *npy.Array, index []int, want any, same func(got, want any) error) error {
	switch t := a.DType(); {
	case t.Kind() == dtype.KindObject:
		return same(a.Object(index...), want)
	case !t.HasObject():
		return checkItem(t, a.Item(index...), want)
	}
	list := tagged(want)
	if len(list) != a.DType().NumField() {
		return fmt.Errorf("%d fields, NumPy has %d", a.DType().NumField(), len(list))
	}
	for i, f := range a.DType().Fields() {
		field, err := a.Field(f.Name)
		if err == nil {
			err = checkObject(field, index, list[i], same)
		}
		if err != nil {
			return fmt.Errorf("field %q: %w", f.Name, err)
		}
	}
	return nil
}

// Same reports whether a Go value of a plain type, from bool to []byte, equals the neutral form.
func Same(got, want any) bool { return got == nil && want == nil || same(got, want) }

// Nested returns the array in a neutral form, to check another array by.
func Nested(want any) (Vector, error) {
	m, ok := want.(map[string]any)
	if !ok || m["t"] != "ndarray" {
		return Vector{}, fmt.Errorf("NumPy has no array but %v", want)
	}
	text, err := json.Marshal(m)
	if err != nil {
		return Vector{}, err
	}
	var e struct {
		DType json.RawMessage
		Shape []int
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return Vector{}, err
	}
	t, err := parseDescr(e.DType)
	return Vector{DType: t, Shape: e.Shape, values: tagged(want)}, err
}
