package elem

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/jsontext"
)

// JSONFormat returns the function that writes elements of t as JSON: records as objects, subarrays as lists, numbers as
// numbers, all other values as strings. leaf returns the FormatFunc of each plain dtype in t, in order; for dtype |O
// and for bools it must write JSON itself. With nulls, NaN and NaT are null, otherwise they are strings.
func (x Texts) JSONFormat(t dtype.Type, nulls bool, leaf func(dtype.Type) (FormatFunc, error)) (FormatFunc, error) {
	switch {
	case t.IsSubarray():
		return x.jsonSubarray(t.SubShape(), t.Elem(), nulls, leaf)
	case t.IsStruct():
		return x.jsonObject(t, nulls, leaf)
	}
	format, err := leaf(t)
	switch {
	case err != nil:
		return nil, err
	case t.Kind() == dtype.KindBool, t.Kind() == dtype.KindObject:
		return format, nil
	case isJSONNumber(t) && !(x.Units && t.Kind() == dtype.KindTimedelta):
		format = numberFormat(format)
	default:
		format = stringFormat(format)
	}
	if nulls && IsMissing(t) {
		format = nullFormat(format)
	}
	return format, nil
}

// nullFormat replaces the strings for NaN and NaT by null.
func nullFormat(format FormatFunc) FormatFunc {
	return func(dst, item []byte) ([]byte, error) {
		start := len(dst)
		dst, err := format(dst, item)
		if text := dst[start:]; err == nil && len(text) == len(`"NaN"`) && (string(text) == `"NaN"` || string(text) == `"NaT"`) {
			dst = append(dst[:start], "null"...)
		}
		return dst, err
	}
}

// isJSONNumber reports whether the values of t are JSON numbers.
func isJSONNumber(t dtype.Type) bool {
	switch t.Kind() {
	case dtype.KindInt, dtype.KindUint, dtype.KindFloat, dtype.KindTimedelta:
		return true
	case dtype.KindDatetime:
		return t.Step().Unit == dtype.Generic
	case dtype.KindVoid:
		return IsNamedNumber(t)
	}
	return false
}

// numberFormat replaces values that JSON cannot express as numbers.
func numberFormat(format FormatFunc) FormatFunc {
	return func(dst, item []byte) ([]byte, error) {
		start := len(dst)
		dst, err := format(dst, item)
		if err != nil {
			return dst, err
		}
		return jsontext.CloseNumber(dst, start), nil
	}
}

func stringFormat(format FormatFunc) FormatFunc {
	return func(dst, item []byte) ([]byte, error) {
		start := len(dst)
		dst, err := format(append(dst, '"'), item)
		if err != nil {
			return dst[:start], err
		}
		return jsontext.CloseString(dst, start), nil
	}
}

// A member is a field of an object with its encoded key.
type member struct {
	key        []byte // {"a": or ,"b":
	start, end int
	format     FormatFunc
}

func (x Texts) jsonObject(t dtype.Type, nulls bool, leaf func(dtype.Type) (FormatFunc, error)) (FormatFunc, error) {
	var members []member
	for i, field := range t.Fields() {
		if !utf8.ValidString(field.Name) {
			return nil, fmt.Errorf("field name %q is not Unicode text; rename it", field.Name)
		}
		format, err := x.JSONFormat(field.DType, nulls, leaf)
		if err != nil {
			return nil, err
		}
		key := append(jsontext.AppendString([]byte{"{,"[min(i, 1)]}, field.Name), ':')
		members = append(members, member{key, field.Offset, field.Offset + field.DType.ItemSize(), format})
	}
	return func(dst, item []byte) ([]byte, error) {
		start := len(dst)
		if len(members) == 0 {
			dst = append(dst, '{')
		}
		for i := range members {
			m := &members[i]
			var err error
			if dst, err = m.format(append(dst, m.key...), item[m.start:m.end]); err != nil {
				return dst[:start], fmt.Errorf("field %s: %w", t.Field(i).Name, err)
			}
		}
		return append(dst, '}'), nil
	}, nil
}

// jsonSubarray returns the function that writes nested lists of elements.
func (x Texts) jsonSubarray(shape []int, t dtype.Type, nulls bool, leaf func(dtype.Type) (FormatFunc, error)) (FormatFunc, error) {
	if len(shape) == 0 {
		return x.JSONFormat(t, nulls, leaf)
	}
	format, err := x.jsonSubarray(shape[1:], t, nulls, leaf)
	if err != nil {
		return nil, err
	}
	size := t.ItemSize()
	for _, n := range shape[1:] {
		size *= n
	}
	return func(dst, item []byte) ([]byte, error) {
		dst = append(dst, '[')
		for i := range shape[0] {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err error
			if dst, err = format(dst, item[i*size:(i+1)*size]); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	}, nil
}

// A TokenFunc reads a JSON value into the bytes of one element, and reports whether it was null, which means NaN or
// NaT. Errors are of type [*Error].
type TokenFunc func(item []byte, token jsontext.Token) (missing bool, err error)

// JSONParser returns the function that reads a plain dtype from JSON, the reverse of [JSONFormat].
func (x Texts) JSONParser(t dtype.Type) (TokenFunc, error) {
	parse, err := x.Parser(t)
	if err != nil {
		return nil, err
	}
	return func(item []byte, token jsontext.Token) (bool, error) {
		switch {
		case token.Kind == jsontext.Null && IsMissing(t):
			return true, parse(item, "")
		case !takes(t, token):
			return false, &Error{Text: token.Text, DType: t, Err: errors.New("it is a JSON " + token.Kind.String())}
		}
		return false, parse(item, token.Text)
	}, nil
}

// takes reports whether a JSON value of this kind can be a value of the dtype.
func takes(t dtype.Type, token jsontext.Token) bool {
	switch kind := t.Kind(); token.Kind {
	case jsontext.Bool:
		return kind == dtype.KindBool
	case jsontext.Number:
		return isJSONNumber(t) || kind == dtype.KindComplex
	case jsontext.String:
		switch {
		case kind == dtype.KindBool:
			return false
		case !isJSONNumber(t):
			return true
		case kind == dtype.KindTimedelta:
			return true
		case kind == dtype.KindDatetime:
			return token.Text == "NaT"
		}
		return IsMissing(t) && jsontext.IsSpecial(token.Text)
	}
	return false
}
