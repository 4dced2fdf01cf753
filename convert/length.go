package convert

import (
	"fmt"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/escape"
)

// What becomes of dtypes that leave the length of texts to the texts, "U" and "S" in NumPy: alone, and within records.

// hasNoLength reports whether t stands for as many characters as there are: NumPy's "U" and "S".
func hasNoLength(t dtype.Type) bool { return t.IsValid() && elem.IsText(t) && t.ItemSize() == 0 }

// lacksLength reports whether t is such a dtype or has one in it.
func lacksLength(t dtype.Type) bool {
	switch {
	case !t.IsValid():
		return false
	case t.IsSubarray():
		return lacksLength(t.Elem())
	case t.IsStruct():
		return slices.ContainsFunc(t.Fields(), func(f dtype.Field) bool { return lacksLength(f.DType) })
	}
	return hasNoLength(t)
}

// lengthFunc returns what measures the texts of such a dtype, nil for others.
func lengthFunc(t dtype.Type) func(text string) int {
	switch {
	case !hasNoLength(t):
		return nil
	case t.Kind() == dtype.KindStr:
		return escape.StrLen
	}
	return escape.BytesLen
}

// sized returns t with a length for every str and bytes in it that has none. longest is that of the texts of each leaf,
// by its number; where there are no texts it may be short.
func sized(t dtype.Type, longest []int) (dtype.Type, error) {
	switch {
	case t.IsSubarray():
		item, err := sized(t.Elem(), longest)
		if err != nil {
			return t, err
		}
		return dtype.Subarray(item, t.SubShape()...)
	case t.IsStruct():
		return sizedStruct(t, longest)
	case hasNoLength(t) && len(longest) > 0:
		return withLength(t, longest[0])
	}
	return t, nil
}

// sizedStruct moves the fields behind those that grow. Padding stays.
func sizedStruct(t dtype.Type, longest []int) (dtype.Type, error) {
	fields, shift := t.Fields(), 0
	for i := range fields {
		f := &fields[i]
		d, err := sized(f.DType, longest)
		if err != nil {
			return t, fmt.Errorf("field %s: %w", f.Name, err)
		}
		f.Offset += shift
		if shift += d.ItemSize() - f.DType.ItemSize(); shift > dtype.MaxItemSize {
			return t, bounded.Over("", dtype.MaxItemSize, 0, "a record takes more than %d bytes", dtype.MaxItemSize)
		}
		f.DType = d
		longest = longest[min(plainValues(d), len(longest)):]
	}
	return dtype.Struct(t.ItemSize()+shift, fields...)
}

// withLength returns the str or bytes dtype that t stands for, given the longest text.
func withLength(t dtype.Type, n int) (dtype.Type, error) {
	if n == 0 {
		return t, nil
	}
	if t.Kind() == dtype.KindStr {
		u, err := strOf(n)
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
