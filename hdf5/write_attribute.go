package hdf5

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
)

// An attributeWriter makes messages of attributes, each name once.
type attributeWriter struct {
	heap  *heap
	names map[string]bool
}

// check returns the form of an attribute, or why it cannot be one. w.names gets its name.
func (w attributeWriter) check(a container.Attribute) (*form, error) {
	switch {
	case a.Err != nil:
		return nil, a.Err
	case a.Value == nil:
		return nil, errors.New("it has no value")
	case a.Name == "" || strings.Contains(a.Name, "\x00") || !utf8.ValidString(a.Name):
		return nil, errors.New("a name must be UTF-8 without NUL characters, and not empty")
	case w.names[a.Name]:
		return nil, errors.New("there are two of this name")
	case a.Value.NDim() > rankLimit:
		return nil, errRank(a.Value.NDim())
	}
	w.names[a.Name] = true
	f, err := arrayForm(a.Value)
	if err != nil {
		return nil, err
	}
	if size := attributeSize(a, f); size > maxMessage {
		return nil, fmt.Errorf("it takes %d bytes in the file, and the limit of HDF5 is %d; write it as an array: %w", size, maxMessage, errors.ErrUnsupported)
	}
	return f, nil
}

// attributeSize returns the size of the message of an attribute.
func attributeSize(a container.Attribute, f *form) int64 {
	head := 8 + alignedSize(int64(len(a.Name)+1)) + alignedSize(int64(len(f.message))) + 8 + 8*int64(a.Value.NDim())
	return head + alignedSize(int64(a.Value.Size())*int64(f.size))
}

// arrayForm returns the form of an array whose objects can be looked at.
func arrayForm(a *npy.Array) (*form, error) {
	utf8, err := isText(a)
	if err != nil {
		return nil, err
	}
	return formOf(a.DType(), utf8)
}

// add adds the message of an attribute to a header: version 1, or version 3 for a name that is not ASCII.
func (w attributeWriter) add(to *headerBuilder, a container.Attribute, f *form) error {
	data, err := f.encode(a.Value, w.heap)
	if err != nil {
		return err
	}
	space := dataspace(a.Value.Shape(), nil)
	plain := isASCII(a.Name)
	b := []byte{1, 0}
	if !plain {
		b[0] = 3
	}
	for _, n := range []int{len(a.Name) + 1, len(f.message), len(space)} {
		b = binary.LittleEndian.AppendUint16(b, uint16(n))
	}
	if !plain {
		b = append(b, 1) // UTF-8
	}
	for _, part := range [][]byte{append([]byte(a.Name), 0), f.message, space} {
		b = append(b, part...)
		if plain {
			b = append(b, make([]byte, alignedSize(int64(len(part)))-int64(len(part)))...)
		}
	}
	to.add(attributeMessage, append(b, data...), false)
	return nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func errRank(n int) error {
	return fmt.Errorf("%d dimensions, and the limit of HDF5 is %d: %w", n, rankLimit, errors.ErrUnsupported)
}
