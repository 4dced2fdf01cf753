package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/pylit"
)

// Append appends the header as NumPy writes it (_write_array_header, numpy 2.x), from the magic string to the newline
// before the data. If h.Version is zero, Append uses the oldest version that can hold the header: 1.0 unless the text
// is longer than 65,524 bytes or a field name is outside Latin-1.
//
// The error names the part of the header that the requested version cannot hold.
func (h Header) Append(dst []byte) ([]byte, error) {
	if err := h.Validate(); err != nil {
		return dst, err
	}
	text := h.appendText(nil)
	if h.Version != (Version{}) {
		return appendVersion(dst, h.Version, text)
	}
	for _, v := range [...]Version{V1, V2} {
		out, err := appendVersion(dst, v, text)
		if err == nil {
			return out, nil
		}
	}
	return appendVersion(dst, V3, text)
}

// appendText writes the dict: sorted keys, a comma after each value, and spaces in which the dimension of an append can
// grow in place. This is the last dimension in Fortran order, else the first.
func (h Header) appendText(dst []byte) []byte {
	dst = append(dst, "{'descr': "...)
	dst = h.DType.AppendDescr(dst)
	dst = append(dst, ", 'fortran_order': "...)
	if h.FortranOrder {
		dst = append(dst, "True"...)
	} else {
		dst = append(dst, "False"...)
	}
	dst = append(dst, ", 'shape': "...)
	dst = pylit.AppendInts(dst, h.Shape)
	dst = append(dst, ", }"...)
	if len(h.Shape) == 0 {
		return dst
	}
	growing := h.Shape[0]
	if h.FortranOrder {
		growing = h.Shape[len(h.Shape)-1]
	}
	return appendSpaces(dst, GrowthAxisMaxDigits-len(strconv.Itoa(growing)))
}

// appendVersion writes the prefix, the text, spaces up to the alignment, and the newline. If the text ends exactly at
// the alignment NumPy adds a whole block of spaces, so there is always at least one space.
func appendVersion(dst []byte, v Version, text []byte) ([]byte, error) {
	if !v.IsKnown() {
		return dst, diag.Errorf("npy", "version %s cannot be written, want 1.0, 2.0 or 3.0", v)
	}
	if v != V3 {
		latin, err := toLatin1(text)
		if err != nil {
			return dst, diag.Errorf("npy", "version %s cannot hold the header: %w; use version 3.0", v, err)
		}
		text = latin
	}
	used := v.prefixLen() + len(text) + 1
	pad := ArrayAlign - used%ArrayAlign
	length := len(text) + 1 + pad
	if v == V1 && length > math.MaxUint16 || uint64(length) > math.MaxUint32 {
		return dst, diag.Errorf("npy", "header of %d bytes is too long for version %s", length, v)
	}
	dst = append(dst, Magic...)
	dst = append(dst, v.Major, v.Minor)
	if v == V1 {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(length))
	} else {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(length))
	}
	dst = append(dst, text...)
	dst = appendSpaces(dst, pad)
	return append(dst, '\n'), nil
}

var errNotLatin1 = errors.New("character outside Latin-1")

// toLatin1 encodes UTF-8 text as one byte per character.
func toLatin1(text []byte) ([]byte, error) {
	latin := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r > math.MaxUint8 {
			return nil, fmt.Errorf("%w: %q", errNotLatin1, r)
		}
		latin = append(latin, byte(r))
		i += n
	}
	return latin, nil
}

// fromLatin1 decodes Latin-1 to UTF-8. ASCII text costs one copy.
func fromLatin1(b []byte) string {
	for i, c := range b {
		if c >= utf8.RuneSelf {
			text := append(make([]byte, 0, len(b)+16), b[:i]...)
			for _, c := range b[i:] {
				text = utf8.AppendRune(text, rune(c))
			}
			return string(text)
		}
	}
	return string(b)
}

func appendSpaces(dst []byte, n int) []byte {
	if n <= 0 {
		return dst
	}
	return append(dst, bytes.Repeat([]byte{' '}, n)...)
}
