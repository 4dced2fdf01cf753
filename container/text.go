package container

import (
	"fmt"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/scalar"
)

// A text of fixed length takes the place of the longest for every element. Up to freeText bytes that does not matter, and beyond
// them textRatio is the limit for the bytes of all elements divided by the bytes of the texts.
const (
	freeText  = 1 << 20
	textRatio = 64
)

// fixedText returns an array whose Python objects are texts with texts of a fixed length in their place, dtype <U. Objects that
// are no text, and texts that NumPy would give back changed, are an error.
func fixedText(a *npy.Array) (*npy.Array, error) {
	stored := 0
	t, err := fixedType(a, &stored)
	if err != nil {
		return nil, err
	}
	if n, ok := bounded.Mul(a.Size(), t.ItemSize()); !ok || n > freeText && n/textRatio > stored {
		return nil, fmt.Errorf("%d texts, the longest of which takes %d bytes in each element, would be %d times as large: write them as Python objects, with an npy.Encoder that has Objects", a.Size(), t.ItemSize(), n/max(stored, 1))
	}
	out, err := npy.New(t, a.Shape()...)
	if err != nil {
		return nil, err
	}
	return out, copyFixed(out, a)
}

// fixedType returns the dtype of elements whose objects become texts of a fixed length. stored counts the bytes of the texts.
func fixedType(a *npy.Array, stored *int) (dtype.Type, error) {
	t := a.DType()
	switch {
	case !t.HasObject():
		return t, nil
	case t.IsStruct():
		return fixedStruct(a, stored)
	}
	objects, err := a.Objects()
	if err != nil {
		return t, err
	}
	longest := 1
	for i, x := range objects {
		text, ok := x.(string)
		if !ok {
			return t, fmt.Errorf("element %d is a %T, which only an npy.Encoder with Objects can write: %w", i, x, npy.ErrObjects)
		}
		if strings.HasSuffix(text, "\x00") {
			return t, fmt.Errorf("element %d is a text that ends with a NUL, which only an npy.Encoder with Objects can write: %w", i, npy.ErrObjects)
		}
		longest = max(longest, scalar.UCS4Len(text))
		*stored += len(text)
	}
	if longest > dtype.MaxItemSize/4 {
		return t, fmt.Errorf("a text of %d characters is longer than NumPy's str can be", longest)
	}
	return dtype.Str(longest), nil
}

// fixedStruct is fixedType for structs, whose fields follow each other in the result.
func fixedStruct(a *npy.Array, stored *int) (dtype.Type, error) {
	var fields []dtype.Field
	size := 0
	for _, f := range a.DType().Fields() {
		column, err := a.Field(f.Name)
		if err != nil {
			return a.DType(), err
		}
		t, err := fixedType(column, stored)
		if err == nil && f.DType.IsSubarray() {
			t, err = dtype.Subarray(t, f.DType.SubShape()...)
		}
		if err != nil {
			return a.DType(), fmt.Errorf("field %q: %w", f.Name, err)
		}
		fields = append(fields, dtype.Field{Name: f.Name, Title: f.Title, DType: t, Offset: size})
		if size += t.ItemSize(); size > dtype.MaxItemSize {
			return a.DType(), fmt.Errorf("records of more than %d bytes", dtype.MaxItemSize)
		}
	}
	return dtype.Struct(size, fields...)
}

// copyFixed copies elements to an array of the dtype of fixedType.
func copyFixed(to, from *npy.Array) error {
	t := from.DType()
	if t.IsStruct() && t.HasObject() {
		for _, f := range t.Fields() {
			a, err := to.Field(f.Name)
			if err != nil {
				return err
			}
			b, err := from.Field(f.Name)
			if err != nil {
				return err
			}
			if err := copyFixed(a, b); err != nil {
				return err
			}
		}
		return nil
	}
	shape, big := to.Shape(), to.DType().ByteOrder() == dtype.BigEndian
	for i := range to.Size() {
		index := nd.Unravel(int64(i), shape)
		if !t.HasObject() {
			copy(to.Item(index...), from.Item(index...))
		} else if err := scalar.PutUCS4(to.Item(index...), from.Object(index...).(string), big); err != nil {
			return err
		}
	}
	return nil
}
