package convert

import (
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
)

// A plainValue is a value without parts within an element, which is a column of a table.
type plainValue struct {
	name   string // outer.inner, x[0,1]; "" if the element itself is plain
	offset int    // within the element
	dtype  dtype.Type
	number int // index among the plain values, where all items of a subarray count as one
}

// columnsMax limits the plain values of a dtype: a subarray of items without bytes can have any number of items.
const columnsMax = 1 << 20

// plainValuesOf returns the plain values of a dtype, in the order of their offsets.
func plainValuesOf(t dtype.Type) ([]plainValue, error) {
	if n := elem.Volume(t, nil); n > columnsMax {
		return nil, bounded.Over("", 0, 0, "convert: an element of the dtype has more than %d values", columnsMax)
	}
	return appendPlain(nil, plainValue{dtype: t}), nil
}

func appendPlain(to []plainValue, l plainValue) []plainValue {
	switch t := l.dtype; {
	case t.IsSubarray():
		return appendItems(to, l)
	case t.IsStruct():
		number := l.number
		for _, f := range t.Fields() {
			to = appendPlain(to, plainValue{fields.Join(l.name, f.Name), l.offset + f.Offset, f.DType, number})
			number += countPlain(f.DType)
		}
		return to
	}
	return append(to, l)
}

// appendItems appends the plain values of a subarray, which is in C order.
func appendItems(to []plainValue, l plainValue) []plainValue {
	shape, elem := l.dtype.SubShape(), l.dtype.Elem()
	n := 1
	for _, d := range shape {
		n *= d
	}
	index := make([]int, len(shape))
	for i := range n {
		to = appendPlain(to, plainValue{subName(l.name, index), l.offset + i*elem.ItemSize(), elem, l.number})
		nextIndex(index, shape)
	}
	return to
}

// countPlain counts the plain values of t, where all items of a subarray count as one.
func countPlain(t dtype.Type) int {
	switch {
	case t.IsSubarray():
		return countPlain(t.Elem())
	case t.IsStruct():
		n := 0
		for i := range t.NumField() {
			n += countPlain(t.Field(i).DType)
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
