package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
)

// A place is where the items of a field lie within the element of one side.
type place struct {
	t       dtype.Type // of an item
	offset  int        // of the first, in bytes from the start of the element
	dims    []int      // of the subarrays it stands in, the outermost first
	strides []int      // in bytes, along each of them
}

// enter goes from the place of a subarray to that of its items.
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

// items returns the items of n elements of size bytes in data, one behind the other: as they are if they lie so, else
// copied to buf.
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

// A leaf is a field of both sides that has no fields itself.
type leaf struct {
	name   string
	path   []string // the names on the way
	a, b   place
	items  int // in an element
	kernel kernel
	same   bool // equal bytes are equal values
	reason string
}

// A pairing finds the leaves, by names.
type pairing struct {
	result *Result
	leaves []leaf
}

// pair pairs what stands at a place of either side.
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
		l.items *= n // the size of an element bounds it, unless items have no bytes; count looks after those
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
