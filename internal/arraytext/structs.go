package arraytext

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/nd"
)

// A structFormat prints structs as tuples, each field in the format of its column (StructuredVoidFormat).
type structFormat struct {
	fields []fieldFormat
	budget *budget
}

type fieldFormat struct {
	itemFormat
	offset, end int
	open        bool // elements are measured in this round
}

func newStructFormat(f formats, t dtype.Type) *structFormat {
	s := &structFormat{budget: f.budget, fields: make([]fieldFormat, t.NumField())}
	for i := range s.fields {
		field := t.Field(i)
		s.fields[i] = fieldFormat{itemFormat: f.of(field.DType), offset: field.Offset, end: field.Offset + field.DType.ItemSize()}
	}
	return s
}

func (s *structFormat) next() bool {
	open := false
	for i := range s.fields {
		f := &s.fields[i]
		f.open = f.next()
		open = open || f.open
	}
	return open
}

func (s *structFormat) measure(item []byte) {
	s.budget.left -= len(s.fields)
	for _, f := range s.fields {
		if f.open {
			f.measure(item[f.offset:f.end])
		}
	}
}

func (s *structFormat) append(dst, item []byte) []byte {
	s.budget.left -= len(s.fields)
	dst = append(dst, '(')
	for i, f := range s.fields {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = f.append(dst, item[f.offset:f.end])
	}
	if len(s.fields) == 1 {
		dst = append(dst, ',')
	}
	return append(dst, ')')
}

// A subarrayFormat prints subarrays as lists (SubArrayFormat), within the budget.
type subarrayFormat struct {
	format    itemFormat
	shape     []int
	size      []int // of one position along each axis, in bytes
	separator string
	budget    *budget
}

func newSubarrayFormat(f formats, t dtype.Type) *subarrayFormat {
	f.alone = false
	s := &subarrayFormat{format: f.of(t.Elem()), shape: t.SubShape(), separator: f.separator, budget: f.budget}
	s.size = nd.Strides(s.shape, t.Elem().ItemSize(), false)
	return s
}

func (s *subarrayFormat) next() bool { return s.format.next() }

func (s *subarrayFormat) measure(item []byte) { s.measureAxis(0, item) }

func (s *subarrayFormat) measureAxis(axis int, item []byte) {
	if axis == len(s.shape) {
		s.format.measure(item)
		return
	}
	for i := range s.shape[axis] {
		if s.budget.left <= 0 {
			return
		}
		s.budget.left--
		s.measureAxis(axis+1, s.part(item, axis, i))
	}
}

// part returns the items at position i along an axis. An empty subarray has none, whatever its strides.
func (s *subarrayFormat) part(item []byte, axis, i int) []byte {
	if len(item) == 0 {
		return item
	}
	return item[i*s.size[axis] : (i+1)*s.size[axis]]
}

func (s *subarrayFormat) append(dst, item []byte) []byte { return s.appendAxis(dst, 0, item) }

func (s *subarrayFormat) appendAxis(dst []byte, axis int, item []byte) []byte {
	if axis == len(s.shape) {
		return s.format.append(dst, item)
	}
	dst = append(dst, '[')
	for i := range s.shape[axis] {
		if i > 0 {
			dst = append(dst, s.separator...)
		}
		if s.budget.left <= 0 {
			dst = append(dst, "..."...)
			break
		}
		s.budget.left--
		dst = s.appendAxis(dst, axis+1, s.part(item, axis, i))
	}
	return append(dst, ']')
}
