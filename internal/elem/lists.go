package elem

import (
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
)

// Lists writes the elements of an array in C order with the brackets and line breaks around them.
type Lists struct {
	format FormatFunc
	shape  []int
	index  []int // of the next element
	first  int   // axis of the outermost list; the axis before it, if any, is lines
	breaks int   // how many axes have a line break between their items
}

// NewLists returns Lists for an array, starting with the lists of axis first. The items of the outer breaks axes are
// separated by line breaks.
func NewLists(format FormatFunc, shape []int, first, breaks int) *Lists {
	return &Lists{format, shape, make([]int, len(shape)), first, breaks}
}

// Append appends one element, with the brackets that open before it and close after it.
func (l *Lists) Append(dst, item []byte) ([]byte, error) {
	open := len(l.index) // the outermost axis whose list begins with this element
	for open > 0 && l.index[open-1] == 0 {
		open--
	}
	for axis := max(open, l.first); axis < len(l.index); axis++ {
		dst = append(dst, '[')
	}
	dst, err := l.format(dst, item)
	if err != nil {
		return dst, err
	}
	for axis := len(l.index) - 1; axis >= 0; axis-- {
		if l.index[axis]++; l.index[axis] < l.shape[axis] {
			return l.separate(dst, axis), nil
		}
		l.index[axis] = 0
		dst = l.close(dst, axis)
	}
	return dst, nil
}

// separate appends the separator between two items of an axis.
func (l *Lists) separate(dst []byte, axis int) []byte {
	if axis < l.first {
		return append(dst, '\n')
	}
	dst = append(dst, ',')
	if axis < l.breaks {
		dst = append(dst, '\n')
		for range axis + 1 {
			dst = append(dst, ' ')
		}
	}
	return dst
}

func (l *Lists) close(dst []byte, axis int) []byte {
	if axis < l.first {
		return append(dst, '\n')
	}
	return append(dst, ']')
}

// AppendEmpty appends the lists of an array without elements. [Volume] returns their number.
func (l *Lists) AppendEmpty(dst []byte) []byte { return l.empty(dst, 0) }

func (l *Lists) empty(dst []byte, axis int) []byte {
	if axis == len(l.shape) {
		return dst
	}
	if axis >= l.first {
		dst = append(dst, '[')
	}
	for i := range l.shape[axis] {
		if i > 0 {
			dst = l.separate(dst, axis)
		}
		dst = l.empty(dst, axis+1)
	}
	if axis >= l.first || l.shape[axis] > 0 {
		dst = l.close(dst, axis)
	}
	return dst
}

const (
	emptyMax = 1 << 20 // values that may always be written
	perByte  = 1 << 10 // further values for each byte of elements
)

// Volume counts the values, lists and objects in the text of an array. If the rows have no bytes, a shape can have any
// number of them.
func Volume(t dtype.Type, shape []int) int {
	n := values(t)
	for axis := len(shape) - 1; axis >= 0; axis-- {
		n = Saturate(shape[axis], n, 1)
	}
	return n
}

// MaxVolume returns the number of values that may be written for an array of the given size in bytes.
func MaxVolume(bytes int) int { return Saturate(bytes, perByte, emptyMax) }

// EmptyVolume returns the number of values that exceed the bytes of the array; it may be negative.
func EmptyVolume(t dtype.Type, shape []int, bytes int) int {
	return Volume(t, shape) - Saturate(bytes, perByte, perByte)
}

// values counts the values, lists and objects in the text of one element.
func values(t dtype.Type) int {
	n := 1
	switch {
	case t.IsSubarray():
		n = values(t.Elem())
		shape := t.SubShape()
		for axis := len(shape) - 1; axis >= 0; axis-- {
			n = Saturate(shape[axis], n, 1)
		}
	case t.IsStruct():
		for i := range t.NumField() {
			n = Saturate(1, n, values(t.Field(i).DType))
		}
	}
	return n
}

// Saturate returns a*b+c, or the largest int if the result overflows.
func Saturate(a, b, c int) int {
	n, ok := bounded.Mul(a, b)
	if !ok || n > math.MaxInt-c {
		return math.MaxInt
	}
	return n + c
}
