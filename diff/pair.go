package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/fields"
)

// A kernel compares n items of one type with n items of another, and reports each unequal pair to the judge.
type kernel func(s *scratch, j *judge, a, b []byte, n int)

// A scratch holds the buffers of one goroutine.
type scratch struct{ a, b memory }

// A pair is a plain field of both arrays.
type pair struct {
	name   string
	path   []string // the field names that lead to it
	a, b   fields.Place
	items  int // per element
	kernel kernel
	same   bool // equal bytes are equal values
	reason string
}

// A pairing finds the plain fields that two dtypes have in common, by their names.
type pairing struct {
	result *Result
	pairs  []pair
}

// add pairs the fields at a place of each dtype.
func (p *pairing) add(name string, path []string, a, b fields.Place) {
	a, b = a.Enter(), b.Enter()
	x := pair{name: name, path: path, a: a, b: b, items: 1}
	switch {
	case !slices.Equal(a.Dims, b.Dims):
		x.reason = fmt.Sprintf("subarrays of shape %s and %s", format.ShapeString(a.Dims), format.ShapeString(b.Dims))
	case a.DType.IsStruct() && b.DType.IsStruct():
		p.pairFields(path, a, b)
		return
	case a.DType.IsStruct() || b.DType.IsStruct():
		x.reason = "only one side has fields"
	}
	for _, n := range a.Dims {
		x.items *= n // bounded by the element size, unless items have no bytes; count checks such items
	}
	p.pairs = append(p.pairs, x)
}

func (p *pairing) pairFields(path []string, a, b fields.Place) {
	for _, f := range a.DType.Fields() {
		path := append(slices.Clip(path), f.Name)
		if g, ok := fieldNamed(b.DType, f.Name); ok {
			p.add(dotted(path), path, a.In(f), b.In(g))
			continue
		}
		p.result.OnlyA = append(p.result.OnlyA, dotted(path))
	}
	for _, g := range b.DType.Fields() {
		if _, ok := fieldNamed(a.DType, g.Name); !ok {
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
