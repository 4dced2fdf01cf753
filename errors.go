package npy

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// ErrLimit is wrapped by every error of a guard that said stop. Its text names the limit and the value.
var ErrLimit = format.ErrLimit

// ErrObjects is wrapped by the error for arrays of Python objects where they are not asked for. Their elements are a
// pickle, which this package does not decode by itself: [Decoder] has a field for what does. The header can be read with
// package format.
var ErrObjects = errors.New("array of Python objects, stored as a pickle, which is not decoded")

// A TypeError says that the elements of an array do not fit a Go type, or a Go type not a dtype: values could change.
type TypeError struct {
	DType  dtype.Type   // invalid where no dtype can hold the Go type
	GoType reflect.Type // the element type that was asked for or given
	Path   string       // the field, dotted, where the array is a struct; "" for the elements themselves
	Hint   string       // the way out
}

// Error returns one line with both types and the way out.
func (e *TypeError) Error() string {
	path := ""
	if e.Path != "" {
		path = " of field " + e.Path
	}
	text := fmt.Sprintf("npy: dtype %s%s and Go type %s do not fit", e.DType, path, e.GoType)
	if !e.DType.IsValid() {
		text = fmt.Sprintf("npy: no dtype%s for Go type %s", path, e.GoType)
	}
	if e.Hint != "" {
		text += ": " + e.Hint
	}
	return text
}

func typeError[T any](t dtype.Type, hint string) error {
	return &TypeError{DType: t, GoType: reflect.TypeFor[T](), Hint: hint}
}

// A FieldError says that the elements of an array have no field of the name asked for.
type FieldError struct {
	DType dtype.Type // where it was looked for
	Path  string     // the name, after those of the structs around it, dotted
}

// Error returns one line with the names that there are.
func (e *FieldError) Error() string {
	if !e.DType.IsStruct() {
		return fmt.Sprintf("npy: no field %q: dtype %s has no fields", e.Path, e.DType)
	}
	names := make([]string, e.DType.NumField())
	for i, f := range e.DType.Fields() {
		names[i] = f.Name
	}
	if len(names) > 20 {
		names = append(names[:20], "…")
	}
	return fmt.Sprintf("npy: no field %q, want one of %q", e.Path, names)
}
