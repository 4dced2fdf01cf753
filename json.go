package npy

import (
	"errors"
	"fmt"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/escape"
	"github.com/npygo/npy/internal/jsontext"
	"github.com/npygo/npy/scalar"
)

// MarshalJSON returns the elements as nested lists, ndarray.tolist, in the format of package convert and of npy
// convert --to json: numbers as numbers, records as objects, times as ISO 8601, all else as strings. NaN and the
// infinities are the strings "NaN", "Infinity" and "-Infinity". <f16 is read as the long double of x86. Lists cannot
// hold the dtype, the axes after one of length 0, and the payload of NaNs: these are lost.
//
// Arrays of Python objects are refused with an error that wraps [ErrObjects]: convert.Write writes them.
func (a *Array) MarshalJSON() ([]byte, error) {
	if !a.nd.DType.IsValid() {
		return nil, errors.New("npy: the zero Array has no elements and no JSON; use New")
	}
	if a.nd.DType.HasObject() {
		return nil, fmt.Errorf("npy: marshal dtype %s: %w; convert.Write writes it as JSON", a.nd.DType, ErrObjects)
	}
	format, err := elem.JSONFormat(a.nd.DType, elem.Texts{}.Formatter)
	if err != nil {
		return nil, fmt.Errorf("npy: %w", err)
	}
	dst, err := elem.AppendJSON(nil, a.nd.DType, format, a.nd.Shape, a.NBytes(), a.nd.Items)
	if err != nil {
		return nil, fmt.Errorf("npy: %w", err)
	}
	return dst, nil
}

// UnmarshalJSON reads the output of MarshalJSON into an array that already has its dtype, since JSON does not name
// it:
//
//	a, err := npy.New(dtype.Float32, 0)
//	err = json.Unmarshal([]byte("[[1, 2], [3, 4]]"), a)
//
// The shape is the nesting of the lists. a gets new memory in C order, at most one element for each byte of data;
// views of a keep the old memory. Numbers must fit the dtype, and floats are rounded to the nearest. null is NaN or
// NaT within lists and leaves a unchanged otherwise, as in package encoding/json. An error leaves a unchanged too.
// convert.Read finds the dtype in the text.
func (a *Array) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	if !a.nd.DType.IsValid() {
		return errors.New("npy: unmarshal JSON into an Array without a dtype: make it by New, or use convert.Read, which finds one")
	}
	if a.nd.DType.HasObject() {
		return fmt.Errorf("npy: unmarshal JSON to dtype %s, whose values JSON cannot say: %w", a.nd.DType, errors.ErrUnsupported)
	}
	raw, shape, err := elem.ParseJSON(a.nd.DType, string(data))
	if err != nil {
		return fmt.Errorf("npy: %w", err)
	}
	h := format.Header{DType: a.nd.DType, Shape: shape}
	if err := h.Validate(); err != nil {
		return err
	}
	*a = *newArray(h, raw)
	return nil
}

// MarshalJSON returns the elements as nested lists, as [Array.MarshalJSON] does. Times are numbers of ticks, since a
// View does not know their step. A View cannot be unmarshaled: unmarshal an Array and use [As].
func (v View[T]) MarshalJSON() ([]byte, error) {
	if len(v.shape) == 0 && len(v.data) == 0 {
		return nil, errors.New("npy: the zero View has no elements and no JSON; use As")
	}
	t := DTypeOf[T]()
	var x T // the element for format
	format, err := viewFormat(t, &x)
	if err != nil {
		return nil, fmt.Errorf("npy: %w", err)
	}
	dst, err := elem.AppendJSON(nil, t, format, v.shape, v.Size(), func(yield func([]byte) bool) {
		v.walk(func(value T) bool {
			x = value
			return yield(nil)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("npy: %w", err)
	}
	return dst, nil
}

// UnmarshalJSON returns an error: a View is a view of an [Array]. Unmarshal the Array.
func (v *View[T]) UnmarshalJSON([]byte) error {
	return fmt.Errorf("npy: unmarshal JSON into a View: unmarshal an Array of dtype %s and use As: %w", DTypeOf[T](), errors.ErrUnsupported)
}

// viewFormat returns the function that writes *x, whose dtype is t. The function ignores its item argument.
func viewFormat[T Element](t dtype.Type, x *T) (elem.FormatFunc, error) {
	switch x := any(x).(type) {
	case *string:
		return func(dst, _ []byte) ([]byte, error) {
			start := len(dst)
			dst, err := escape.AppendStr(append(dst, '"'), *x)
			return jsontext.CloseString(dst, start), err
		}, nil
	case *[]byte:
		return func(dst, _ []byte) ([]byte, error) {
			start := len(dst)
			return jsontext.CloseString(escape.AppendBytes(append(dst, '"'), *x), start), nil
		}, nil
	}
	format, err := elem.JSONFormat(t, elem.Texts{Float128: isFloat128(x)}.Formatter)
	encode, ok := encoderFor[T](t)
	if err != nil || !ok {
		return nil, errors.Join(err, typeError[T](t, "it has no JSON"))
	}
	item := make([]byte, t.ItemSize())
	return func(dst, _ []byte) ([]byte, error) {
		if err := encode(item, []T{*x}); err != nil {
			return dst, err
		}
		return format(dst, item)
	}, nil
}

func isFloat128(x any) bool {
	_, ok := x.(*scalar.Float128)
	return ok
}
