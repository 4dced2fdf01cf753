package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/scalar"
)

// data reads the elements in blocks, and checks elements that can be invalid.
func (v *Verifier) data(r io.Reader, h format.Header) error {
	size, left := h.DType.ItemSize(), h.Size()
	if size == 0 || left == 0 {
		return nil
	}
	texts := hasText(h.DType)
	var buf bytes.Buffer // grows as the bytes of a large element arrive
	for done := 0; left > 0; {
		n := min(left, max(1<<20/size, 1))
		var to io.Writer = &buf
		if buf.Reset(); !texts {
			to = io.Discard
		}
		m, err := io.CopyN(to, r, int64(n)*int64(size))
		if err != nil {
			have := int64(done)*int64(size) + m
			if err == io.EOF {
				err = fmt.Errorf("the data ends after %d of %d bytes%s", have, h.NBytes(), v.wayOut(have))
			}
			return &format.Error{Offset: h.DataOffset + have, Err: err}
		}
		if texts {
			if err := checkText(h, buf.Bytes(), done); err != nil {
				return err
			}
		}
		left, done = left-n, done+n
	}
	return nil
}

// hasText reports whether t contains characters: the only elements for which some byte patterns are invalid.
func hasText(t dtype.Type) bool {
	if t.IsSubarray() {
		return hasText(t.Elem())
	}
	for _, f := range t.Fields() {
		if hasText(f.DType) {
			return true
		}
	}
	return t.Kind() == dtype.KindStr
}

// checkText looks for invalid code points in whole elements. The first element has number first.
func checkText(h format.Header, data []byte, first int) error {
	size := h.DType.ItemSize()
	for i := 0; i < len(data); i += size {
		if at, err := badText(h.DType, data[i:i+size]); err != nil {
			element := first + i/size
			return &format.Error{Offset: h.DataOffset + int64(element)*int64(size) + int64(at), Err: fmt.Errorf("element %d: %w", element, err)}
		}
	}
	return nil
}

// badText returns the offset of the first invalid character in an element.
func badText(t dtype.Type, item []byte) (int, error) {
	switch {
	case t.IsSubarray():
		elem := t.Elem()
		for at := 0; elem.ItemSize() > 0 && at < len(item); at += elem.ItemSize() {
			if bad, err := badText(elem, item[at:at+elem.ItemSize()]); err != nil {
				return at + bad, err
			}
		}
	case t.Kind() == dtype.KindStr:
		_, err := scalar.AppendUCS4(nil, item, t.ByteOrder() == dtype.BigEndian)
		var bad *scalar.CodePointError
		if errors.As(err, &bad) {
			return 4 * bad.Index, fmt.Errorf("character %d is 0x%x, beyond the last code point 0x10ffff", bad.Index, bad.Value)
		}
	}
	for _, f := range t.Fields() {
		if at, err := badText(f.DType, item[f.Offset:f.Offset+f.DType.ItemSize()]); err != nil {
			return f.Offset + at, fmt.Errorf("field %q: %w", f.Name, err)
		}
	}
	return 0, nil
}
