package codec

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/scalar"
)

// Strings returns the decoder of str, whose UCS-4 becomes UTF-8, and of bytes, which become the string of the same bytes.
// The strings of one call share memory.
func Strings(t dtype.Type) Decoder[string] {
	size := t.ItemSize()
	switch t.Kind() {
	case dtype.KindStr:
		big := t.ByteOrder() == dtype.BigEndian
		return func(dst []string, src []byte) error {
			var text []byte
			ends := make([]int, len(dst))
			for i := range dst {
				var err error
				if text, err = scalar.AppendUCS4(text, src[i*size:(i+1)*size], big); err != nil {
					return &ElementError{i, err}
				}
				ends[i] = len(text)
			}
			all, start := string(text), 0
			for i, end := range ends {
				dst[i] = all[start:end]
				start = end
			}
			return nil
		}
	case dtype.KindBytes:
		return func(dst []string, src []byte) error {
			all := string(src[:len(dst)*size])
			for i := range dst {
				dst[i] = strings.TrimRight(all[i*size:(i+1)*size], "\x00")
			}
			return nil
		}
	}
	return nil
}

// Bytes returns the decoder of bytes, without the NULs that pad them, and of void, unchanged. The slices of one call share
// memory. Their capacity is their length.
func Bytes(t dtype.Type) Decoder[[]byte] {
	if t.Kind() != dtype.KindBytes && !isVoid(t) {
		return nil
	}
	size := t.ItemSize()
	return func(dst [][]byte, src []byte) error {
		all := bytes.Clone(src[:len(dst)*size])
		for i := range dst {
			b := all[i*size : (i+1)*size]
			if t.Kind() == dtype.KindBytes {
				b = bytes.TrimRight(b, "\x00")
			}
			dst[i] = b[:len(b):len(b)]
		}
		return nil
	}
}

func isVoid(t dtype.Type) bool { return t.Kind() == dtype.KindVoid && !t.IsStruct() && !t.IsSubarray() }

// errTrailingNUL is the error for a text with trailing NULs, which would be lost.
var errTrailingNUL = errors.New("NumPy drops NULs at the end of strings and bytes, so the value would change; use dtype.Void for binary data")

// PutStrings returns the encoder of strings as str.
func PutStrings(t dtype.Type) Encoder[string] {
	size, big := t.ItemSize(), t.ByteOrder() == dtype.BigEndian
	if t.Kind() != dtype.KindStr {
		return nil
	}
	return func(dst []byte, src []string) error {
		for i, s := range src {
			if strings.HasSuffix(s, "\x00") {
				return &ElementError{i, errTrailingNUL}
			}
			if err := scalar.PutUCS4(dst[i*size:(i+1)*size], s, big); err != nil {
				return &ElementError{i, err}
			}
		}
		return nil
	}
}

// PutBytes returns the encoder of byte slices as bytes, padded with NULs, and as void, whose length the slices must
// have.
func PutBytes(t dtype.Type) Encoder[[]byte] {
	size, void := t.ItemSize(), isVoid(t)
	if t.Kind() != dtype.KindBytes && !void {
		return nil
	}
	return func(dst []byte, src [][]byte) error {
		for i, b := range src {
			switch {
			case void && len(b) != size:
				return &ElementError{i, fmt.Errorf("%d bytes given for dtype %s", len(b), t)}
			case len(b) > size:
				return &ElementError{i, fmt.Errorf("%d bytes are too long for dtype %s", len(b), t)}
			case !void && bytes.HasSuffix(b, []byte{0}):
				return &ElementError{i, errTrailingNUL}
			}
			clear(dst[i*size+copy(dst[i*size:], b) : (i+1)*size])
		}
		return nil
	}
}

// longestString returns the dtype of the longest string. As in NumPy it has at least one character.
func longestString(data []string) (dtype.Type, error) {
	n := 0
	for _, s := range data {
		n = max(n, scalar.UCS4Len(s))
	}
	if n > dtype.MaxItemSize/4 {
		return dtype.Type{}, diag.Errorf("npy", "a string of %d characters is longer than NumPy can store", n)
	}
	return dtype.Str(max(n, 1)), nil
}

// longestBytes returns the dtype of the longest byte slice. As in NumPy it has at least one byte.
func longestBytes(data [][]byte) (dtype.Type, error) {
	n := 0
	for _, b := range data {
		n = max(n, len(b))
	}
	if n > dtype.MaxItemSize {
		return dtype.Type{}, diag.Errorf("npy", "an element of %d bytes is longer than NumPy can store", n)
	}
	return dtype.Bytes(max(n, 1)), nil
}
