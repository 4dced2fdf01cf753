package values

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/output"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
)

// formats holds the functions that write the plain values within an element of one array. They are numbered as [Value] is.
type formats struct {
	elem.Texts
	objects []elem.FormatFunc // by number; nil where the dtype is not |O, and nil as a whole if there are no objects
	next    int               // the next number, for callers that request all functions in order
}

// FormatsOf returns the formats for an array. write appends the text of one object.
func FormatsOf(c output.Content, x elem.Texts, write func(dst []byte, v any) ([]byte, error)) (*formats, error) {
	f := &formats{Texts: x}
	if !c.DType.HasObject() {
		return f, nil
	}
	err := f.addObjects(c.Array, write)
	return f, err
}

// addObjects adds functions for the objects in a, an array of elements or of one of their fields. Each function must be
// called once per value in C order, because it advances to the next object with each call.
func (f *formats) addObjects(a *npy.Array, write func(dst []byte, v any) ([]byte, error)) error {
	t := a.DType()
	switch {
	case t.Kind() == dtype.KindObject:
		flat, err := a.Reshape(-1)
		next := 0
		f.objects = append(f.objects, func(dst, _ []byte) ([]byte, error) {
			v := flat.Object(next) // and no copy of all objects
			next++
			return write(dst, v)
		})
		return err
	case !t.IsStruct():
		f.objects = append(f.objects, nil)
		return nil
	}
	for _, field := range t.Fields() {
		view, err := a.Field(field.Name)
		if err == nil {
			err = f.addObjects(view, write)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// At returns the function for the plain value of dtype t with a given number.
func (f *formats) At(t dtype.Type, number int) (elem.FormatFunc, error) {
	if t.Kind() == dtype.KindObject && f.objects != nil {
		return f.objects[number], nil
	}
	return f.Formatter(t)
}

// json returns the function that writes an element of any dtype. With nulls, NaN and NaT are null.
func (f *formats) json(t dtype.Type, nulls bool) (elem.FormatFunc, error) {
	format, err := f.JSONFormat(t, nulls, func(t dtype.Type) (elem.FormatFunc, error) {
		f.next++
		return f.At(t, f.next-1)
	})
	if err != nil {
		return nil, diag.Wrap("convert", err)
	}
	return format, nil
}
