package plain

import (
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
)

// A Value is a value without parts within an element, which is a column of a table.
type Value struct {
	Name   string // outer.inner, x[0,1]; "" if the element itself is plain
	Offset int    // within the element
	DType  dtype.Type
	Number int // index among the plain values, where all items of a subarray count as one
}

// columnsMax limits the plain values of a dtype: a subarray of items without bytes can have any number of items.
const columnsMax = 1 << 20

// namesMax limits the names of the plain values: a long name of a subarray is the beginning of the name of each item.
const namesMax = 64 << 20

// ValuesOf returns the plain values of a dtype, in the order of their offsets.
func ValuesOf(t dtype.Type) ([]Value, error) {
	if n := elem.Volume(t, nil); n > columnsMax {
		return nil, diag.Wrap("convert", bounded.Over("", 0, 0, "an element of the dtype has more than %d values", columnsMax))
	}
	if _, n := namesOf(t); n > namesMax {
		return nil, diag.Wrap("convert", bounded.Over("", 0, 0, "the names of all columns take %d bytes, over %d, as each has the names of the fields around it: select fields, or write .json", n, namesMax))
	}
	return appendPlain(nil, Value{DType: t}), nil
}

// namesOf returns the number of plain values of t and the length of their names.
func namesOf(t dtype.Type) (count, bytes int) {
	switch {
	case t.IsSubarray():
		count, bytes = namesOf(t.Elem())
		bytes = elem.Saturate(count, len(subName("", t.SubShape())), bytes)
		for _, d := range t.SubShape() {
			count, bytes = elem.Saturate(count, d, 0), elem.Saturate(bytes, d, 0)
		}
		return count, bytes
	case t.IsStruct():
		for i := range t.NumField() {
			f := t.Field(i)
			n, inner := namesOf(f.DType)
			count += n // ValuesOf has counted the values
			bytes = elem.Saturate(1, elem.Saturate(n, len(f.Name)+len("."), inner), bytes)
		}
		return count, bytes
	}
	return 1, 0
}

func appendPlain(to []Value, l Value) []Value {
	switch t := l.DType; {
	case t.IsSubarray():
		return appendItems(to, l)
	case t.IsStruct():
		number := l.Number
		for _, f := range t.Fields() {
			to = appendPlain(to, Value{fields.Join(l.Name, f.Name), l.Offset + f.Offset, f.DType, number})
			number += Count(f.DType)
		}
		return to
	}
	return append(to, l)
}

// appendItems appends the plain values of a subarray, which is in C order.
func appendItems(to []Value, l Value) []Value {
	shape, elem := l.DType.SubShape(), l.DType.Elem()
	n := 1
	for _, d := range shape {
		n *= d
	}
	index := make([]int, len(shape))
	for i := range n {
		to = appendPlain(to, Value{subName(l.Name, index), l.Offset + i*elem.ItemSize(), elem, l.Number})
		NextIndex(index, shape)
	}
	return to
}

// Count counts the plain values of t, where all items of a subarray count as one.
func Count(t dtype.Type) int {
	switch {
	case t.IsSubarray():
		return Count(t.Elem())
	case t.IsStruct():
		n := 0
		for i := range t.NumField() {
			n += Count(t.Field(i).DType)
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

// NextIndex advances to the next element in C order.
func NextIndex(index, shape []int) {
	for axis := len(index) - 1; axis >= 0; axis-- {
		if index[axis]++; index[axis] < shape[axis] {
			return
		}
		index[axis] = 0
	}
}
