package elem

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/jsontext"
)

// AppendJSON appends elements of dtype t as nested lists without line breaks; items yields the elements in C order.
// format writes one element, as the functions of [JSONFormat] do. bytes is the size of all elements: for a shape that
// asks for far more text AppendJSON returns an error that wraps [bounded.ErrLimit].
func AppendJSON(dst []byte, t dtype.Type, format FormatFunc, shape []int, bytes int, items func(yield func([]byte) bool)) ([]byte, error) {
	if limit := MaxVolume(bytes); Volume(t, shape) > limit {
		return dst, bounded.Over("", limit, 0, "%d bytes of elements would be written as more than %d values", bytes, limit)
	}
	lists := NewLists(format, shape, 0, 0)
	if slices.Contains(shape, 0) {
		return lists.AppendEmpty(dst), nil
	}
	var err error
	for item := range items {
		if dst, err = lists.Append(dst, item); err != nil {
			break
		}
	}
	return dst, err
}

// ParseJSON reads an array of dtype t, the reverse of [AppendJSON]: its elements in C order and its shape, which is the nesting
// of the lists. Each element takes at least one byte of the text and each list two, so that memory is bounded by the length
// of text and the item size. Errors name the byte and the place within the lists.
func ParseJSON(t dtype.Type, text string) (data []byte, shape []int, err error) {
	r := &arrayReader{size: t.ItemSize(), ndim: -1}
	r.Text, r.End = text, len(text)
	r.Failed = func(at int, err error) error { return &jsonError{at: at, err: err} }
	if r.value, err = r.valueOf(t); err != nil {
		return nil, nil, err
	}
	if err = r.array(0); err == nil {
		if r.Peek(); r.Pos < r.End {
			err = r.Fail(r.Pos, "text after the value")
		}
	}
	return r.data, r.shape, err
}

// A jsonError reports where JSON is malformed.
type jsonError struct {
	at   int
	path string // [2].x
	err  error
}

func (e *jsonError) Error() string {
	if e.path == "" {
		return fmt.Sprintf("byte %d of JSON: %v", e.at, e.err)
	}
	return fmt.Sprintf("byte %d of JSON (%s): %v", e.at, e.path, e.err)
}

func (e *jsonError) Unwrap() error { return e.err }

// inItem adds an index to the path of an error.
func inItem(err error, i int) error { return inStep(err, "["+strconv.Itoa(i)+"]") }

func inStep(err error, step string) error {
	if e, ok := err.(*jsonError); ok {
		e.path = step + e.path
	}
	return err
}

// An arrayReader reads nested lists. The first list of each depth sets the length of that axis.
type arrayReader struct {
	jsontext.Scanner
	shape []int
	ndim  int // -1 until the first element or empty list
	value valueFunc
	size  int
	data  []byte
}

// A valueFunc reads a JSON value into the bytes of one element, which are zero.
type valueFunc func(item []byte) error

// array reads a list of an axis, or an element after the last axis.
func (r *arrayReader) array(axis int) error {
	c := r.Peek()
	switch {
	case axis == r.ndim, r.ndim < 0 && c != '[':
		r.ndim = axis
		start := len(r.data)
		r.data = slices.Grow(r.data, r.size)[:start+r.size]
		clear(r.data[start:])
		return r.value(r.data[start:])
	case c != '[':
		return r.Unexpected("a list")
	case axis == dtype.MaxDims:
		return r.Fail(r.Pos, "more than %d lists within each other: an array has at most %[1]d dimensions", dtype.MaxDims)
	}
	start := r.Pos
	if axis == len(r.shape) {
		r.shape = append(r.shape, -1)
	}
	n, err := r.list(func(int) error { return r.array(axis + 1) })
	switch {
	case err != nil:
		return err
	case r.shape[axis] < 0:
		r.shape[axis] = n
		if r.ndim < 0 {
			r.ndim = len(r.shape)
		}
	case r.shape[axis] != n:
		return r.Fail(start, "a list of length %d, want %d: all lists of an axis have the same length", n, r.shape[axis])
	}
	return nil
}

// list reads a list and returns its length; item reads each item.
func (r *arrayReader) list(item func(i int) error) (n int, err error) {
	if err := r.Enter(); err != nil {
		return 0, err
	}
	for ; ; n++ {
		more, err := r.Item(n, ']')
		if err != nil {
			return n, err
		}
		if !more {
			r.Leave()
			return n, nil
		}
		if err := item(n); err != nil {
			return n, inItem(err, n)
		}
	}
}

// valueOf returns the function that reads values of a dtype.
func (r *arrayReader) valueOf(t dtype.Type) (valueFunc, error) {
	switch {
	case t.IsSubarray():
		return r.subarray(t.SubShape(), t.Elem())
	case t.IsStruct():
		return r.object(t)
	}
	parse, err := Texts{}.JSONParser(t)
	if err != nil {
		return nil, err
	}
	return func(item []byte) error {
		switch r.Peek() {
		case '[', '{':
			return r.Unexpected(withArticle(t))
		}
		token, err := r.Token()
		if err != nil {
			return err
		}
		if _, err = parse(item, token); err != nil {
			return r.Fail(token.At, "%w", err)
		}
		return nil
	}, nil
}

func (r *arrayReader) subarray(shape []int, t dtype.Type) (valueFunc, error) {
	if len(shape) == 0 {
		return r.valueOf(t)
	}
	value, err := r.subarray(shape[1:], t)
	if err != nil {
		return nil, err
	}
	size := t.ItemSize()
	for _, n := range shape[1:] {
		size *= n
	}
	return func(item []byte) error {
		if r.Peek() != '[' {
			return r.Unexpected("a list")
		}
		start := r.Pos
		n, err := r.list(func(i int) error {
			if i >= shape[0] {
				return r.Fail(r.Pos, "a list of more than %d items", shape[0])
			}
			return value(item[i*size : (i+1)*size])
		})
		if err == nil && n < shape[0] {
			err = r.Fail(start, "a list of length %d, want %d", n, shape[0])
		}
		return err
	}, nil
}

// object returns the function that reads records: objects with all fields, in any order.
func (r *arrayReader) object(t dtype.Type) (valueFunc, error) {
	fields := t.Fields()
	values, byName := make([]valueFunc, len(fields)), make(map[string]int, len(fields))
	for i, f := range fields {
		var err error
		if values[i], err = r.valueOf(f.DType); err != nil {
			return nil, err
		}
		byName[f.Name] = i
	}
	seen, objects := make([]int, len(fields)), 0 // the number of the object that had each field last
	return func(item []byte) error {
		if r.Peek() != '{' {
			return r.Unexpected("an object")
		}
		start := r.Pos
		objects++
		object := objects
		err := r.Members(func(key string, at int) error {
			i, ok := byName[key]
			switch {
			case !ok:
				return r.Fail(at, "key %s is not a field of the dtype", Quote(key))
			case seen[i] == object:
				return r.Fail(at, "key %s is repeated", Quote(key))
			}
			seen[i] = object
			f := fields[i]
			return inStep(values[i](item[f.Offset:f.Offset+f.DType.ItemSize()]), "."+Quote(key))
		})
		if err != nil {
			return err
		}
		for i, f := range fields {
			if seen[i] != object {
				return r.Fail(start, "key %s is missing", Quote(f.Name))
			}
		}
		return nil
	}, nil
}
