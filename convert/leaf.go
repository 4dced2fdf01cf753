package convert

import (
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/elem"
)

// A leaf is a plain value within an element, which is a column of a table.
type leaf struct {
	name   string // outer.inner, x[0,1]; "" if the element itself is plain
	offset int    // within the element
	dtype  dtype.Type
	number int // index among the leaves, where all items of a subarray count as one
}

// columnsMax limits the leaves of a dtype: a subarray of items without bytes can have any number of items.
const columnsMax = 1 << 20

// leaves returns the plain values of a dtype, in the order of their offsets.
func leaves(t dtype.Type) ([]leaf, error) {
	if n := elem.Volume(t, nil); n > columnsMax {
		return nil, bounded.Over("", 0, 0, "convert: an element of the dtype has more than %d values", columnsMax)
	}
	return appendLeaves(nil, leaf{dtype: t}), nil
}

func appendLeaves(to []leaf, l leaf) []leaf {
	switch t := l.dtype; {
	case t.IsSubarray():
		return appendItems(to, l)
	case t.IsStruct():
		number := l.number
		for _, f := range t.Fields() {
			name := f.Name
			if l.name != "" {
				name = l.name + "." + f.Name
			}
			to = appendLeaves(to, leaf{name, l.offset + f.Offset, f.DType, number})
			number += plainValues(f.DType)
		}
		return to
	}
	return append(to, l)
}

// appendItems appends the leaves of a subarray, which is in C order.
func appendItems(to []leaf, l leaf) []leaf {
	shape, elem := l.dtype.SubShape(), l.dtype.Elem()
	n := 1
	for _, d := range shape {
		n *= d
	}
	index := make([]int, len(shape))
	for i := range n {
		to = appendLeaves(to, leaf{subName(l.name, index), l.offset + i*elem.ItemSize(), elem, l.number})
		nextIndex(index, shape)
	}
	return to
}

// plainValues counts the leaves of t, where all items of a subarray count as one.
func plainValues(t dtype.Type) int {
	switch {
	case t.IsSubarray():
		return plainValues(t.Elem())
	case t.IsStruct():
		n := 0
		for i := range t.NumField() {
			n += plainValues(t.Field(i).DType)
		}
		return n
	}
	return 1
}

func subName(name string, index []int) string {
	b := append([]byte(name), '[')
	for i, x := range index {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(x), 10)
	}
	return string(append(b, ']'))
}
