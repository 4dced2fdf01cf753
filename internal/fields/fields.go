// Package fields finds the plain fields of a dtype, fields without fields of their own, and where their items are within
// an element.
package fields

import (
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
)

// A Place is where the items of a field are within an element.
type Place struct {
	DType   dtype.Type // of an item
	Offset  int        // of the first item, in bytes from the start of the element
	Dims    []int      // of the enclosing subarrays, outermost first
	Strides []int      // in bytes, one per axis of Dims
}

// Enter returns the place of the items of a subarray. A place that is no subarray stays as it is.
func (p Place) Enter() Place {
	for p.DType.IsSubarray() {
		stride := p.DType.ItemSize()
		for _, n := range p.DType.SubShape() {
			stride /= max(n, 1)
			p.Dims, p.Strides = append(slices.Clip(p.Dims), n), append(slices.Clip(p.Strides), stride)
		}
		p.DType = p.DType.Elem()
	}
	return p
}

// In returns the place of a field of the struct at p.
func (p Place) In(f dtype.Field) Place {
	p.DType, p.Offset = f.DType, p.Offset+f.Offset
	return p
}

// Items returns the items of n elements in data, each of size bytes, as contiguous bytes. They are copied to buf unless
// they are contiguous in data.
func (p Place) Items(buf *[]byte, data []byte, n, size int) []byte {
	item := p.DType.ItemSize()
	if item == size {
		return data
	}
	shape := append([]int{n}, p.Dims...)
	strides := make([]int, len(shape))
	step := item
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = step
		step *= shape[i]
	}
	if step == 0 {
		return nil
	}
	if cap(*buf) < step {
		*buf = bulk.Make(step)
	}
	bulk.CopyBytes((*buf)[:step], 0, strides, data, p.Offset, append([]int{size}, p.Strides...), shape, item)
	return (*buf)[:step]
}

// A Field is a plain field.
type Field struct {
	Name string // dotted if nested: "outer.inner"; "" for a dtype without fields
	Place
}

// Of returns the plain fields of t, in the order of the dtype.
func Of(t dtype.Type) []Field {
	return appendTo(make([]Field, 0, max(t.NumField(), 1)), Field{Place: Place{DType: t}})
}

func appendTo(all []Field, f Field) []Field {
	f.Place = f.Enter()
	if !f.DType.IsStruct() {
		return append(all, f)
	}
	for _, inner := range f.DType.Fields() {
		all = appendTo(all, Field{Join(f.Name, inner.Name), f.In(inner)})
	}
	return all
}

// Join returns the dotted name of a field within a field. The outer name is "" for a field of the element itself.
func Join(outer, name string) string {
	if outer == "" {
		return name
	}
	return outer + "." + name
}
