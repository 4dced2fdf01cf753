package plain

import (
	"fmt"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/escape"
)

// Dtypes whose length depends on the texts, "U" and "S" in NumPy, alone and within records.

// HasNoLength reports whether t has the length of its longest text: NumPy's "U" and "S".
func HasNoLength(t dtype.Type) bool { return t.IsValid() && elem.IsText(t) && t.ItemSize() == 0 }

// LacksLength reports whether t, or a dtype within t, has no length.
func LacksLength(t dtype.Type) bool {
	switch {
	case !t.IsValid():
		return false
	case t.IsSubarray():
		return LacksLength(t.Elem())
	case t.IsStruct():
		return slices.ContainsFunc(t.Fields(), func(f dtype.Field) bool { return LacksLength(f.DType) })
	}
	return HasNoLength(t)
}

// LengthFunc returns the function that measures texts for a dtype without length, and nil for other dtypes.
func LengthFunc(t dtype.Type) func(text string) int {
	switch {
	case !HasNoLength(t):
		return nil
	case t.Kind() == dtype.KindStr:
		return escape.StrLen
	}
	return escape.BytesLen
}

// Sized returns t with a length for every str and bytes without one. longest holds the longest text of each plain value, by
// its number. It may be short if there are no texts.
func Sized(t dtype.Type, longest []int) (dtype.Type, error) {
	switch {
	case t.IsSubarray():
		item, err := Sized(t.Elem(), longest)
		if err != nil {
			return t, err
		}
		return dtype.Subarray(item, t.SubShape()...)
	case t.IsStruct():
		return sizedStruct(t, longest)
	case HasNoLength(t) && len(longest) > 0:
		return WithLength(t, longest[0])
	}
	return t, nil
}

// sizedStruct moves the fields after a field that grows. Padding is kept.
func sizedStruct(t dtype.Type, longest []int) (dtype.Type, error) {
	fields, shift := t.Fields(), 0
	for i := range fields {
		f := &fields[i]
		d, err := Sized(f.DType, longest)
		if err != nil {
			return t, fmt.Errorf("field %s: %w", f.Name, err)
		}
		f.Offset += shift
		if shift += d.ItemSize() - f.DType.ItemSize(); shift > dtype.MaxItemSize {
			return t, bounded.Over("", dtype.MaxItemSize, 0, "a record takes more than %d bytes", dtype.MaxItemSize)
		}
		f.DType = d
		longest = longest[min(Count(d), len(longest)):]
	}
	return dtype.Struct(t.ItemSize()+shift, fields...)
}

// WithLength returns t, a str or bytes dtype, with length n.
func WithLength(t dtype.Type, n int) (dtype.Type, error) {
	if n == 0 {
		return t, nil
	}
	if t.Kind() == dtype.KindStr {
		u, err := Str(n)
		if err != nil {
			return t, err
		}
		return u.WithByteOrder(t.ByteOrder()), nil
	}
	if n > dtype.MaxItemSize {
		return t, fmt.Errorf("text of %d bytes is longer than an element can be", n)
	}
	return dtype.Bytes(n), nil
}

// Str returns the str dtype for texts of up to n characters.
func Str(n int) (dtype.Type, error) {
	if n > dtype.MaxItemSize/4 {
		return dtype.Type{}, fmt.Errorf("text of %d characters is longer than a str can be", n)
	}
	return dtype.Str(max(n, 1)), nil // at least one character, as in NumPy
}
