package npy

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
)

// castText returns the elements of an array of objects, all of them str, with another dtype: as StringDType of NumPy 2 is
// converted. With SafeCasting a missing value, None or NaN, is an error; other castings take its text. UnsafeCasting cuts what
// is too long, and converts the text further.
func (a *Array) castText(t dtype.Type, casting Casting) (*Array, error) {
	if a.dtype.Kind() != dtype.KindObject {
		return nil, errNoText
	}
	texts := make([]string, 0, a.Size())
	for item := range a.items() {
		v := a.objects.get(item)
		s, ok := v.(string)
		if !ok && casting != SafeCasting {
			s, ok = missingText(v)
		}
		if !ok {
			return nil, fmt.Errorf("npy: element %s is %s, where dtype %s takes a str",
				indexText(len(texts), a.shape), describeObject(v), t)
		}
		texts = append(texts, s)
	}
	shape := append([]int{}, a.shape...) // never nil
	switch kind := t.Kind(); {
	case kind == dtype.KindStr:
		if t.ItemSize() == 0 {
			t = dtype.Str(max(longest(texts), 1)).WithByteOrder(t.ByteOrder())
		} else if casting == UnsafeCasting {
			cutTexts(texts, t.ItemSize()/4)
		}
		return FromSliceAs(t, texts, shape...)
	case kind == dtype.KindBytes:
		return bytesOf(t, texts, shape, casting == UnsafeCasting)
	case casting != UnsafeCasting:
		return nil, fmt.Errorf("npy: str becomes dtype %s by unsafe casting only", t)
	}
	b, err := FromSliceAs(dtype.Str(max(longest(texts), 1)), texts, shape...)
	if err != nil {
		return nil, err
	}
	return b.Cast(t, casting)
}

var errNoText = errors.New("npy: structs with objects become no other dtype; take one field")

// missingText returns the text of what StringDType commonly has for a missing value.
func missingText(v any) (string, bool) {
	if v == nil {
		return "None", true
	}
	f, ok := v.(float64)
	return "nan", ok && math.IsNaN(f)
}

// longest returns the number of characters of the longest text, 0 of none.
func longest(texts []string) int {
	n := 0
	for _, s := range texts {
		n = max(n, utf8.RuneCountInString(s))
	}
	return n
}

// cutTexts cuts texts to n characters each.
func cutTexts(texts []string, n int) {
	for i, s := range texts {
		count := 0
		for at := range s {
			if count == n {
				texts[i] = s[:at]
				break
			}
			count++
		}
	}
}

// bytesOf returns texts that are ASCII as an array of bytes.
func bytesOf(t dtype.Type, texts []string, shape []int, cut bool) (*Array, error) {
	if n := longest(texts); t.ItemSize() == 0 {
		t = dtype.Bytes(max(n, 1))
	} else if cut {
		cutTexts(texts, t.ItemSize())
	}
	data := make([][]byte, len(texts))
	for i, s := range texts {
		for _, c := range []byte(s) {
			if c >= utf8.RuneSelf {
				return nil, fmt.Errorf("npy: element %s is %q, which is not ASCII, for dtype %s", indexText(i, shape), s, t)
			}
		}
		data[i] = []byte(s)
	}
	return FromSliceAs(t, data, shape...)
}
