package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
)

// A place describes where the items of a field are within an element of one array.
type place struct {
	t       dtype.Type // of an item
	offset  int        // of the first item, in bytes from the start of the element
	dims    []int      // of the enclosing subarrays, outermost first
	strides []int      // in bytes, one per axis of dims
}

// enter returns the place of the items of a subarray.
func (p place) enter() place {
	for p.t.IsSubarray() {
		stride := p.t.ItemSize()
		for _, n := range p.t.SubShape() {
			stride /= max(n, 1)
			p.dims, p.strides = append(slices.Clip(p.dims), n), append(slices.Clip(p.strides), stride)
		}
		p.t = p.t.Elem()
	}
	return p
}

func (p place) field(f dtype.Field) place {
	p.t, p.offset = f.DType, p.offset+f.Offset
	return p
}

// items returns the items of n elements in data, each of size bytes, as contiguous bytes. They are copied to buf unless
// they are contiguous in data.
func (p place) items(buf *[]byte, data []byte, n, size int) []byte {
	item := p.t.ItemSize()
	if item == size {
		return data
	}
	shape := append([]int{n}, p.dims...)
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
	bulk.CopyBytes((*buf)[:step], 0, strides, data, p.offset, append([]int{size}, p.strides...), shape, item)
	return (*buf)[:step]
}

// A leaf is a field of both arrays without fields of its own.
type leaf struct {
	name   string
	path   []string // the field names that lead to it
	a, b   place
	items  int // per element
	kernel kernel
	same   bool // equal bytes are equal values
	reason string
}

// A pairing finds the leaves of two dtypes, by field names.
type pairing struct {
	result *Result
	leaves []leaf
}

// pair pairs the fields at a place of each dtype.
func (p *pairing) pair(name string, path []string, a, b place) {
	a, b = a.enter(), b.enter()
	l := leaf{name: name, path: path, a: a, b: b, items: 1}
	switch {
	case !slices.Equal(a.dims, b.dims):
		l.reason = fmt.Sprintf("subarrays of shape %s and %s", format.ShapeString(a.dims), format.ShapeString(b.dims))
	case a.t.IsStruct() && b.t.IsStruct():
		p.pairFields(path, a, b)
		return
	case a.t.IsStruct() || b.t.IsStruct():
		l.reason = "only one side has fields"
	}
	for _, n := range a.dims {
		l.items *= n // bounded by the element size, unless items have no bytes; count checks such items
	}
	p.leaves = append(p.leaves, l)
}

func (p *pairing) pairFields(path []string, a, b place) {
	for _, f := range a.t.Fields() {
		path := append(slices.Clip(path), f.Name)
		if g, ok := fieldNamed(b.t, f.Name); ok {
			p.pair(dotted(path), path, a.field(f), b.field(g))
			continue
		}
		p.result.OnlyA = append(p.result.OnlyA, dotted(path))
	}
	for _, g := range b.t.Fields() {
		if _, ok := fieldNamed(a.t, g.Name); !ok {
			p.result.OnlyB = append(p.result.OnlyB, dotted(append(slices.Clip(path), g.Name)))
		}
	}
}

// fieldNamed finds a field by its name alone, not its title.
func fieldNamed(t dtype.Type, name string) (dtype.Field, bool) {
	f, ok := t.FieldByName(name)
	return f, ok && f.Name == name
}

func dotted(path []string) string { return strings.Join(path, ".") }
